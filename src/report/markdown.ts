import { capitalized } from "../messages/nouns.js";
import type { Text } from "../review/text.js";
import { drawingOf } from "../topology/drawing.js";
import { mermaid } from "../topology/mermaid.js";
import { type Block, fitted } from "./fit.js";
import { impactHeadline, impactNotes, impactRows } from "./impact/summary.js";
import type { ChangeGroup, Report, TextChange } from "./report.js";
import { reviewedTopology } from "./review-topology.js";
import { ACTIONS, changeLines, DRIFT, nounOf, summaries, summaryOf, wordOf } from "./words.js";

const LONGEST_NAME = 80;
const LONGEST_MESSAGE = 1_000;
/** Up to so many rows, tables are not folded. */
const OPEN_ROWS = 25;
/** The worst come first, and the tables have all. */
const MOST_DANGERS = 15;

/** Returns a report as Markdown for a pull request, no longer than a comment may be. */
export function markdown(report: Report, longest: number): string {
  const rows = report.groups.reduce((sum, { changes }) => sum + changes.length, 0);
  const blocks: Block[] = [
    { levels: [head(report)], what: "" },
    ...impactBlocks(report),
    ...dangerBlocks(report),
    ...report.groups.map((group) => groupBlock(group, report.drift, rows <= OPEN_ROWS)),
    ...report.textChanges.map(textBlock),
    ...listBlock(
      "Imported: it exists, and nothing is created",
      report.adopted.map(({ kind, label, adopts }) => [
        `${nounOf(kind)} `,
        { code: label },
        " from ",
        { code: adopts ?? "" },
      ]),
    ),
    ...listBlock(
      "Removed from state: nothing is deleted on the service",
      report.released.map(({ kind, label }) => [`${nounOf(kind)} `, { code: label }]),
    ),
    ...listBlock(
      "Values known only after the deployment",
      report.onlyUnknown.map(({ kind, label, properties }) => [
        `${nounOf(kind)} `,
        { code: label },
        `: ${properties.map(({ name }) => name).join(", ")}`,
      ]),
    ),
    ...listBlock(
      "Warnings",
      report.warnings.map((warning) => [{ code: warning }]),
      LONGEST_MESSAGE,
    ),
    ...drawingBlock(report, rows <= OPEN_ROWS),
    ...otherBlock(report),
  ];
  return fitted(blocks, longest);
}

function head({ stack, drift, counts, errors, withheld }: Report): string {
  const summary = summaries({ counts, drift }).map(({ action, text }) =>
    action === "delete" || action === "replace" ? `**${text}**` : text,
  );
  const lines = [
    `<!-- buildpipeline report ${stack.replaceAll(/[^\w./-]/g, "")} -->`,
    `## ${drift ? "Drift" : "Preview"}${stack === "" ? "" : ` of ${code(stack)}`}`,
    "",
  ];
  if (summary.length > 0) lines.push(`${summary.join(", ")}.${drift ? ` ${DRIFT}` : ""}`, "");
  else if (errors.length === 0) lines.push("No changes.", "");
  if (errors.length > 0) {
    lines.push("> [!CAUTION]", "> **The preview failed**, so this is not all that would change:");
    for (const error of errors.slice(0, 10)) lines.push(`> - ${code(error, LONGEST_MESSAGE)}`);
    lines.push("");
  }
  if (withheld) {
    lines.push(
      "> [!WARNING]",
      "> The preview was made with `--show-secrets`, so values are left out here.",
      "",
    );
  }
  return lines.join("\n");
}

function dangerBlocks({ dangers }: Report): Block[] {
  return (["danger", "caution"] as const).flatMap((level): Block[] => {
    const own = dangers.filter((danger) => danger.level === level);
    if (own.length === 0) return [];
    const alert =
      level === "danger" ? ["> [!CAUTION]", "> **Dangerous**"] : ["> [!WARNING]", "> **Noticeable**"];
    const shown = (count: number) => {
      const rest = own.length > count ? [`> - … and ${own.length - count} more, in the tables below`] : [];
      const lines = own.slice(0, count).map(({ message }) => `> - ${inline(message)}`);
      return [...alert, ">", ...lines, ...rest, ""].join("\n");
    };
    return [{ levels: [shown(MOST_DANGERS), shown(5), shown(1)], what: `lists of ${level}s` }];
  });
}

/** Rows that are shown where all of them would not fit. */
const SHORT_IMPACT = [15, 5, 1];

function impactBlocks({ impact }: Report): Block[] {
  if (impact === undefined) return [];
  const rows = impactRows(impact);
  const notes = impactNotes(impact).map((note) => `<sub>${inline(note)}</sub>`);
  const shown = (count: number) => {
    const table = rows.slice(0, count).map(({ what, now, lines, busy }) => {
      const figures = busy ? `**${now}**` : now;
      return `| ${inline(what)} | ${figures} | ${lines.map((line) => inline(line)).join("<br>")} |`;
    });
    const rest = rows.length > count ? [`… and ${rows.length - count} more`, ""] : [];
    return [
      "### Impact now",
      "",
      impact.busy ? `**${impactHeadline(impact)}**` : impactHeadline(impact),
      "",
      ...(table.length === 0 ? [] : ["| change | now | |", "|---|---|---|", ...table, ""]),
      ...rest,
      notes.join("<br>"),
      "",
    ].join("\n");
  };
  return [{ levels: [shown(60), ...SHORT_IMPACT.map(shown)], what: "rows of the impact" }];
}

function groupBlock({ title, kind, changes }: ChangeGroup, drift: boolean, open: boolean): Block {
  const name = kind === undefined ? title : `${capitalized(nounOf(kind))} ${code(title)}`;
  const summary = `${name}: ${summaryOf(changes, drift)}`;
  const rows = changes.map((change) => {
    const { sign } = ACTIONS[change.action];
    const word = wordOf(change.action, drift);
    const action =
      change.action === "delete" || change.action === "replace" ? `**${sign} ${word}**` : `${sign} ${word}`;
    const lines = changeLines(change).map((line) => inline(line));
    return `| ${action} | ${nounOf(change.kind)} | ${code(change.label)} | ${lines.join("<br>")} |`;
  });
  const table = ["| | kind | name | change |", "|---|---|---|---|", ...rows].join("\n");
  return { levels: [folded(summary, table, open), `- ${summary}\n`, ""], what: "tables of changes" };
}

function textBlock({ kind, label, property, lines, added, removed }: TextChange): Block {
  const summary = `${nounOf(kind)} ${code(label)}: ${code(property)} +${added} −${removed} lines`;
  if (lines.length === 0)
    return { levels: [`- ${summary} (only ends of lines differ)\n`, ""], what: "remarks" };
  const text = lines.map(({ sign, text }) => (sign === "gap" ? "@@ … @@" : `${sign}${text}`)).join("\n");
  const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return {
    levels: [folded(summary, `${fence}diff\n${text}\n${fence}`, false), `- ${summary}\n`, ""],
    what: "line diffs",
  };
}

function listBlock(title: string, items: readonly Text[], longest?: number): Block[] {
  if (items.length === 0) return [];
  const lines = items.slice(0, 100).map((item) => `- ${inline(item, longest)}`);
  if (items.length > 100) lines.push(`- … and ${items.length - 100} more`);
  const summary = `${title} (${items.length})`;
  return [
    { levels: [folded(summary, lines.join("\n"), items.length <= 5), `- ${summary}\n`, ""], what: "lists" },
  ];
}

function drawingBlock(report: Report, open: boolean): Block[] {
  const drawing = drawingOf(reviewedTopology(report.topology));
  if (drawing.groups.length === 0) return [];
  const legend =
    "`+` added, `=` imported, `~` changed, `±` replaced, `−` removed, ★ default queue, ⏸ paused, 🔑 agent token";
  const text = `\`\`\`mermaid\n${mermaid(drawing)}\`\`\`\n\n${legend}`;
  return [{ levels: [folded("Drawing", text, open), ""], what: "the drawing" }];
}

function otherBlock({ others }: Report): Block[] {
  const counts = Object.entries(others).map(([op, count]) => `${count} ${op}`);
  if (counts.length === 0) return [];
  return [
    {
      levels: [
        `Steps for resources of other packages, which this report does not describe: ${code(counts.join(", "))}.\n`,
      ],
      what: "",
    },
  ];
}

function folded(summary: string, body: string, open: boolean): string {
  return `<details${open ? " open" : ""}><summary>${summary}</summary>\n\n${body}\n\n</details>\n`;
}

function inline(sentence: Text, longest?: number): string {
  return sentence.map((part) => (typeof part === "string" ? part : code(part.code, longest))).join("");
}

/**
 * Returns a foreign name or value. In `<code>` it mentions no user and links no issue. Markdown and HTML become
 * entities, so that it reads the same in a table, a summary and a list.
 */
function code(name: string, longest = LONGEST_NAME): string {
  const line = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
  const characters = [...line];
  const short = characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : line;
  const safe = short.replace(
    /[!"#$&'()*+:;<=>?@[\\\]^_`{|}~]|^[-.]|(?<=www)\./giu,
    (one) => `&#${one.codePointAt(0)};`,
  );
  return `<code>${safe}</code>`;
}
