/**
 * Texts of the service as literals of TypeScript. A reader of the program can read the whole text. No part of it ends
 * the literal, moves a cursor, turns the direction of writing, or disappears in an editor that trims lines.
 */

/** Returns a text in quotes, or between backticks where it has several lines. */
export function textLiteral(text: string): string {
  return text.includes("\n") ? linesLiteral(text) : quotedLiteral(text);
}

export function quotedLiteral(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\"')}"`;
}

function linesLiteral(text: string): string {
  const lines = escaped(text, /\n/)
    .replaceAll("`", "\\`")
    .replaceAll("${", "\\${")
    // Editors take away spaces at the ends of lines.
    .replace(/ (?=\n|$)/g, "\\x20");
  return `\`${lines}\``;
}

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

/**
 * Invisible characters: controls, formats (except the joiners of emoji), separators, half surrogate pairs.
 */
const UNSEEN = /\\|(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Cn}]|(?! )\p{Zs}/gu;

function escaped(text: string, kept?: RegExp): string {
  return text.replace(UNSEEN, (character) => {
    if (kept?.test(character)) return character;
    const short = SHORT[character];
    if (short !== undefined) return short;
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}
