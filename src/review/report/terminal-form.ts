import { type Emphasis, paint, wrapped } from "../../cli/terminal/terminal.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { type Marked, plainText } from "../plan/text.js";
import { pageOf } from "./blocks.js";
import { MARKS } from "./markdown.js";
import type { Block } from "./page.js";
import type { Report } from "./report.js";

const COLORS = { danger: "red", caution: "yellow", clear: "green", open: "dim" } as const;
const TITLES = { danger: "Dangerous", caution: "Noticeable" } as const;

/** Returns a report for people at a terminal: in colors, as wide as the terminal, and without a drawing. */
export function terminalForm(report: Report, stream: NodeJS.WriteStream): string {
  const { title, stack, verdict, summary, explanation, about, blocks } = pageOf(report);
  const line = (text: string, lead = "", emphasis?: Emphasis) => {
    const [first = "", ...others] = wrapped(visible(text), stream, lead).split("\n");
    return [first, ...others].map((one) => (emphasis ? paint(emphasis, one, stream) : one)).join("\n");
  };
  const sums = summary.filter(({ action }) => action !== undefined).map(({ text }) => text);
  const head = [
    line(`${title}${stack === "" ? "" : ` of ${stack}`}`, "", "bold"),
    line(`${MARKS[verdict.level]} ${verdict.parts.join(" · ")}`, "", COLORS[verdict.level]),
    ...(sums.length > 0 ? [line(`${sums.join(", ")}.${explanation}`)] : []),
    ...(about.length > 0 ? [line(about.join(" · "), "", "dim")] : []),
  ];
  const text = (sentence: Marked, lead?: string, emphasis?: Emphasis) =>
    line(plainText(sentence), lead, emphasis);
  const linesOf = (block: Block): string[] => {
    switch (block.type) {
      case "section":
        return [line(block.title, "", "bold")];
      case "paragraph":
        return [
          text(block.text, "", ({ plain: undefined, strong: "bold", quiet: "dim" } as const)[block.tone]),
        ];
      case "alert": {
        const title = `${block.title === "" ? TITLES[block.level] : block.title}${block.rest}`;
        return [
          line(title, "", COLORS[block.level]),
          ...block.items.flatMap((item) => [
            text(item.message, "  • "),
            ...(item.details ?? []).map((detail) => text(detail, "      ")),
          ]),
        ];
      }
      case "table":
        return [
          text([...block.title, `: ${block.sum}`], "", "bold"),
          ...block.rows.flatMap(({ tag, kind, name, lines, level }) => [
            text([`${tag.text} ${kind} `, ...name], "  ", level && COLORS[level]),
            ...lines.map((one) => text(one, "      ")),
          ]),
        ];
      case "diff":
        return [
          text([...block.title, ` ${block.sum}`], "", "bold"),
          ...block.lines.map(({ sign, text }) => {
            const shown = sign === "gap" ? "⋯" : `${sign}${text}`;
            const emphasis = sign === "+" ? "green" : sign === "-" ? "red" : undefined;
            // Wrapping would lose the indentation of the text.
            return emphasis ? paint(emphasis, `  ${visible(shown)}`, stream) : `  ${visible(shown)}`;
          }),
        ];
      case "list":
        return [line(block.title, "", "bold"), ...block.items.map((item) => text(item, "  • "))];
      case "drawing":
        return block.unchanged.count === 0 ? [] : [line(`${block.unchanged.count} unchanged`, "", "dim")];
    }
  };
  const parts = [head, ...blocks.map(linesOf)].map((lines) => lines.join("\n"));
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
