import { raw } from "hono/html";
import { ACTIONS } from "../../cli/drawing/actions.js";
import { joined, type Markup, markup, onLines, type Part } from "../../cli/drawing/markup.js";
import { svg } from "../../cli/drawing/svg.js";
import type { DiffLine } from "../../shared/messages/lines.js";
import { counted } from "../../shared/messages/nouns.js";
import type { Consequence } from "../findings/consequences.js";
import type { Report } from "../findings/report.js";
import { plainText, type Text } from "../plan/text.js";
import { STYLE } from "./html-style.js";
import { aboutOf, EFFECTS, todoOf } from "./markdown.js";

/** Up to so many rows, the table is not folded. */
const OPEN_ROWS = 60;
/** Up to so many items of an alert are not folded; the worst come first. */
const MOST_SHOWN = 15;

/** Returns a report as one page, light or dark by the reader's setting, without scripts or external parts. */
export function html(report: Report): string {
  const { headline, stack, verdict, summary, notices, consequences, diffs, lists, drawing, notes } = report;
  const sums = summary.flatMap(({ text, action }) =>
    action === undefined ? [] : markup`<span class="tag ${action}">${ACTIONS[action].sign} ${text}</span>`,
  );
  const of = (level: Consequence["level"]) => consequences.filter((one) => one.level === level);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${`${plainText(headline)}${stack === "" ? "" : ` (${stack})`}`}</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
<header>
<h1 class="verdict ${verdict.level}">${inline(headline)}</h1>
<p class="counts">${joined([...(stack === "" ? [] : [markup`<code>${stack}</code>`]), ...sums, markup`<small class="quiet">${aboutOf(report).join(" · ")}</small>`], " ")}</p>
</header>
<main>
${onLines([
  ...notices.map(({ level, title, items }) =>
    alert(
      level,
      title,
      items.map(({ message, details = [], code }) => listItem(inline(message), details, code)),
    ),
  ),
  ...(["danger", "caution"] as const).map((level) =>
    alert(
      level,
      "",
      of(level).map((one) => consequence(one, report)),
    ),
  ),
  table(report),
  ...diffs.map(({ title, sum, lines: all }) =>
    folded(markup`${inline(title)} <span class="quiet">${sum}</span>`, diff(title, all), all.length <= 60),
  ),
  ...lists.map(
    ({ title, items }) =>
      markup`<h2>${title}</h2>\n<ul>${onLines(items.map((item) => listItem(inline(item))))}</ul>`,
  ),
  ...(drawing === undefined
    ? []
    : [
        folded(
          "Drawing",
          markup`<div class="wide">${region("Drawing", raw(svg(drawing)))}</div>
<div class="narrow">${raw(svg(drawing, true))}</div>`,
          false,
        ),
      ]),
  markup`<p class="quiet">${joined(notes.map(linked), " ")}</p>`,
])}
</main>
</body>
</html>
`.toString();
}

/** These sentences have no text from outside but names, which are marked. */
function linked(note: Text): Part[] {
  return note.flatMap((part) =>
    typeof part !== "string"
      ? inline([part])
      : part
          .split(/(https:\/\/[\w./-]+)/)
          .map((text, index) => (index % 2 === 1 ? markup`<a href="${text}">${text}</a>` : text)),
  );
}

function alert(level: Consequence["level"], title: string, items: readonly Markup[]): Markup | false {
  if (items.length === 0) return false;
  const [shown, more] = [items.slice(0, MOST_SHOWN), items.slice(MOST_SHOWN)];
  const folds = more.length > 0 && folded(`${more.length} more`, markup`<ul>${onLines(more)}</ul>`, false);
  const heading = title !== "" && markup`<h2>${title}</h2>`;
  return markup`<section class="alert ${level}">${heading}<ul>${onLines(shown)}</ul>${folds}</section>`;
}

function listItem(text: Part, details: readonly Text[] = [], code?: string): Markup {
  const more = details.map((one) => markup`<li>${inline(one)}</li>`);
  const lines = code !== undefined && markup`<pre>${code}</pre>`;
  return markup`<li>${text}${lines}${more.length > 0 && markup`<ul>${onLines(more)}</ul>`}</li>`;
}

function consequence({ effect, message, details, todo, of }: Consequence, report: Report): Markup {
  const row = report.rows.findIndex((one) => one.of.some((urn) => of.includes(urn)));
  // The first name in a sentence is the object's.
  const name = message.findIndex((part) => typeof part === "object" && "code" in part);
  const text = message.map((part, index) =>
    row >= 0 && index === name ? markup`<a href="#change-${row + 1}">${inline([part])}</a>` : inline([part]),
  );
  const next: Text[] = todo === undefined ? [] : [[{ strong: todoOf(report) }, " ", ...todo]];
  return listItem(markup`<strong>${EFFECTS[effect]}:</strong> ${text}`, [...next, ...details]);
}

function table({ rows }: Report): Markup | false {
  if (rows.length === 0) return false;
  const hasPlaces = rows.some(({ place }) => place.length > 0);
  const hasLines = rows.some(({ lines }) => lines.length > 0);
  const columns = ["action", "what", ...(hasPlaces ? ["in"] : []), ...(hasLines ? ["change"] : [])];
  const body = rows.map(({ action, tag, what, all, place, lines, level }, index) => {
    const names = all && folded("All", markup`${inline(all)}`, false);
    const cells = [
      markup`<span class="tag ${action}">${tag}</span>`,
      markup`${inline(what)}${names}`,
      ...(hasPlaces ? [place.length > 0 && markup`<span class="narrow">in </span>${inline(place)}`] : []),
      ...(hasLines ? [joined(lines.map(inline), markup`<br>`)] : []),
    ];
    return markup`<tr id="change-${index + 1}"${level && markup` class="${level}"`}>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>`;
  });
  const size = rows.reduce((sum, { of }) => sum + of.length, 0);
  const text = markup`<table><thead><tr>${columns.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${onLines(body)}</tbody></table>`;
  return folded(counted(size, "change"), region("Changes", text), rows.length <= OPEN_ROWS);
}

function diff(title: Text, all: readonly DiffLine[]): Markup {
  const classes: Record<DiffLine["sign"], string> = { "+": "create", "-": "delete", " ": "", gap: "quiet" };
  const shown = all.map(
    ({ sign, text }) => markup`<span class="${classes[sign]}">${sign === "gap" ? "⋯" : sign + text}</span>`,
  );
  return shown.length === 0
    ? markup`<p>No line to show.</p>`
    : region(plainText(title), markup`<pre>${onLines(shown)}</pre>`);
}

/** What is wider than the window is scrolled, with the keyboard too. */
function region(name: string, body: Markup): Markup {
  return markup`<div class="scroll" role="region" aria-label="${name}" tabindex="0">${body}</div>`;
}

function folded(summary: Part, body: Markup, open: boolean): Markup {
  return markup`<details${open && markup` open`}><summary>${summary}</summary>\n${body}\n</details>`;
}

function inline(sentence: Text): Part[] {
  return sentence.map((part) => {
    if (typeof part === "string") return part;
    return "code" in part ? markup`<code>${part.code}</code>` : markup`<strong>${part.strong}</strong>`;
  });
}
