import type { Text } from "../review/text.js";

/** Returns a sentence on a page; names stand out. */
export function inline(sentence: Text): string {
  return sentence
    .map((part) => (typeof part === "string" ? escaped(part) : `<code>${escaped(part.code)}</code>`))
    .join("");
}

/** Text from outside, which is never read as markup. */
export function escaped(text: string): string {
  const visible = text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (one) =>
    one === "\n" || one === "\t" ? one : " ",
  );
  return visible.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
