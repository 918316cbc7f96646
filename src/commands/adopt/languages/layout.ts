/**
 * Returns a text between double quotes, as TypeScript, Python, Go and YAML read it. A reader of the program sees the
 * whole text: no part of it ends the literal, moves a cursor, turns the direction of writing, or disappears in an editor
 * that trims lines. Half surrogate pairs become U+FFFD, as they do on the way to the engine.
 *
 * @param long escapes a code of more than four hexadecimal digits
 */
export function quoted(text: string, long = (code: string) => `\\U${code.padStart(8, "0")}`): string {
  const escaped = text.toWellFormed().replace(UNSEEN, (character) => {
    const short = SHORT[character];
    if (short !== undefined) return short;
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? long(code) : `\\u${code.padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}

const SHORT: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\\": "\\\\",
  '"': '\\"',
};

/** Quotes, backslashes, and invisible characters: controls, formats (except the joiners of emoji) and separators. */
const UNSEEN = /["\\]|(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]|(?! )\p{Zs}/gu;

/** Returns parts between brackets: on one line if it fits, otherwise on a line each. */
export function bracketed(
  open: string,
  parts: readonly string[],
  close: string,
  { indent = "", step = "  ", width = 80, pad = "" } = {},
): string {
  const line = `${open}${pad}${parts.join(", ")}${pad}${close}`;
  if (indent.length + line.length <= width && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `${indent}${step}${part},\n`).join("")}${indent}${close}`;
}

/** Returns parts between brackets: on one short line, otherwise as many in each line as fit. */
export function filled(
  open: string,
  parts: readonly string[],
  close: string,
  { indent = "", step = "  ", pad = "" } = {},
): string {
  const line = `${open}${pad}${parts.join(", ")}${pad}${close}`;
  if (line.length <= 50) return line;
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length <= 106) lines[lines.length - 1] = `${last} ${part},`;
    else lines.push(`${indent}${step}${part},`);
  }
  return `${open}\n${lines.join("\n")}\n${indent}${close}`;
}
