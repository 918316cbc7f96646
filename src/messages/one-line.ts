import { cut } from "./cut.js";
import { withoutLogCommands } from "./log-commands.js";

/**
 * Returns text as a message may contain it: on one line, well-formed, without control and formatting characters
 * and without commands to a CI system.
 * Otherwise a name from the service could look like several messages, or move the cursor of a terminal.
 *
 * @param longest characters after which it is cut off; by default it is not
 */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  return cut(withoutLogCommands(line), longest);
}
