import { ACTION_ORDER, ACTIONS } from "../messages/actions.js";
import type { DiffLine } from "../messages/lines.js";
import type { Text } from "../review/text.js";
import { svg } from "../topology/svg.js";
import type { Block, Row } from "./block.js";
import { escaped, inline } from "./page-text.js";
import type { Report } from "./report.js";

/** Up to so many rows, tables are not folded. */
const OPEN_ROWS = 60;
/** Up to so many items of an alert are not folded; the worst come first. */
const MOST_SHOWN = 15;

/** Returns a report as one page, light or dark by the reader's setting, without scripts or external parts. */
export function html(report: Report): string {
  const { title, summary, explanation, groups, blocks } = report;
  const { stack } = report.plan;
  const rows = groups.reduce((sum, { changes }) => sum + changes.length, 0);
  const sums = summary.map(({ text, action }) =>
    action === undefined ? `${text}.` : `<span class="tag ${action}">${ACTIONS[action].sign} ${text}</span>`,
  );
  const verdict = summary.map(({ text }) => text).join(", ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`${title} of ${stack}${verdict === "" ? "" : `: ${verdict}`}`)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<h1>${title}${stack === "" ? "" : ` of <code>${escaped(stack)}</code>`}</h1>
<p class="counts">${sums.join(" ")}${explanation}</p>
${blocks.map((block) => written(block, rows <= OPEN_ROWS)).join("\n")}
</body>
</html>
`;
}

function written(block: Block, open: boolean): string {
  switch (block.type) {
    case "section":
      return `<h2>${block.title}</h2>`;
    case "paragraph": {
      const { tone, text } = block;
      const classes = { plain: "", strong: ' class="danger strong"', quiet: ' class="quiet"' };
      return `<p${classes[tone]}>${inline(text)}</p>`;
    }
    case "alert":
      return alert(block);
    case "table": {
      const body = `<div class="scroll" tabindex="0"><table${block.title ? "" : ' class="impact"'}>${head(block.columns)}
<tbody>${block.rows.map(row).join("\n")}</tbody></table></div>`;
      return block.title === undefined ? body : folded(quietly(block.title, block.sum), body, open);
    }
    case "diff":
      return folded(quietly(block.title, block.sum), lines(block.lines), block.lines.length <= 60);
    case "list":
      return `<h3>${escaped(block.title)}</h3>\n${list(block.items)}`;
    case "drawing":
      return `<h2>Drawing</h2>\n<div class="scroll" tabindex="0">${svg(block.drawing)}</div>`;
  }
}

function alert({ level, title, rest, items }: Block & { type: "alert" }): string {
  const [shown, more] = [items.slice(0, MOST_SHOWN), items.slice(MOST_SHOWN)];
  const folds = more.length === 0 ? "" : folded(`${more.length} more`, list(more), false);
  return `<aside class="${level}"><h2>${title}${rest}</h2>${list(shown)}${folds}</aside>`;
}

function list(items: readonly Text[]): string {
  return `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join("\n")}</ul>`;
}

function head(columns: readonly string[]): string {
  const cells = columns.map((name) => (name === "" ? "<td></td>" : `<th scope="col">${name}</th>`));
  return `<thead><tr>${cells.join("")}</tr></thead>`;
}

function row({ tag, cells, busy }: Row): string {
  const first = tag ? `<td><span class="tag ${tag.action}">${tag.text}</span></td>` : "";
  const others = cells.map((parts) => `<td>${parts.map(inline).join("<br>")}</td>`);
  return `<tr${busy ? ' class="busy"' : ""}>${first}${others.join("")}</tr>`;
}

function lines(all: readonly DiffLine[]): string {
  const classes: Record<DiffLine["sign"], string> = { "+": "create", "-": "delete", " ": "", gap: "quiet" };
  const shown = all.map(
    ({ sign, text }) =>
      `<span class="${classes[sign]}">${sign === "gap" ? "⋯" : escaped(sign + text)}</span>`,
  );
  return shown.length === 0 ? "<p>No line to show.</p>" : `<pre>${shown.join("\n")}</pre>`;
}

function quietly(title: Text, sum = ""): string {
  return `${inline(title)} <span class="quiet">${escaped(sum)}</span>`;
}

function folded(summary: string, body: string, open: boolean): string {
  return `<details${open ? " open" : ""}><summary>${summary}</summary>\n${body}\n</details>`;
}

const STYLE = `
:root { color-scheme: light dark;
  --text: light-dark(#1c2024, #e8eaed); --quiet: light-dark(#5c6670, #9aa4ae); --line: light-dark(#d0d7de, #3a424b);
  --page: light-dark(#ffffff, #15181c); --card: light-dark(#f6f8fa, #1c2025);
  ${ACTION_ORDER.map((action) => `--${action}: light-dark(${ACTIONS[action].light}, ${ACTIONS[action].dark});`).join(" ")} }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.25rem 4rem; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
code, pre { font: .87em/1.45 ui-monospace, monospace; } code { overflow-wrap: anywhere; }
ul { margin: .25rem 0; padding-left: 1.25rem; }
.quiet { color: var(--quiet); font-weight: normal; }
aside { border-left: 4px solid; border-radius: 6px; background: var(--card); padding: .75rem 1rem; margin: 1rem 0; }
aside h2 { margin: 0 0 .25rem; } aside li { color: var(--text); }
.danger { color: var(--delete); } .caution { color: var(--update); }
.busy td { background: color-mix(in srgb, var(--delete) 8%, transparent); } .busy td:nth-child(2) { font-weight: 600; color: var(--delete); }
.impact td:nth-child(1) { min-width: 15rem; } .impact td:nth-child(2) { white-space: normal; min-width: 11rem; } .impact td, .impact th { padding-left: .6rem; }
.tag { display: inline-block; border: 1px solid currentColor; border-radius: 99px; padding: 0 .6em; font-size: .85rem; white-space: nowrap; }
${ACTION_ORDER.map((action) => `.${action} { color: var(--${action}); }`).join(" ")}
details { border: 1px solid var(--line); border-radius: 8px; background: var(--card); margin: .6rem 0; padding: .5rem 1rem; }
summary { cursor: pointer; font-weight: 600; }
table { border-collapse: collapse; width: 100%; margin-top: .5rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem 1rem .35rem 0; border-top: 1px solid var(--line); }
thead th, thead td { border-top: 0; font-size: .8rem; color: var(--quiet); }
td:nth-child(2) { white-space: nowrap; } td:nth-child(4) { min-width: 16rem; }
pre { margin: .5rem 0 0; overflow-x: auto; } .scroll { overflow-x: auto; }
svg { max-width: 100%; height: auto; }
@media (max-width: 40rem) { thead { display: none; } tr { display: block; border-top: 1px solid var(--line); padding: .5rem 0; }
  td, .impact td { display: block; border: 0; padding: .1rem 0; } }
@media print { details::details-content { content-visibility: visible; block-size: auto; } }
`;
