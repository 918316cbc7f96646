const LINK = /<([^<>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g;
const RELATION = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i;

/** The address of the next page in a `Link` header; undefined on the last one. */
export function nextAddress(link: string | undefined): string | undefined {
  for (const [, address, parameters = ""] of (link ?? "").matchAll(LINK)) {
    const [, quoted, bare] = RELATION.exec(parameters) ?? [];
    if ((quoted ?? bare ?? "").toLowerCase().split(/\s+/).includes("next")) return address;
  }
  return undefined;
}
