import { changesIn, type Drawing, type Group, loadTextOf, markOf, SIGNS } from "./drawing.js";

const LONGEST_LABEL = 60;
/** More members of a group than this are drawn in rows. */
const LONGEST_COLUMN = 12;
const MEMBERS_IN_ROW = 5;

/** Colors that read on light and on dark paper. */
const STYLES = {
  added: "fill:#dafbe1,stroke:#1a7f37,color:#0b3d1a,stroke-width:2px",
  adopted: "fill:#ddf4ff,stroke:#0969da,color:#0a3069,stroke-width:2px",
  changed: "fill:#fff8c5,stroke:#9a6700,color:#4d3300,stroke-width:2px",
  replaced: "fill:#ffe2cc,stroke:#bc4c00,color:#5c2400,stroke-width:3px",
  removed: "fill:#ffebe9,stroke:#cf222e,color:#6e1018,stroke-width:3px,stroke-dasharray:5 3",
  released: "fill:#f6f8fa,stroke:#5c6670,color:#3a424b,stroke-width:2px",
} as const;

/** Returns a drawing as a Mermaid flowchart, as GitHub, GitLab and others show it in Markdown. */
export function mermaid(drawing: Drawing): string {
  const lines = ["flowchart LR"];
  const columns = drawing.groups.length > 12 ? 6 : 4;
  const rows: [string, Group][][] = [];
  for (const [index, group] of drawing.groups.entries()) {
    const row = rows[Math.floor(index / columns)] ?? [];
    row.push([`g${index}`, group]);
    rows[Math.floor(index / columns)] = row;
  }
  // Mermaid stacks unconnected nodes from below.
  for (const row of rows.reverse()) {
    for (const [id, group] of row) lines.push(...groupLines(group, id));
    // Nothing but the place of the next group: without such links all would stand in one column.
    if (row.length > 1) lines.push(`  ${row.map(([id]) => id).join(" ~~~ ")}`);
  }
  for (const change of changesIn(drawing)) lines.push(`  classDef ${change} ${STYLES[change]}`);
  return `${lines.join("\n")}\n`;
}

function groupLines({ title, change, members }: Group, id: string): string[] {
  const sign = change === undefined ? "" : `${SIGNS[change]} `;
  const lines = [`  subgraph ${id}["${label(sign + title)}"]`, "    direction LR"];
  // A group without anything in it would be drawn as a node of another shape.
  if (members.length === 0) lines.push(`    ${id}m0["${label("empty")}"]`);
  for (const [index, member] of members.entries()) {
    const text = `${member.change === undefined ? "" : `${SIGNS[member.change]} `}${markOf(member)}${member.text}${loadTextOf(member)}`;
    const [open, close] =
      member.kind === "rest" ? ["([", "])"] : member.kind === "token" ? ["{{", "}}"] : ["[", "]"];
    const style = member.change === undefined ? "" : `:::${member.change}`;
    lines.push(`    ${id}m${index}${open}"${label(text)}"${close}${style}`);
  }
  // Without links, members would stand in one column.
  if (members.length > LONGEST_COLUMN) {
    for (let start = 0; start < members.length; start += MEMBERS_IN_ROW) {
      const row = members.slice(start, start + MEMBERS_IN_ROW).map((_, index) => `${id}m${start + index}`);
      if (row.length > 1) lines.push(`    ${row.join(" ~~~ ")}`);
    }
  }
  lines.push("  end");
  // Of a group only the border: its title takes its color from the reader's theme.
  if (change !== undefined)
    lines.push(`  style ${id} ${STYLES[change].replace(/fill:[^,]*,|color:[^,]*,/g, "")}`);
  return lines;
}

/**
 * Returns a text as a label. Characters with a meaning in Mermaid, Markdown or HTML become entity codes. Characters
 * that could end the code block disappear.
 */
function label(text: string): string {
  if (text === "") return "";
  const characters = [
    ...text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, (run) => (run === "\u200d" ? run : " ")),
  ];
  const short =
    characters.length > LONGEST_LABEL ? [...characters.slice(0, LONGEST_LABEL - 1), "…"] : characters;
  // At the beginning a digit or a sign could be taken for a list.
  const [first = "", ...rest] = short;
  const start = /[\p{L}\p{Extended_Pictographic}]/u.test(first) && !/\d/.test(first) ? first : code(first);
  return start + rest.map((one) => (SAFE.test(one) ? one : code(one))).join("");
}

/** Letters, digits, emoji, and signs that mean nothing to anybody. */
const SAFE = /[\p{L}\p{N}\p{M}\p{Extended_Pictographic} /,:+−±=…()-]|\u200d/u;

function code(character: string): string {
  return `#${character.codePointAt(0)};`;
}
