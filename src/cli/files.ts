import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

/**
 * Reads a file with JSON in it, or standard input for `-`.
 *
 * @throws with the file's name when it cannot be read or is no JSON
 */
export async function readJson(file: string): Promise<unknown> {
  const name = file === "-" ? "Standard input" : file;
  let content: string;
  try {
    content = file === "-" ? await text(process.stdin) : decoded(await readFile(file));
  } catch (error) {
    throw new Error(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return JSON.parse(content.replace(/^\ufeff/, ""));
  } catch {
    // The parser's own message would quote the content, which may be a state with secrets in it.
    throw new Error(`${name} is not JSON.`);
  }
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
