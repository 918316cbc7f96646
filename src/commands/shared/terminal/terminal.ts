import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";
import { visible, visibleJson } from "../../../shared/messages/foreign-text.js";

export type Emphasis = "bold" | "dim" | "red" | "green" | "yellow";

/** Colors a text if the stream is a terminal. `NO_COLOR` and `FORCE_COLOR` override this. */
export function paint(emphasis: Emphasis, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(emphasis, text, { stream });
}

/** Does the same as {@link visible} for a text of several lines. */
export function visibleLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => visible(line))
    .join("\n");
}

export function stackName({ project, stack }: { readonly project: string; readonly stack: string }): string {
  return visible(`${project}/${stack}`);
}

/** Returns a value as a command prints it for programs. */
export function json(value: unknown): string {
  return `${visibleJson(value)}\n`;
}

/** Writes a result to standard output, on a terminal in the place of the progress. */
export function result(text: string): void {
  clearProgress();
  process.stdout.write(text);
}

/**
 * Writes a line for people to standard error, so that it is not part of the output that programs read.
 *
 * @param lead the line's beginning, in a color
 */
export function note(text: string, lead?: { readonly text: string; readonly emphasis: Emphasis }): void {
  clearProgress();
  const start = lead === undefined ? "" : visible(lead.text);
  const lines = `${start}${start && " "}${visibleLines(text)}`.split("\n");
  // An indented line is a command to copy.
  const shown = lines.map((line) => (line.startsWith(" ") ? line : wrapped(line, process.stderr))).join("\n");
  // Painted last, because `visible` would make the characters of the colors visible.
  const painted = start && paint(lead?.emphasis ?? "bold", start, process.stderr);
  process.stderr.write(`${painted}${shown.slice(start.length)}\n`);
}

/**
 * Returns a text in lines that fit the width of a terminal, or as one line if the stream is not a terminal. A command
 * in backticks stays on one line.
 *
 * @param lead the first line's beginning; later lines are indented by its length
 */
export function wrapped(text: string, stream: NodeJS.WriteStream, lead = ""): string {
  const width = widthOf(stream);
  if (lead.length + text.length <= width) return lead + text;
  const lines = [lead];
  for (const [index, [word]] of [...text.matchAll(/`[^`]*`\S*|\S+/g)].entries()) {
    const line = lines.at(-1) ?? "";
    if (index === 0) lines[0] = line + word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(" ".repeat(lead.length) + word);
  }
  return lines.join("\n");
}

/** Returns how many characters fit on a line; a pipe and a terminal of unknown size have no limit. */
export function widthOf(stream: NodeJS.WriteStream): number {
  return (stream.isTTY && stream.columns) || Number.POSITIVE_INFINITY;
}

/** Shows the progress of a command in one line of standard error, which later calls overwrite. Only on a terminal. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${visible(text, widthOf(process.stderr) - 2)}`);
}

export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
}

/** Asks for confirmation on a terminal. Without a terminal, calling the command is the confirmation. */
export async function agreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return true;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${visible(question)} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

/** Returns rows as columns that are as wide as their contents. Long cells are cut. */
export function columns(rows: readonly (readonly string[])[], longest = 60): string[] {
  const cells = rows.map((row) => row.map((cell) => visible(cell, longest)));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return cells.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
