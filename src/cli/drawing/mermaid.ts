import type { Action } from "./actions.js";
import { ACTIONS } from "./actions.js";
import type { Drawing, Group } from "./drawing.js";
import { cutInMiddle } from "./layout.js";
import { changesIn, lineOf, marksOf } from "./signs.js";

const LONGEST_LABEL = 60;
const LONGEST_COLUMN = 12;
const MEMBERS_IN_ROW = 5;

/** Colors that read on light and on dark paper, and borders that differ without them. */
function styleOf(action: Action): string {
  const { box, colors } = ACTIONS[action];
  const border = { delete: "3px,stroke-dasharray:5 3", replace: "5px" }[String(action)] ?? "2px";
  return `fill:${box[0]},stroke:${colors[0]},color:${box[1]},stroke-width:${border}`;
}

/** Returns a drawing as a Mermaid flowchart, as GitHub, GitLab and others show it in Markdown. */
export function mermaid(drawing: Drawing): string {
  const lines = ["flowchart LR"];
  const columns = drawing.groups.length > 12 ? 6 : 4;
  const rows = Map.groupBy(drawing.groups.entries(), ([index]) => Math.floor(index / columns));
  // Mermaid stacks unconnected nodes from below.
  for (const row of [...rows.values()].reverse()) {
    for (const [index, group] of row) lines.push(...groupLines(group, `g${index}`));
    // These links only place the next group. Without them, Mermaid would draw all groups in one column.
    if (row.length > 1) lines.push(`  ${row.map(([index]) => `g${index}`).join(" ~~~ ")}`);
  }
  for (const action of changesIn(drawing))
    lines.push(`  classDef ${ACTIONS[action].change} ${styleOf(action)}`);
  return `${lines.join("\n")}\n`;
}

function groupLines({ title, change, members }: Group, id: string): string[] {
  const sign = change === undefined ? "" : `${ACTIONS[change].sign} `;
  const lines = [`  subgraph ${id}["${label(sign + title)}"]`, "    direction LR"];
  // A group without anything in it would be drawn as a node of another shape.
  if (members.length === 0) lines.push(`    ${id}m0["${label("empty")}"]`);
  for (const [index, member] of members.entries()) {
    const text = lineOf(member);
    const [open, close] =
      member.kind === "rest" ? ["([", "])"] : marksOf(member).includes("token") ? ["{{", "}}"] : ["[", "]"];
    const style = member.change === undefined ? "" : `:::${ACTIONS[member.change].change}`;
    lines.push(`    ${id}m${index}${open}"${label(text)}"${close}${style}`);
  }
  // Without links, Mermaid would draw all members in one column.
  if (members.length > LONGEST_COLUMN) {
    for (let start = 0; start < members.length; start += MEMBERS_IN_ROW) {
      const row = members.slice(start, start + MEMBERS_IN_ROW).map((_, index) => `${id}m${start + index}`);
      if (row.length > 1) lines.push(`    ${row.join(" ~~~ ")}`);
    }
  }
  lines.push("  end");
  // Of a group only the border: its title takes its color from the reader's theme.
  if (change !== undefined)
    lines.push(`  style ${id} ${styleOf(change).replace(/fill:[^,]*,|color:[^,]*,/g, "")}`);
  return lines;
}

/** Writes entity codes for signs of Mermaid, Markdown or HTML. Characters that could end the code block disappear. */
function label(text: string): string {
  // At the beginning a digit or a sign could be taken for a list. Mermaid rejects an empty label.
  const [first = " ", ...rest] = [...cutInMiddle(text, LONGEST_LABEL)];
  const start = /[\p{L}\p{Extended_Pictographic}]/u.test(first) && !/\d/.test(first) ? first : code(first);
  return start + rest.map((one) => (SAFE.test(one) ? one : code(one))).join("");
}

/** Letters, digits, emoji, and signs that have no meaning in any markup. */
const SAFE = /[\p{L}\p{N}\p{M}\p{Extended_Pictographic} /,:+−±=…()-]|\u200d/u;

function code(character: string): string {
  return `#${character.codePointAt(0)};`;
}
