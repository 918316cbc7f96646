import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";
import stringWidth from "string-width";
import { visible, visibleJson } from "../../shared/messages/foreign-text.js";

export type Emphasis = "bold" | "dim" | "red" | "green" | "yellow";

/** Colors a text if the stream is a terminal. `NO_COLOR` and `FORCE_COLOR` override this. */
export function paint(emphasis: Emphasis, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(emphasis, text, { stream });
}

export function visibleLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => visible(line))
    .join("\n");
}

export function stackName({ project, stack }: { readonly project: string; readonly stack: string }): string {
  return visible(stack === "" ? project : `${project}/${stack}`);
}

/** A local installation puts nothing on the `PATH`, so its users call the command by npx, with the name of the package. */
export const IS_LOCAL = /[\\/]node_modules[\\/]\.bin[\\/](?:pulumi-)?buildpipeline$/.test(
  process.argv[1] ?? "",
);

/** Returns a text with the commands of this package as the user calls them. */
export function asCalled(text: string): string {
  return IS_LOCAL ? text.replace(/(?<![\w:-])buildpipeline (?=[a-z<[])/g, "npx pulumi-buildpipeline ") : text;
}

export function json(value: unknown): string {
  return `${visibleJson(value)}\n`;
}

export function result(text: string): void {
  clearProgress();
  process.stdout.write(text);
}

/** Writes a line for people to standard error, so that it is not part of the output that programs read. */
export function note(text: string, lead?: { readonly text: string; readonly emphasis: Emphasis }): void {
  clearProgress();
  const start = lead === undefined ? "" : visible(lead.text);
  const lines = `${start}${start && " "}${visibleLines(asCalled(text))}`.split("\n");
  // An indented line is a command to copy.
  const shown = lines.map((line) => (line.startsWith(" ") ? line : wrapped(line, process.stderr))).join("\n");
  // Painted last, because `visible` would make the characters of the colors visible.
  const painted = start && paint(lead?.emphasis ?? "bold", start, process.stderr);
  process.stderr.write(`${painted}${shown.slice(start.length)}\n`);
}

/** Breaks a text into lines, but no command in backticks. Lines after the first are indented by the width of `lead`. */
export function wrapped(text: string, stream: NodeJS.WriteStream, lead = ""): string {
  const width = widthOf(stream);
  if (stringWidth(lead + text) <= width) return lead + text;
  const lines = [lead];
  for (const [index, [word]] of [...text.matchAll(/`[^`]*`\S*|\S+/g)].entries()) {
    const line = lines.at(-1) ?? "";
    if (index === 0) lines[0] = line + word;
    else if (stringWidth(`${line} ${word}`) <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(" ".repeat(stringWidth(lead)) + word);
  }
  return lines.join("\n");
}

/** A pipe and a terminal of unknown size have no limit. */
export function widthOf(stream: NodeJS.WriteStream): number {
  return (stream.isTTY && stream.columns) || Number.POSITIVE_INFINITY;
}

/** Shows the progress of a command in one line of standard error, which later calls overwrite. Only on a terminal. */
export function progress(text: string): void {
  if (!process.stderr.isTTY) return;
  const width = widthOf(process.stderr) - 1;
  let shown = visible(text);
  for (let longest = width; longest > 0 && stringWidth(shown) > width; longest--)
    shown = visible(text, longest - 1);
  process.stderr.write(`\r\u001b[K${shown}`);
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

/** Long cells are cut. */
export function columns(rows: readonly (readonly string[])[], longest = 60): string[] {
  const cells = rows.map((row) => row.map((cell) => visible(cell, longest)));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, stringWidth(cell));
  }
  return cells.map((row) =>
    row
      .map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - stringWidth(cell)))
      .join("  ")
      .trimEnd(),
  );
}
