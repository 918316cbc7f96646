/** Returns well-formed text, cut after so many characters. A character is never cut in half. */
export function cut(text: string, longest: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= longest) return whole;
  // No character has more than two units, so this holds all that can stay.
  const characters = [...whole.slice(0, 2 * longest + 2)];
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : whole;
}

/**
 * Returns text that a CI system prints and doesn't obey. GitHub takes a line that begins with `::name::` in a log as a
 * command; GitHub, Azure Pipelines and TeamCity take `##[…`, `##vso[…` and `##teamcity[…` anywhere in a line. One sign
 * of them becomes visible as its code.
 */
export function withoutLogCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, "$1\\u{3a}").replace(/#(?=#\w*\[)/g, "\\u{23}");
}

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

/** Returns text with the code of each character that a page, a terminal or a CI system would obey. Tabs stay. */
export function visible(text: string, longest: number): string {
  const shown = text.replace(
    /[^\P{C}\t\u200d]|[\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return cut(withoutLogCommands(shown), longest);
}
