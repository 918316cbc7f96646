import { structuredPatch } from "diff";
import { cut } from "./cut.js";
import { withoutLogCommands } from "./log-commands.js";

/** One line of a comparison; `gap` stands for unchanged lines that are left out. */
export interface DiffLine {
  readonly sign: "+" | "-" | " " | "gap";
  readonly text: string;
}

const CONTEXT = 3;
const LONGEST_LINE = 240;

/**
 * Returns the lines in which two texts differ, with some context. Ends of lines and of the text do not count.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const tidy = (text: string) => `${text.replaceAll(/\r\n?/g, "\n").replace(/\n+$/, "")}\n`;
  const { hunks } = structuredPatch("", "", tidy(before), tidy(after), "", "", { context: CONTEXT });
  return hunks.flatMap(({ lines }, index) => [
    ...(index > 0 ? [{ sign: "gap" as const, text: "" }] : []),
    ...lines.map((line): DiffLine => {
      const sign = line.startsWith("+") ? "+" : line.startsWith("-") ? "-" : " ";
      return { sign, text: shown(line.slice(1)) };
    }),
  ]);
}

/** How many lines are new, and how many are gone. */
export function countsOf(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  const count = (sign: DiffLine["sign"]) => lines.filter((line) => line.sign === sign).length;
  return { added: count("+"), removed: count("-") };
}

/** Returns a line without anything that a page, a terminal or a CI system would obey. Tabs stay. */
function shown(line: string): string {
  const visible = line.replace(
    /[^\P{C}\t\u200d]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return cut(withoutLogCommands(visible), LONGEST_LINE);
}
