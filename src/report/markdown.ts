import { capitalized } from "../messages/nouns.js";
import type { Text } from "../review/text.js";
import { LEGEND } from "../topology/drawing.js";
import { mermaid } from "../topology/mermaid.js";
import type { Block, Row } from "./block.js";
import { fitted, type Part } from "./fit.js";
import type { Report } from "./report.js";

const LONGEST_NAME = 80;
const LONGEST_MESSAGE = 1_000;
/** Up to so many rows, tables are not folded. */
const OPEN_ROWS = 25;
/** Items that are shown where all of them would not fit. */
const FEWER = [15, 5, 1];

/** Returns a report as Markdown for a pull request, no longer than a comment may be. */
export function markdown(report: Report, longest: number): string {
  const rows = report.groups.reduce((sum, { changes }) => sum + changes.length, 0);
  const parts = report.blocks.map((block) => part(block, rows <= OPEN_ROWS));
  return fitted([{ levels: [head(report)], what: "" }, ...parts], longest);
}

function head({ title, summary, explanation, plan: { stack } }: Report): string {
  const sums = summary.map(({ action, text }) =>
    action === "delete" || action === "replace" ? `**${text}**` : text,
  );
  return [
    `<!-- buildpipeline report ${stack.replaceAll(/[^\w./-]/g, "")} -->`,
    `## ${title}${stack === "" ? "" : ` of ${code(stack)}`}`,
    "",
    ...(sums.length > 0 ? [`${sums.join(", ")}.${explanation}`, ""] : []),
  ].join("\n");
}

function part(block: Block, open: boolean): Part {
  switch (block.type) {
    case "section":
      return { levels: [`### ${block.title}\n`], what: "" };
    case "paragraph": {
      const text = inline(block.text);
      const marked = { plain: text, strong: `**${text}**`, quiet: `_${text}_` };
      return { levels: [`${marked[block.tone]}\n`], what: "" };
    }
    case "alert":
      return alert(block);
    case "table":
      return block.title === undefined ? plainTable(block.columns, block.rows) : groupTable(block, open);
    case "diff":
      return diff(block);
    case "list":
      return list(block);
    case "drawing": {
      const text = `\`\`\`mermaid\n${mermaid(block.drawing)}\`\`\`\n\n${LEGEND}`;
      return { levels: [folded("Drawing", text, open), ""], what: "the drawing" };
    }
  }
}

function alert({ level, title, rest, items }: Block & { type: "alert" }): Part {
  const shown = (count: number) =>
    [
      level === "danger" ? "> [!CAUTION]" : "> [!WARNING]",
      `> **${title}**${rest}`,
      ...items.slice(0, count).map((item) => `> - ${inline(item, LONGEST_MESSAGE)}`),
      ...(items.length > count ? [`> - … and ${items.length - count} more`] : []),
      "",
    ].join("\n");
  return { levels: [shown(100), ...FEWER.map(shown)], what: `lists of ${level}s` };
}

/** A table that isn't folded: its first rows matter most. */
function plainTable(columns: readonly string[], rows: readonly Row[]): Part {
  const shown = (count: number) =>
    [
      ...tableLines(columns, rows.slice(0, count)),
      "",
      ...(rows.length > count ? [`… and ${rows.length - count} more`, ""] : []),
    ].join("\n");
  return { levels: [shown(60), ...FEWER.map(shown)], what: "rows of the impact" };
}

function groupTable({ title = [], sum, columns, rows }: Block & { type: "table" }, open: boolean): Part {
  const summary = `${inline(title)}: ${sum}`;
  const table = tableLines(columns, rows).join("\n");
  return { levels: [folded(summary, table, open), `- ${summary}\n`, ""], what: "tables of changes" };
}

function tableLines(columns: readonly string[], rows: readonly Row[]): string[] {
  const loud = (text: string, isLoud: boolean | undefined) => (isLoud ? `**${text}**` : text);
  return [
    `| ${columns.join(" | ")} |`,
    `|${columns.map(() => "---").join("|")}|`,
    ...rows.map(({ tag, cells, busy }) => {
      const isLost = tag?.action === "delete" || tag?.action === "replace";
      const texts = cells.map((lines, index) =>
        loud(lines.map((line) => inline(line)).join("<br>"), busy && index === 1),
      );
      return `| ${[...(tag ? [loud(tag.text, isLost)] : []), ...texts].join(" | ")} |`;
    }),
  ];
}

function diff({ title, sum, lines }: Block & { type: "diff" }): Part {
  const summary = `${inline(title)} ${sum}`;
  if (lines.length === 0) return { levels: [`- ${summary} (no line to show)\n`, ""], what: "remarks" };
  const text = lines
    .map(({ sign, text: line }) => (sign === "gap" ? "@@ … @@" : `${sign}${line}`))
    .join("\n");
  const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return {
    levels: [folded(summary, `${fence}diff\n${text}\n${fence}`, false), `- ${summary}\n`, ""],
    what: "line diffs",
  };
}

function list({ title, items }: Block & { type: "list" }): Part {
  const lines = items.slice(0, 100).map((item) => `- ${inline(item, LONGEST_MESSAGE)}`);
  if (items.length > 100) lines.push(`- … and ${items.length - 100} more`);
  const summary = `${capitalized(title)} (${items.length})`;
  return {
    levels: [folded(summary, lines.join("\n"), items.length <= 5), `- ${summary}\n`, ""],
    what: "lists",
  };
}

function folded(summary: string, body: string, open: boolean): string {
  return `<details${open ? " open" : ""}><summary>${summary}</summary>\n\n${body}\n\n</details>\n`;
}

/** Writes a sentence. Its own words have no markup either, whatever comes into them. */
function inline(sentence: Text, longest = LONGEST_NAME): string {
  return sentence
    .map((one) =>
      typeof one === "string"
        ? one.replace(/[<>@|`*[\]\\]|(?<!\w)_|_(?!\w)/g, entity)
        : code(one.code, longest),
    )
    .join("");
}

/**
 * Returns a foreign name or value. In `<code>` it mentions no user and links no issue. Markdown and HTML become
 * entities, so that it reads the same in a table, a summary and a list.
 */
function code(name: string, longest = LONGEST_NAME): string {
  const line = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
  const characters = [...line];
  const short = characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : line;
  const safe = short.replace(/[!"#$&'()*+:;<=>?@[\\\]^_`{|}~]|^[-.]|(?<=www)\./giu, entity);
  return `<code>${safe}</code>`;
}

function entity(character: string): string {
  return `&#${character.codePointAt(0)};`;
}
