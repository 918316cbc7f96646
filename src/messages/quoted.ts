import { cut } from "./cut.js";
import { describeType } from "./issue.js";
import { withoutLogCommands } from "./log-commands.js";

const LONGEST = 120;

/** Returns a value as a program would write it: on one line, short, and without invisible characters. */
export function quoted(value: unknown): string {
  const text = (written(value) ?? describeType(value)).replace(
    /[^\P{C}\u200d]|[\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return cut(withoutLogCommands(text), LONGEST);
}

function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Circular, or a number that JSON does not have.
    return undefined;
  }
}
