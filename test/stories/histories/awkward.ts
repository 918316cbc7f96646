import { specials } from "../../support/foreign-text.js";

const half = Math.ceil(specials.length / 2);

/** Text that services and people really send, and that programs stumble over. */
export const awkwardTexts: readonly string[] = [
  // Cutting after 500 UTF-16 units halves the emoji.
  `${"é".repeat(499)}😀 and more`,
  `${"x".repeat(498)}😀😀😀`,
  "half a pair \ud83d in the middle",
  "\udc00 at the start",
  "at the end \ud83d",
  "line one\r\n::add-mask::line two\n##[error]line three",
  "bell \u0007, escape \u001b[31m, null \u0000, separator \u2028",
  "👩‍👩‍👧‍👦".repeat(300),
  "__proto__ constructor toString",
  specials.slice(0, half).join(" "),
  specials.slice(half).join(" "),
];

/** Names that every object has by its prototype, and an argument may have too. */
export const awkwardNames = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"] as const;

export function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) => [name, ...stringsIn(entry)]);
}
