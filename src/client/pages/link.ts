/** An address and all of its parameters. */
const LINK = /<([^<>]*)>((?:[^<"]|"[^"]*")*)/g;
const PARAMETER = /;\s*([\w*-]+)\s*(?:=\s*(?:"([^"]*)"|([^\s;,"]*)))?/g;

/** Returns the address of the next page in a `Link` header; undefined on the last one. */
export function nextAddress(link: string | undefined): string | undefined {
  for (const [, address, parameters = ""] of (link ?? "").matchAll(LINK)) {
    for (const [, name = "", quoted, bare = ""] of parameters.matchAll(PARAMETER)) {
      const relations = (quoted ?? bare).toLowerCase().split(/\s+/);
      if (name.toLowerCase() === "rel" && relations.includes("next")) return address;
    }
  }
  return undefined;
}
