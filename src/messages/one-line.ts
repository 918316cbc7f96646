import { cut } from "./cut.js";

/**
 * Returns text as a message may contain it: on one line, well-formed, without control and formatting characters.
 * Otherwise a name from the service could look like several messages, or move the cursor of a terminal.
 *
 * @param longest characters after which it is cut off; by default it is not
 */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  return cut(text.replace(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim(), longest);
}
