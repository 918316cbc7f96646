import { markup } from "../../shared/messages/foreign-text.js";
import type { DiffLine } from "../../shared/messages/lines.js";
import { ACTIONS } from "../shared/drawing/actions.js";
import { svg } from "../shared/drawing/svg.js";
import { type Marked, plainText, type Text } from "../shared/plan/text.js";
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
  const [first = "", ...others] = verdict.parts.map(markup);
  const sums = summary.flatMap(({ text, action }) =>
    action === undefined ? [] : [`<span class="tag ${action}">${ACTIONS[action].sign} ${text}</span>`],
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${markup(`${title} of ${stack}: ${verdict.parts.join(" · ")}`)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${title}${stack === "" ? "" : ` of <code>${markup(stack)}</code>`}</h1>
<p class="verdict ${verdict.level}"><span>${[`<strong>${first}</strong>`, ...others].join(" · ")}</span><small>${about.map(markup).join(" · ")}</small></p>
${sums.length === 0 ? "" : `<p class="counts">${sums.join(" ")}${explanation}</p>`}
</header>
<main>
${blocks.map((block) => written(block, size <= OPEN_ROWS)).join("\n")}
</main>
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
      const classes = { plain: "", strong: ' class="busy"', quiet: ' class="quiet"' };
      // These sentences have no text from outside but names, which are marked.
      const linked = inline(text).replace(/https:\/\/[\w./-]+/g, (url) => `<a href="${url}">${url}</a>`);
      return `<p${classes[tone]}>${linked}</p>`;
    }
    case "alert":
      return alert(block);
    case "table":
      return table(block, open);
    case "diff":
      return folded(quietly(block.title, block.sum), lines(block), block.lines.length <= 60);
    case "list":
      return `<h2>${markup(block.title)}</h2>\n${list(block.items.map((message) => ({ message })))}`;
    case "drawing": {
      const drawn = `<div class="wide">${region("Drawing", svg(block.drawing))}</div>
<div class="narrow">${svg(block.drawing, true)}</div>`;
      const { count, omitted } = block.unchanged;
      if (omitted.length === 0) return `<h2>Drawing</h2>\n${drawn}`;
      const body = `${drawn}\n<p>Unchanged: ${inline(omitted)}.</p>`;
      return folded(`Drawing, and ${count} unchanged`, body, false);
    }
  }
}

const LEVELS = { danger: "Dangerous", caution: "Noticeable" } as const;

function alert({ level, title, rest, items }: BlockOf<"alert">): string {
  const [shown, more] = [items.slice(0, MOST_SHOWN), items.slice(MOST_SHOWN)];
  const folds = more.length === 0 ? "" : folded(`${more.length} more`, list(more), false);
  const name = title === "" ? LEVELS[level] : title;
  return `<section class="alert ${level}"><h2>${name}${rest}</h2>${list(shown)}${folds}</section>`;
}

function list(items: readonly Item[]): string {
  const written = items.map(({ message, details = [], anchor }) => {
    // The first name in a sentence is the object's.
    const linked = inline(message).replace(/<code>.*?<\/code>/s, (name) =>
      anchor === undefined ? name : `<a href="#${anchor}">${name}</a>`,
    );
    const more =
      details.length === 0 ? "" : `<ul>${details.map((one) => `<li>${inline(one)}</li>`).join("\n")}</ul>`;
    return `<li>${linked}${more}</li>`;
  });
  return `<ul>${written.join("\n")}</ul>`;
}

function table({ title, sum, dangers, rows }: BlockOf<"table">, open: boolean): string {
  // Nothing changes in what is only deleted.
  const hasLines = rows.some(({ lines }) => lines.length > 0);
  const columns = ["action", "kind", "name", ...(hasLines ? ["change"] : [])];
  const mark = dangers > 0 ? ` <span class="mark">${dangers} dangerous</span>` : "";
  const body = `<table><thead><tr>${columns.map((name) => `<th scope="col">${name}</th>`).join("")}</tr></thead>
<tbody>${rows.map((one) => row(one, hasLines)).join("\n")}</tbody></table>`;
  return folded(`${quietly(title, sum)}${mark}`, region(plainText(title), body), open);
}

function row({ tag, kind, name, lines, anchor, level }: Row, hasLines: boolean): string {
  const cells = [
    `<span class="tag ${tag.action}">${tag.text}</span>`,
    markup(kind),
    inline(name),
    ...(hasLines ? [lines.map(inline).join("<br>")] : []),
  ];
  return `<tr id="${anchor}"${level ? ` class="${level}"` : ""}>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

function lines({ title, lines: all }: BlockOf<"diff">): string {
  const classes: Record<DiffLine["sign"], string> = { "+": "create", "-": "delete", " ": "", gap: "quiet" };
  const shown = all.map(
    ({ sign, text }) => `<span class="${classes[sign]}">${sign === "gap" ? "⋯" : markup(sign + text)}</span>`,
  );
  return shown.length === 0
    ? "<p>No line to show.</p>"
    : region(plainText(title), `<pre>${shown.join("\n")}</pre>`);
}

/** What is wider than the window is scrolled, with the keyboard too. */
function region(name: string, body: string): string {
  return `<div class="scroll" role="region" aria-label="${markup(name)}" tabindex="0">${body}</div>`;
}

function quietly(title: Text, sum = ""): string {
  return `${inline(title)} <span class="quiet">${markup(sum)}</span>`;
}

function folded(summary: string, body: string, open: boolean): string {
  return `<details${open ? " open" : ""}><summary>${summary}</summary>\n${body}\n</details>`;
}

function inline(sentence: Marked): string {
  return sentence
    .map((part) => {
      if (typeof part === "string") return markup(part);
      return "code" in part ? `<code>${markup(part.code)}</code>` : `<strong>${markup(part.strong)}</strong>`;
    })
    .join("");
}
