/**
 * Text as it may stand in a message: on one line, without control and formatting characters. Otherwise a name that the
 * service tells could look like several messages, or move the cursor of a terminal.
 *
 * @param longest characters after which it is cut off; by default it is not
 */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
