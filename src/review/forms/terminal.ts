import { type Emphasis, paint, wrapped } from "../../cli/terminal/terminal.js";
import { visible } from "../../shared/messages/foreign-text.js";
import type { Report } from "../findings/report.js";
import { plainText, type Text } from "../plan/text.js";
import { aboutOf, EFFECTS, MARKS, todoOf } from "./markdown.js";

const COLORS = { danger: "red", caution: "yellow", clear: "green", open: "dim" } as const;

/** Returns a report for people at a terminal: in colors, as wide as the terminal, and without a drawing. */
export function terminalForm(report: Report, stream: NodeJS.WriteStream): string {
  const { headline, stack, verdict, summary, notices, consequences, rows, diffs, lists, notes } = report;
  const line = (text: string, lead = "", emphasis?: Emphasis) => {
    const [first = "", ...others] = wrapped(visible(text), stream, lead).split("\n");
    return [first, ...others].map((one) => (emphasis ? paint(emphasis, one, stream) : one)).join("\n");
  };
  const text = (sentence: Text, lead?: string, emphasis?: Emphasis) =>
    line(plainText(sentence), lead, emphasis);
  // Wrapping would lose the indentation of such a text.
  const asItIs = (lines: string, emphasis?: Emphasis) =>
    lines
      .split("\n")
      .map((one) => (emphasis ? paint(emphasis, `  ${visible(one)}`, stream) : `  ${visible(one)}`));
  const sections = [
    [
      text(headline, `${MARKS[verdict.level]} `, COLORS[verdict.level]),
      line(
        [stack, ...summary.flatMap(({ action, text }) => (action ? text : [])), ...aboutOf(report)]
          .filter(Boolean)
          .join(" · "),
        "",
        "dim",
      ),
    ],
    ...notices.map(({ level, title, items }) => [
      line(title, "", COLORS[level]),
      ...items.flatMap(({ message, details = [], code }) => [
        text(message, "  • "),
        ...details.map((detail) => text(detail, "      ")),
        ...(code === undefined ? [] : asItIs(code)),
      ]),
    ]),
    consequences.flatMap(({ level, effect, message, todo, details }) => [
      // A wall of one color would hide the words.
      text([`${EFFECTS[effect]}: `, ...message], "  • ").replace(`${EFFECTS[effect]}:`, (lead) =>
        paint(COLORS[level], lead, stream),
      ),
      ...(todo === undefined ? [] : [text([`${todoOf(report)} `, ...todo], "      ", "bold")]),
      ...details.map((detail) => text(detail, "      ")),
    ]),
    rows.flatMap(({ tag, what, place, lines, level }) => [
      text(
        [`${tag} `, ...what, ...(place.length === 0 ? [] : [" in ", ...place])],
        "  ",
        level && COLORS[level],
      ),
      ...lines.map((one) => text(one, "      ")),
    ]),
    ...diffs.map(({ title, sum, lines }) => [
      text([...title, ` ${sum}`], "", "bold"),
      ...lines.flatMap(({ sign, text }) =>
        asItIs(
          sign === "gap" ? "⋯" : `${sign}${text}`,
          sign === "+" ? "green" : sign === "-" ? "red" : undefined,
        ),
      ),
    ]),
    ...lists.map(({ title, items }) => [line(title, "", "bold"), ...items.map((item) => text(item, "  • "))]),
    notes.map((note) => text(note, "", "dim")),
  ];
  return `${sections
    .map((lines) => lines.join("\n"))
    .filter(Boolean)
    .join("\n\n")}\n`;
}
