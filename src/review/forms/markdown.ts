import { mermaid } from "../../cli/drawing/mermaid.js";
import { legendOf } from "../../cli/drawing/signs.js";
import { blanked, cut, entity } from "../../shared/messages/foreign-text.js";
import { counted } from "../../shared/messages/nouns.js";
import type { Consequence } from "../findings/consequences.js";
import type { Report } from "../findings/report.js";
import type { Text } from "../plan/text.js";

const LONGEST_NAME = 80;
const LONGEST_MESSAGE = 1_000;
/** Up to so many rows, the table is not folded. */
const OPEN_ROWS = 25;

/** What a host renders: GitHub and GitLab have alerts and Mermaid, which are no part of CommonMark. */
export type Host = "GitHub" | "CommonMark";

export interface Part {
  /** From the full form to the shortest, which may be empty. */
  readonly levels: readonly string[];
  /** Omitted part of a shortened block: `line diffs`. */
  readonly what: string;
}

export const MARKS = { danger: "🔴", caution: "🟠", clear: "🟢", open: "⚪" } as const;
export const EFFECTS: Readonly<Record<Consequence["effect"], string>> = {
  opened: "Opened",
  lost: "Lost",
  stops: "Stops",
  noticed: "Noticed",
};
/** Begins what to do. Nobody merges drift. */
export const todoOf = ({ drift }: Report) => (drift ? "To do:" : "Before the merge:");

/** Returns the organization, the pull request, the commit and the time, as far as they are known. */
export function aboutOf({ origin: { organization, pullRequest, commit, at } }: Report): string[] {
  return [organization, pullRequest, commit?.slice(0, 8), at].filter((one) => one !== undefined);
}

export function markdown(report: Report, longest: number, host: Host = "GitHub"): string {
  return fitted(markdownParts(report, host), longest);
}

export function markdownParts(report: Report, host: Host): Part[] {
  const { notices, consequences, diffs, lists, notes, drawing } = report;
  const of = (level: Consequence["level"]) =>
    consequences.filter((one) => one.level === level).map((one) => consequenceItem(one, report));
  return [
    headOf(report),
    ...notices.map(({ level, title, items }) =>
      alertPart(
        host,
        level,
        `**${title}**`,
        items.map(({ message, details = [], code }) => [
          sentence(message),
          ...details.map(sentence),
          ...(code === undefined ? [] : [fenced(code)]),
        ]),
      ),
    ),
    ...(["danger", "caution"] as const).map((level) => alertPart(host, level, "", of(level))),
    table(report),
    ...diffs.map(diff),
    ...lists.map(list),
    ...(drawing === undefined || host === "CommonMark"
      ? []
      : [
          {
            levels: [
              folded(
                "Drawing",
                `\`\`\`mermaid\n${mermaid(drawing)}\`\`\`\n\n${legendOf(drawing).join(", ")}`,
              ),
              "",
            ],
            what: "the drawing",
          },
        ]),
    ...(notes.length === 0 ? [] : [whole(`_${notes.map(sentence).join(" ")}_\n`)]),
  ].filter(({ levels }) => levels[0] !== "");
}

/** Returns the Markdown of a consequence, and of what stands below it. */
export function consequenceItem({ effect, message, details, todo }: Consequence, report: Report): string[] {
  return [
    `**${EFFECTS[effect]}:** ${sentence(message)}`,
    ...(todo === undefined ? [] : [`**${todoOf(report)}** ${sentence(todo)}`]),
    ...details.map(sentence),
  ];
}

function headOf(report: Report): Part {
  const { stack, headline, verdict, summary } = report;
  const sums = summary.flatMap(({ action, text }) =>
    action === undefined ? [] : [action === "delete" || action === "replace" ? `**${text}**` : text],
  );
  const under = [
    ...(stack === "" ? [] : [code(stack)]),
    ...sums,
    ...aboutOf(report).map((one) => sentence([one])),
  ];
  return whole(
    `<!-- buildpipeline report ${stack.replaceAll(/[^\w./-]/g, "")} -->`,
    `## ${MARKS[verdict.level]} ${sentence(headline)}`,
    "",
    ...(under.length === 0 ? [] : [under.join(" · "), ""]),
  );
}

/** Returns an alert. @param items the Markdown of each, and of the details below it */
export function alertPart(
  host: Host,
  level: Consequence["level"],
  title: string,
  items: readonly (readonly string[])[],
): Part {
  const lead = host === "GitHub" ? "> " : "";
  const kind = level === "danger" ? "[!CAUTION]" : "[!WARNING]";
  const shown = (count: number, hasDetails: boolean) =>
    [
      ...(host === "GitHub" ? [kind] : []),
      ...(title === "" ? [] : [title, ...(host === "GitHub" ? [] : [""])]),
      ...items
        .slice(0, count)
        .flatMap(([text, ...details]) => [
          `- ${text}`,
          ...(hasDetails ? details.map((detail) => `  - ${detail.replaceAll("\n", "\n    ")}`) : []),
        ]),
      ...(items.length > count ? [`- … and ${items.length - count} more`] : []),
    ]
      .flatMap((text) => text.split("\n"))
      .map((line) => `${lead}${line}`)
      .concat("")
      .join("\n");
  const counts = [1_000, 300, 100, 30, 10, 3, 1].filter((count) => count === 1_000 || count < items.length);
  return {
    levels: items.length === 0 ? [""] : [shown(1_000, true), ...counts.map((count) => shown(count, false))],
    what: `the list of ${level}s`,
  };
}

function table({ rows }: Report): Part {
  if (rows.length === 0) return { levels: [""], what: "" };
  const has = {
    place: rows.some(({ place }) => place.length > 0),
    lines: rows.some(({ lines }) => lines.length > 0),
  };
  const cells = (row: readonly string[]) => `| ${row.join(" | ")} |`;
  const columns = ["action", "what", ...(has.place ? ["in"] : []), ...(has.lines ? ["change"] : [])];
  const body = rows.map(({ action, tag, what, place, lines, level }) => {
    const worded = action === "delete" || action === "replace" ? `**${tag}**` : tag;
    return cells([
      `${level === undefined ? "" : `${MARKS[level]} `}${worded}`,
      sentence(what),
      ...(has.place ? [sentence(place)] : []),
      ...(has.lines ? [lines.map((line) => inline(line)).join("<br>")] : []),
    ]);
  });
  const text = [cells(columns), cells(columns.map(() => "---")), ...body].join("\n");
  const size = rows.reduce((sum, { of }) => sum + of.length, 0);
  const title = counted(size, "change");
  const names = rows.flatMap(({ all, what }) =>
    all === undefined ? [] : [`- ${inline(what.slice(0, 1))}${sentence(all)}`],
  );
  const shown = [
    rows.length <= OPEN_ROWS ? `${text}\n` : folded(title, text),
    ...(names.length === 0 ? [] : [folded("All names", names.join("\n"))]),
  ].join("\n");
  return { levels: [shown, `- ${title}\n`, ""], what: "the table of changes" };
}

function diff({ title, sum, lines }: Report["diffs"][number]): Part {
  const summary = `${inline(title)} ${sum}`;
  if (lines.length === 0) return { levels: [`- ${summary} (no line to show)\n`, ""], what: "remarks" };
  const text = lines
    .map(({ sign, text: line }) => (sign === "gap" ? "@@ … @@" : `${sign}${line}`))
    .join("\n");
  return { levels: [folded(summary, fenced(text, "diff")), `- ${summary}\n`, ""], what: "line diffs" };
}

function fenced(text: string, language = ""): string {
  const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function list({ title, items, isOpen }: Report["lists"][number]): Part {
  const lines = items.slice(0, 100).map((item) => `- ${sentence(item)}`);
  if (items.length > 100) lines.push(`- … and ${items.length - 100} more`);
  const summary = `${title} (${items.length})`;
  return { levels: [folded(summary, lines.join("\n"), isOpen), `- ${summary}\n`, ""], what: "lists" };
}

function folded(summary: string, body: string, isOpen = false): string {
  return `<details${isOpen ? " open" : ""}><summary>${summary}</summary>\n\n${body}\n\n</details>\n`;
}

const SPECIAL = /[<>@|`*[\]\\~$]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|(?<=^ *)[-+=#](?!\w)|(?<=^ *\d+)[.)](?!\w)/g;

export function sentence(text: Text): string {
  return inline(text, LONGEST_MESSAGE);
}

/**
 * Writes a sentence on one line. Its words are escaped too, because they may contain values, such as a policy's message,
 * that look like markup or like the beginning of a block.
 */
function inline(sentence: Text, longest = LONGEST_NAME): string {
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
  const all = () => [...texts(), ...(missing.size > 0 ? [note()] : [])].join("\n");
  for (const [index, { levels, what }] of [...blocks.entries()].reverse()) {
    for (let next = 1; next < levels.length; next++) {
      const text = all();
      if (text.length <= longest) return text;
      level[index] = next;
      missing.add(what);
    }
  }
  const text = all();
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
