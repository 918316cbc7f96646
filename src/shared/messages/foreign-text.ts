/**
 * What makes text from a service, a file or a state harmless. `visible` and `oneLine` are for messages, `blanked` for
 * pictures and pages, where `markup` also keeps it from being read as HTML.
 */

/** What nobody sees, and what moves a cursor or turns the direction of writing. The joiners of emoji stay. */
const UNSEEN = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

/** The beginning of a color mark of Pulumi's CLI. */
export const COLOR_MARK = "<{%";

/** Returns well-formed text, cut after so many characters. A character is never cut in half. */
export function cut(text: string, longest: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= longest) return whole;
  // No character has more than two units, so this holds all that can stay.
  const characters = [...whole.slice(0, 2 * longest + 2)];
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : whole;
}

/**
 * Returns text that is printed and not obeyed. GitHub takes a line that begins with `::name::` in a log as a command;
 * GitHub, Azure Pipelines and TeamCity take `##[…`, `##vso[…` and `##teamcity[…` anywhere in a line. Pulumi's CLI takes
 * `<{%…%}>` as a color, and panics if it knows none of that name. One sign of them becomes visible as its code.
 */
export function withoutLogCommands(text: string): string {
  const commands = text.replace(/^([^\S\n]*):(?=:)/gm, "$1\\u{3a}").replace(/#(?=#\w*\[)/g, "\\u{23}");
  return commands.replaceAll(COLOR_MARK, "\\u{3c}{%");
}

/** Returns text of one or several lines as Pulumi's engine may show it: on a terminal, in a log, with colors or without. */
export function shownByEngine(text: string): string {
  return withoutLogCommands(text.split("\n").map(blanked).join("\n"));
}

/** Returns well-formed text on one line, with a blank for each character that nobody sees. */
export function blanked(text: string): string {
  return text.toWellFormed().replace(UNSEEN, " ");
}

/**
 * Returns text as a message may contain it: on one line, without unnecessary blanks, and without commands to a CI system.
 * Otherwise a name from the service could look like several messages, or move the cursor of a terminal.
 */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  return cut(withoutLogCommands(blanked(text).replace(/\s+/g, " ").trim()), longest);
}

/** Returns text as one line, with the code of each character that nobody sees or that a CI system would obey. */
export function visible(text: string, longest = Number.POSITIVE_INFINITY): string {
  const shown = text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return cut(withoutLogCommands(shown), longest);
}

/** Returns a value as indented JSON that a terminal or a CI system doesn't obey. */
export function visibleJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2).replace(/#(?=#\w*\[)/g, "\\u0023");
  const code = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(UNSEEN, (one) => (one === "\n" ? one : one.split("").map(code).join("")));
}

/** Returns a character so that neither HTML nor Markdown gives it a meaning. */
export function entity(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

/** Returns a pattern that matches exactly a text. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
