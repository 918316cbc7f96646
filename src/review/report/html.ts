import { raw } from "hono/html";
import { ACTIONS } from "../../cli/drawing/actions.js";
import { joined, type Markup, markup, onLines, type Part } from "../../cli/drawing/markup.js";
import { svg } from "../../cli/drawing/svg.js";
import type { DiffLine } from "../../shared/messages/lines.js";
import { type Marked, plainText, type Text } from "../plan/text.js";
import { pageOf } from "./blocks.js";
import { STYLE } from "./html-style.js";
import type { Block, BlockOf, Item, Row } from "./page.js";
import type { Report } from "./report.js";

/** Up to so many rows, tables are not folded. */
const OPEN_ROWS = 60;
/** Up to so many items of an alert are not folded; the worst come first. */
const MOST_SHOWN = 15;

/** Returns a report as one page, light or dark by the reader's setting, without scripts or external parts. */
export function html(report: Report): string {
  const { title, stack, verdict, about, summary, explanation, blocks, size } = pageOf(report);
  const [first, ...others] = verdict.parts;
  const sums = summary.flatMap(({ text, action }) =>
    action === undefined ? [] : markup`<span class="tag ${action}">${ACTIONS[action].sign} ${text}</span>`,
  );
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${`${title} of ${stack}: ${verdict.parts.join(" · ")}`}</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
<header>
<h1>${title}${stack !== "" && markup` of <code>${stack}</code>`}</h1>
<p class="verdict ${verdict.level}"><span>${joined([markup`<strong>${first}</strong>`, ...others], " · ")}</span><small>${about.join(" · ")}</small></p>
${sums.length > 0 && markup`<p class="counts">${joined(sums, " ")}${explanation}</p>`}
</header>
<main>
${onLines(blocks.map((block) => written(block, size <= OPEN_ROWS)))}
</main>
</body>
</html>
`.toString();
}

function written(block: Block, open: boolean): Markup {
  switch (block.type) {
    case "section":
      return markup`<h2>${block.title}</h2>`;
    case "paragraph": {
      const { tone, text } = block;
      const classes = { plain: "", strong: markup` class="busy"`, quiet: markup` class="quiet"` };
      // These sentences have no text from outside but names, which are marked.
      return markup`<p${classes[tone]}>${text.map((part) => (typeof part === "string" ? linked(part) : inline([part])))}</p>`;
    }
    case "alert":
      return alert(block);
    case "table":
      return table(block, open);
    case "diff":
      return folded(quietly(block.title, block.sum), lines(block), block.lines.length <= 60);
    case "list":
      return markup`<h2>${block.title}</h2>\n${list(block.items.map((message) => ({ message })))}`;
    case "drawing": {
      const drawn = markup`<div class="wide">${region("Drawing", raw(svg(block.drawing)))}</div>
<div class="narrow">${raw(svg(block.drawing, true))}</div>`;
      const { count, omitted } = block.unchanged;
      if (omitted.length === 0) return markup`<h2>Drawing</h2>\n${drawn}`;
      const body = markup`${drawn}\n<p>Unchanged: ${inline(omitted)}.</p>`;
      return folded(`Drawing, and ${count} unchanged`, body, false);
    }
  }
}

function linked(text: string): Part[] {
  return text
    .split(/(https:\/\/[\w./-]+)/)
    .map((part, index) => (index % 2 === 1 ? markup`<a href="${part}">${part}</a>` : part));
}

const LEVELS = { danger: "Dangerous", caution: "Noticeable" } as const;

function alert({ level, title, rest, items }: BlockOf<"alert">): Markup {
  const [shown, more] = [items.slice(0, MOST_SHOWN), items.slice(MOST_SHOWN)];
  const folds = more.length > 0 && folded(`${more.length} more`, list(more), false);
  const name = title === "" ? LEVELS[level] : title;
  return markup`<section class="alert ${level}"><h2>${name}${rest}</h2>${list(shown)}${folds}</section>`;
}

function list(items: readonly Item[]): Markup {
  const written = items.map(({ message, details = [], anchor }) => {
    // The first name in a sentence is the object's.
    const name = message.findIndex((part) => typeof part === "object" && "code" in part);
    const text = message.map((part, index) => {
      const own = inline([part]);
      return anchor !== undefined && index === name ? markup`<a href="#${anchor}">${own}</a>` : own;
    });
    const more = details.map((one) => markup`<li>${inline(one)}</li>`);
    return markup`<li>${text}${more.length > 0 && markup`<ul>${onLines(more)}</ul>`}</li>`;
  });
  return markup`<ul>${onLines(written)}</ul>`;
}

function table({ title, sum, dangers, rows }: BlockOf<"table">, open: boolean): Markup {
  // Nothing changes in what is only deleted.
  const hasLines = rows.some(({ lines }) => lines.length > 0);
  const columns = ["action", "kind", "name", ...(hasLines ? ["change"] : [])];
  const mark = dangers > 0 && markup` <span class="mark">${dangers} dangerous</span>`;
  const body = markup`<table><thead><tr>${columns.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${onLines(rows.map((one) => row(one, hasLines)))}</tbody></table>`;
  return folded(markup`${quietly(title, sum)}${mark}`, region(plainText(title), body), open);
}

function row({ tag, kind, name, lines, anchor, level }: Row, hasLines: boolean): Markup {
  const cells = [
    markup`<span class="tag ${tag.action}">${tag.text}</span>`,
    kind,
    inline(name),
    ...(hasLines ? [joined(lines.map(inline), markup`<br>`)] : []),
  ];
  return markup`<tr id="${anchor}"${level && markup` class="${level}"`}>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>`;
}

function lines({ title, lines: all }: BlockOf<"diff">): Markup {
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

function quietly(title: Text, sum = ""): Markup {
  return markup`${inline(title)} <span class="quiet">${sum}</span>`;
}

function folded(summary: Part, body: Markup, open: boolean): Markup {
  return markup`<details${open && markup` open`}><summary>${summary}</summary>\n${body}\n</details>`;
}

function inline(sentence: Marked): Part[] {
  return sentence.map((part) => {
    if (typeof part === "string") return part;
    return "code" in part ? markup`<code>${part.code}</code>` : markup`<strong>${part.strong}</strong>`;
  });
}
