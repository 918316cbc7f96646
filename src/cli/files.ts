import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

/**
 * Reads a file with JSON in it, or standard input for `-`.
 *
 * @throws with the file's name when it cannot be read or is no JSON
 */
export async function readJson(file: string): Promise<unknown> {
  return parsed(await readText(file), file);
}

/**
 * Reads a file with JSON in it, or with a JSON object on each line, or standard input for `-`.
 *
 * @returns the value; of lines, a list of their values
 * @throws with the file's name when it cannot be read or is neither
 */
export async function readJsonOrLines(file: string): Promise<{ value: unknown } | { lines: unknown[] }> {
  const content = await readText(file);
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  // A value that is laid out on several lines has no closing brace on its first.
  if (lines.length < 2 || !/^\{.*\}\s*$/.test(lines[0] ?? "")) return { value: parsed(content, file) };
  return { lines: lines.map((line) => parsed(line, file)) };
}

/**
 * Reads a text file, or standard input for `-`.
 *
 * @throws with the file's name when it cannot be read
 */
export async function readText(file: string): Promise<string> {
  try {
    const content = file === "-" ? await text(process.stdin) : decoded(await readFile(file));
    return content.replace(/^\ufeff/, "");
  } catch (error) {
    throw new Error(
      `${nameOf(file)} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function parsed(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    // The parser's own message would quote the content, which may be a state with secrets in it.
    throw new Error(`${nameOf(file)} is not JSON.`);
  }
}

function nameOf(file: string): string {
  return file === "-" ? "Standard input" : file;
}

/** PowerShell's `>` writes UTF-16. */
function decoded(bytes: Buffer): string {
  return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString("utf16le") : bytes.toString("utf8");
}

/** Writes what a command made: to a file, or to standard output. */
export async function writeOut(content: string, file: string | undefined): Promise<void> {
  if (file === undefined) process.stdout.write(content);
  else await writeFile(file, content);
}
