import { visible } from "./foreign-text.js";

const LONGEST = 120;

/** Returns a value as a program would write it: on one line, short, and without invisible characters. */
export function quoted(value: unknown): string {
  let written: string | undefined;
  try {
    // JSON has null for NaN and the infinities.
    written = typeof value === "number" ? String(value) : JSON.stringify(value);
  } catch {
    // Circular, or a bigint.
  }
  return visible(written ?? describeType(value), LONGEST);
}

/** Returns a text as one word of a command to copy, quoted where a POSIX shell would read more than text into it. */
export function shellWord(text: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./^-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns a path as one word of a command to copy. No command takes it for an option. */
export function shellPath(path: string): string {
  return shellWord(path.startsWith("-") ? `./${path}` : path);
}

/** Returns a value by its type, never quoted: it may be secret. */
export function describeType(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (value === "") return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}
