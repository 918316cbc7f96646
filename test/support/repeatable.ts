/** Replaces what differs from run to run: ids by their order, and everything else by its name. */
export function repeatable(text: string): string {
  const ids = new Map<string, string>();
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      ids.set(id, ids.get(id) ?? `<id ${ids.size + 1}>`);
      return ids.get(id) ?? "";
    })
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/127\.0\.0\.1:\d+/g, "<host>")
    .replaceAll(/(?<=the connection was )(?:closed|reset): [^.]+/g, "lost");
}
