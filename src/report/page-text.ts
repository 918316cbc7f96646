import type { Marked } from "../review/text.js";

/** Returns a sentence of a page, with names emphasized. */
export function inline(sentence: Marked): string {
  return sentence
    .map((part) => {
      if (typeof part === "string") return escaped(part);
      return "code" in part
        ? `<code>${escaped(part.code)}</code>`
        : `<strong>${escaped(part.strong)}</strong>`;
    })
    .join("");
}

/** Text from outside, which is never read as markup. */
export function escaped(text: string): string {
  const visible = text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (one) =>
    one === "\n" || one === "\t" ? one : " ",
  );
  return visible.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
