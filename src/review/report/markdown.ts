import { mermaid } from "../../cli/drawing/mermaid.js";
import { LEGEND } from "../../cli/drawing/signs.js";
import { blanked, cut, entity } from "../../shared/messages/foreign-text.js";
import { capitalized } from "../../shared/messages/nouns.js";
import type { Marked } from "../plan/text.js";
import { pageOf } from "./blocks.js";
import type { Block, BlockOf, Item, Page, Row } from "./page.js";
import type { Report } from "./report.js";

const LONGEST_NAME = 80;
const LONGEST_MESSAGE = 1_000;
/** Up to so many rows, tables are not folded. */
const OPEN_ROWS = 25;

export interface Part {
  /** From the full form to the shortest, which may be empty. */
  readonly levels: readonly string[];
  /** Omitted part of a shortened block: `line diffs`. */
  readonly what: string;
}

export function markdown(report: Report, longest: number): string {
  return fitted(markdownParts(pageOf(report)), longest);
}

export function markdownParts(page: Page): Part[] {
  const [first, ...others] = page.blocks.map((block) => part(block, page.size <= OPEN_ROWS));
  const [head, origin] = [whole(headOf(page)), whole(originOf(page))];
  // A failure is said before anything else.
  return page.failed && first
    ? [head, first, origin, ...others]
    : [head, origin, ...(first ? [first] : []), ...others];
}

export const MARKS = { danger: "🔴", caution: "🟠", clear: "🟢", open: "⚪" } as const;

function headOf({ title, stack, failed, verdict: { level, parts }, summary, explanation }: Page): string {
  const sums = summary.flatMap(({ action, text }) =>
    action === undefined ? [] : [emphasized({ action, text })],
  );
  const end = sums.length === 0 ? "." : "";
  const words = parts.map((one, index) => (index === parts.length - 1 ? one + end : one));
  return [
    `<!-- buildpipeline report ${stack.replaceAll(/[^\w./-]/g, "")} -->`,
    `## ${title}${stack === "" ? "" : ` of ${code(stack)}`}`,
    "",
    ...(failed ? [] : [`${MARKS[level]} ${[`**${words[0]}**`, ...words.slice(1)].join(" · ")}`, ""]),
    ...(sums.length > 0 ? [`${sums.join(", ")}.${explanation}`, ""] : []),
  ].join("\n");
}

function emphasized({ action, text }: Row["tag"]): string {
  return action === "delete" || action === "replace" ? `**${text}**` : text;
}

function originOf({ about }: Page): string {
  return about.length === 0 ? "" : `_${about.map((one) => inline([one])).join(" · ")}_\n`;
}

function part(block: Block, open: boolean): Part {
  switch (block.type) {
    case "section":
      return whole(`### ${block.title}\n`);
    case "paragraph": {
      const text = inline(block.text, LONGEST_MESSAGE);
      const marked = { plain: text, strong: `**${text}**`, quiet: `_${text}_` };
      return whole(`${marked[block.tone]}\n`);
    }
    case "alert":
      return alert(block);
    case "table":
      return table(block, open);
    case "diff":
      return diff(block);
    case "list":
      return list(block);
    case "drawing": {
      const text = `\`\`\`mermaid\n${mermaid(block.drawing)}\`\`\`\n\n${LEGEND}`;
      const { count, omitted } = block.unchanged;
      if (omitted.length === 0) return { levels: [folded("Drawing", text, open), ""], what: "the drawing" };
      const bodies = [`${text} Unchanged: ${inline(omitted)}.`, text];
      const folds = bodies.map((body) => folded(`Drawing, and ${count} unchanged`, body, false));
      return { levels: [...folds, ""], what: "the drawing and unchanged objects" };
    }
  }
}

function alert({ level, title, rest, items }: BlockOf<"alert">): Part {
  return alertPart(
    level,
    title === "" ? "" : `**${title}**${rest}`,
    items.map(written),
    `lists of ${level}s`,
  );
}

/** Returns the Markdown of a sentence, and of each detail below it. */
export function written({ message, details = [] }: Item): string[] {
  return [message, ...details].map((one) => inline(one, LONGEST_MESSAGE));
}

/** Returns an alert. @param items the Markdown of each, and of the details below it */
export function alertPart(
  level: BlockOf<"alert">["level"],
  title: string,
  items: readonly (readonly string[])[],
  what: string,
): Part {
  const shown = (count: number, hasDetails: boolean) =>
    [
      level === "danger" ? "> [!CAUTION]" : "> [!WARNING]",
      ...(title === "" ? [] : [`> ${title}`]),
      ...items
        .slice(0, count)
        .flatMap(([text, ...details]) => [
          `> - ${text}`,
          ...(hasDetails ? details.map((detail) => `>   - ${detail}`) : []),
        ]),
      ...(items.length > count ? [`> - … and ${items.length - count} more`] : []),
      "",
    ].join("\n");
  // Items that are shown where all of them would not fit.
  return { levels: [shown(100, true), ...[15, 5, 1].map((count) => shown(count, false))], what };
}

function table({ title, sum, dangers, rows }: BlockOf<"table">, open: boolean): Part {
  const summary = `${inline(title)}: ${sum}${dangers > 0 ? ` · ${dangers} dangerous` : ""}`;
  const lines = [
    "| action | kind | name | change |",
    "|---|---|---|---|",
    ...rows.map(({ tag, kind, name, lines }) => {
      const changes = lines.map((line) => inline(line)).join("<br>");
      return `| ${emphasized(tag)} | ${inline([kind])} | ${inline(name)} | ${changes} |`;
    }),
  ];
  return {
    levels: [folded(summary, lines.join("\n"), open), `- ${summary}\n`, ""],
    what: "tables of changes",
  };
}

function diff({ title, sum, lines }: BlockOf<"diff">): Part {
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

function list({ title, items }: BlockOf<"list">): Part {
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

const SPECIAL = /[<>@|`*[\]\\~$]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|(?<=^ *)[-+=#](?!\w)|(?<=^ *\d+)[.)](?!\w)/g;

/**
 * Writes a sentence on one line. Its words are escaped too, because they may contain values, such as a policy's message,
 * that look like markup or like the beginning of a block.
 */
function inline(sentence: Marked, longest = LONGEST_NAME): string {
  const plain = (text: string) => blanked(text).replace(SPECIAL, entity);
  return sentence
    .map((one) => {
      if (typeof one === "string") return plain(one);
      return "code" in one ? code(one.code, longest) : `**${plain(one.strong)}**`;
    })
    .join("");
}

/**
 * Returns a foreign name or value. In `<code>` it mentions no user and links no issue. Markdown and HTML become
 * entities, so that it reads the same in a table, a summary and a list.
 */
export function code(name: string, longest = LONGEST_NAME): string {
  const safe = cut(blanked(name).trim(), longest).replace(
    /[!"#$&'()*+:;<=>?@[\\\]^_`{|}~]|^[-.]|(?<=www)\./giu,
    entity,
  );
  return `<code>${safe}</code>`;
}

/** Returns a link to a page, which nothing in its address ends early. Undefined if it is no such address. */
export function link(text: string, address: string | undefined): string | undefined {
  const url = URL.parse(address ?? "");
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  return `[${text}](${url.href.replace(/[()\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)})`;
}

/** Returns a part that is never shortened. */
export function whole(...lines: readonly string[]): Part {
  return { levels: [lines.join("\n")], what: "" };
}

/** Joins blocks, and shortens the last ones first until everything fits. Names the omitted parts. */
export function fitted(blocks: readonly Part[], longest: number): string {
  const level = blocks.map(() => 0);
  const missing = new Set<string>();
  const texts = () =>
    blocks.map(({ levels }, index) => levels[level[index] ?? 0] ?? "").filter((text) => text !== "");
  const note = () =>
    `> This report was shortened to ${longest} characters. Not in full: ${[...missing].join(", ")}.\n`;
  const whole = () => [...texts(), ...(missing.size > 0 ? [note()] : [])].join("\n");
  const deepest = Math.max(...blocks.map(({ levels }) => levels.length));
  for (let next = 1; next < deepest; next++) {
    for (let index = blocks.length - 1; index >= 0; index--) {
      const { levels, what } = blocks[index] ?? { levels: [], what: "" };
      if (whole().length <= longest) return whole();
      if (next >= levels.length) continue;
      level[index] = next;
      missing.add(what);
    }
  }
  const text = whole();
  if (text.length <= longest) return text;
  missing.add("the end of the report");
  const end = `…\n\n${note()}`;
  // Half a character at the end goes as well.
  const start = texts()
    .join("\n")
    .slice(0, longest - end.length)
    .replace(/[\ud800-\udbff]$/, "");
  return `${start}${end}`;
}
