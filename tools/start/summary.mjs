/**
 * The resources of a stack as lines of text: kind, name in the program, id.
 *
 * @param {string} state The output of `pulumi stack export`.
 * @returns {string}
 */
export function describeResources(state) {
  if (state === "") return "";
  /** @type {{ custom?: boolean, type: string, urn: string, id?: string }[]} */
  const resources = JSON.parse(state).deployment?.resources ?? [];
  const rows = resources
    .filter(({ custom, type }) => custom === true && !type.startsWith("pulumi:providers:"))
    .map(({ type, urn, id }) => [type.split(":").at(-1) ?? "", urn.split("::").at(-1) ?? "", id ?? ""])
    .sort((a, b) => (a[0] ?? "").localeCompare(b[0] ?? ""));
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map(
      ([kind = "", name = "", id = ""]) =>
        `  ${kind.padEnd(widths[0] ?? 0)}  ${name.padEnd(widths[1] ?? 0)}  ${id}`,
    )
    .join("\n");
}
