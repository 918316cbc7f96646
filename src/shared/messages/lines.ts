import { structuredPatch } from "diff";
import { visible } from "./foreign-text.js";

/** One line of a comparison; `gap` stands for unchanged lines that are left out. */
export interface DiffLine {
  readonly sign: "+" | "-" | " " | "gap";
  readonly text: string;
}

const CONTEXT = 3;
const LONGEST_LINE = 240;
/** Texts with more different lines than this are compared by counts only, because the work grows with their square. */
const MOST_CHANGES = 2_000;

export interface LineDiff {
  /** The different lines, with some context; none if there are too many to compare. */
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

/** Compares two texts line by line. Ends of lines and of the text do not count. */
export function lineDiff(before: string, after: string): LineDiff {
  const tidy = (text: string) =>
    text === "" ? "" : `${text.replaceAll(/\r\n?/g, "\n").replace(/\n+$/, "")}\n`;
  const [old, next] = [tidy(before), tidy(after)];
  const options = { context: CONTEXT, maxEditLength: MOST_CHANGES };
  const patch = structuredPatch("", "", old, next, "", "", options);
  if (patch === undefined) return { lines: [], ...countsOf(old, next) };
  const lines = patch.hunks.flatMap((hunk, index) => [
    ...(index > 0 ? [{ sign: "gap" as const, text: "" }] : []),
    ...hunk.lines.map((line): DiffLine => {
      const sign = line.startsWith("+") ? "+" : line.startsWith("-") ? "-" : " ";
      return { sign, text: visible(line.slice(1), LONGEST_LINE) };
    }),
  ]);
  const count = (wanted: DiffLine["sign"]) => lines.filter(({ sign }) => sign === wanted).length;
  return { lines, added: count("+"), removed: count("-") };
}

/** Counts the lines that only one of two texts has, wherever they stand. */
function countsOf(before: string, after: string): Pick<LineDiff, "added" | "removed"> {
  const balance = new Map<string, number>();
  for (const line of after.split("\n")) balance.set(line, (balance.get(line) ?? 0) + 1);
  for (const line of before.split("\n")) balance.set(line, (balance.get(line) ?? 0) - 1);
  const sum = (sign: 1 | -1) =>
    [...balance.values()].reduce((total, count) => total + Math.max(0, sign * count), 0);
  return { added: sum(1), removed: sum(-1) };
}
