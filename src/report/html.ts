import type { DiffLine } from "../messages/lines.js";
import { capitalized } from "../messages/nouns.js";
import type { Text } from "../review/text.js";
import { drawingOf } from "../topology/drawing.js";
import { svg } from "../topology/svg.js";
import { impactSection } from "./impact/html.js";
import { escaped, inline } from "./page-text.js";
import type { ChangeGroup, Report, TextChange } from "./report.js";
import { reviewedTopology } from "./review-topology.js";
import { ACTIONS, changeLines, DRIFT, nounOf, summaries, summaryOf, wordOf } from "./words.js";

/** Up to so many rows, tables are not folded. */
const OPEN_ROWS = 60;
/** Up to so many dangers are not folded; the worst come first. */
const MOST_SHOWN = 15;

/** Returns a report as one page, light or dark by the reader's setting, without scripts or external parts. */
export async function html(report: Report): Promise<string> {
  const rows = report.groups.reduce((sum, { changes }) => sum + changes.length, 0);
  const drawing = drawingOf(reviewedTopology(report.topology));
  const picture =
    drawing.groups.length === 0 ? "" : section("Drawing", `<div class="scroll">${await svg(drawing)}</div>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${report.drift ? "Drift" : "Preview"} of ${escaped(report.stack)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<h1>${report.drift ? "Drift" : "Preview"}${report.stack === "" ? "" : ` of <code>${escaped(report.stack)}</code>`}</h1>
<p class="counts">${countsOf(report)}</p>
${errorsOf(report)}${impactSection(report)}${dangersOf(report)}
${report.groups.length === 0 ? "" : section("Changes", report.groups.map((group) => tableOf(group, report.drift, rows <= OPEN_ROWS)).join("\n"))}
${report.textChanges.length === 0 ? "" : section("Changed lines", report.textChanges.map(linesOf).join("\n"))}
${listsOf(report)}
${picture}
</body>
</html>
`;
}

function countsOf({ counts, drift, errors }: Report): string {
  const all = summaries({ counts, drift });
  if (all.length === 0) return errors.length === 0 ? "No changes." : "";
  const tags = all
    .map(({ action, text }) => `<span class="tag ${action}">${ACTIONS[action].sign} ${text}</span>`)
    .join(" ");
  return drift ? `${tags} ${DRIFT}` : tags;
}

function errorsOf({ errors, withheld }: Report): string {
  const withholding = withheld
    ? box("caution", "Values are left out", ["The preview was made with --show-secrets."])
    : "";
  if (errors.length === 0) return withholding;
  return (
    box("danger", "The preview failed, so this is not all that would change", errors.map(escaped)) +
    withholding
  );
}

function dangersOf({ dangers }: Report): string {
  const titles = { danger: "Dangerous", caution: "Noticeable" } as const;
  return (["danger", "caution"] as const)
    .map((level) => {
      const own = dangers.filter((danger) => danger.level === level);
      return own.length === 0
        ? ""
        : box(
            level,
            titles[level],
            own.map(({ message }) => inline(message)),
          );
    })
    .join("");
}

function box(level: string, title: string, items: readonly string[]): string {
  const [shown, more] = [items.slice(0, MOST_SHOWN), items.slice(MOST_SHOWN)];
  const rest = more.length === 0 ? "" : folded(`${more.length} more`, list(more), false);
  return `<aside class="${level}"><h2>${title}</h2>${list(shown)}${rest}</aside>\n`;
}

function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${item}</li>`).join("\n")}</ul>`;
}

function tableOf({ title, kind, changes }: ChangeGroup, drift: boolean, open: boolean): string {
  const name =
    kind === undefined
      ? escaped(title)
      : `${escaped(capitalized(nounOf(kind)))} <code>${escaped(title)}</code>`;
  const rows = changes.map((change) => {
    const { sign } = ACTIONS[change.action];
    const word = wordOf(change.action, drift);
    const lines = changeLines(change).map(inline).join("<br>");
    return `<tr><td><span class="tag ${change.action}">${sign} ${word}</span></td><td>${escaped(nounOf(change.kind))}</td>
<td><code>${escaped(change.label)}</code></td><td>${lines}</td></tr>`;
  });
  return folded(
    `${name} <span class="quiet">${summaryOf(changes, drift)}</span>`,
    `<div class="scroll"><table><thead><tr><th></th><th scope="col">kind</th><th scope="col">name</th><th scope="col">change</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>`,
    open,
  );
}

function linesOf({ kind, label, property, lines, added, removed }: TextChange): string {
  const summary = `${escaped(nounOf(kind))} <code>${escaped(label)}</code> <span class="quiet">${escaped(property)}: +${added} −${removed} lines</span>`;
  const classes: Record<DiffLine["sign"], string> = { "+": "create", "-": "delete", " ": "", gap: "quiet" };
  const shown = lines.map(({ sign, text }) =>
    sign === "gap"
      ? `<span class="quiet">⋯</span>`
      : `<span class="${classes[sign]}">${escaped(sign + text)}</span>`,
  );
  const body = shown.length === 0 ? "<p>Only ends of lines differ.</p>" : `<pre>${shown.join("\n")}</pre>`;
  return folded(summary, body, lines.length <= 60);
}

function listsOf({ adopted, released, onlyUnknown, warnings, others }: Report): string {
  const noun = (kind: string) => `${nounOf(kind)} `;
  const lists: readonly (readonly [string, readonly Text[]])[] = [
    [
      "Imported: it exists, and nothing is created",
      adopted.map(({ kind, label, adopts }) => [
        noun(kind),
        { code: label },
        " from ",
        { code: adopts ?? "" },
      ]),
    ],
    [
      "Removed from state: nothing is deleted on the service",
      released.map(({ kind, label }) => [noun(kind), { code: label }]),
    ],
    [
      "Values known only after the deployment",
      onlyUnknown.map(({ kind, label, properties }) => [
        noun(kind),
        { code: label },
        `: ${properties.map(({ name }) => name).join(", ")}`,
      ]),
    ],
    ["Warnings", warnings.map((warning) => [warning])],
    [
      "Steps for resources of other packages, which this report does not describe",
      Object.entries(others).map(([op, count]) => [`${count} ${op}`]),
    ],
  ];
  return lists
    .filter(([, items]) => items.length > 0)
    .map(([title, items]) => section(title, list(items.map(inline))))
    .join("\n");
}

function section(title: string, body: string): string {
  return `<section><h2>${escaped(title)}</h2>\n${body}\n</section>`;
}

function folded(summary: string, body: string, open: boolean): string {
  return `<details${open ? " open" : ""}><summary>${summary}</summary>\n${body}\n</details>`;
}

const STYLE = `
:root { color-scheme: light dark;
  --text: light-dark(#1c2024, #e8eaed); --quiet: light-dark(#5c6670, #9aa4ae); --line: light-dark(#d0d7de, #3a424b);
  --page: light-dark(#ffffff, #15181c); --card: light-dark(#f6f8fa, #1c2025);
  --create: light-dark(#1a7f37, #57c98a); --adopt: light-dark(#0969da, #7cb3f5); --update: light-dark(#8a5a00, #e2b64f);
  --replace: light-dark(#b34700, #f09a5b); --delete: light-dark(#cf222e, #f0867d); --release: var(--quiet); }
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
${(["create", "adopt", "update", "replace", "delete", "release"] as const).map((action) => `.${action} { color: var(--${action}); }`).join(" ")}
details { border: 1px solid var(--line); border-radius: 8px; background: var(--card); margin: .6rem 0; padding: .5rem 1rem; }
summary { cursor: pointer; font-weight: 600; }
table { border-collapse: collapse; width: 100%; margin-top: .5rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem 1rem .35rem 0; border-top: 1px solid var(--line); }
th { border-top: 0; font-size: .8rem; color: var(--quiet); }
td:nth-child(2) { white-space: nowrap; } td:nth-child(4) { min-width: 16rem; }
pre { margin: .5rem 0 0; overflow-x: auto; } .scroll { overflow-x: auto; }
svg { max-width: 100%; height: auto; }
`;
