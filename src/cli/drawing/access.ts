import { columns } from "../terminal/terminal.js";
import type { Topology } from "./topology.js";

/** Returns who may do what, for people: a row for each object, a column for each group, and a letter for each level. */
export function accessTable({ organization = "Organization", nodes }: Topology): string {
  const pairs = nodes.flatMap(({ name: group, contents }) =>
    contents.flatMap(({ name, access }) => (access === undefined ? [] : [{ group, name, access }])),
  );
  if (pairs.length === 0) return `${organization}: no group has access to anything that was read.\n`;
  const groups = [...new Set(pairs.map(({ group }) => group))];
  const rows = [...Map.groupBy(pairs, ({ name }) => name)].map(([name, own]) => [
    name,
    ...groups.map((group) => {
      const levels = own.flatMap((one) => (one.group === group ? [one.access.charAt(0)] : []));
      return levels.length === 0 ? "·" : levels.join("");
    }),
  ]);
  const levels = [...new Set(pairs.map(({ access }) => access))].map(
    (level) => `${level.charAt(0)} ${level}`,
  );
  return `${columns([[organization, ...groups], ...rows], 30).join("\n")}\n\n${levels.join(", ")}\n`;
}
