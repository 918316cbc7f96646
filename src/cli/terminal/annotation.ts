import { isAbsolute, join, relative, sep } from "node:path";
import { visible } from "../../shared/messages/foreign-text.js";
import { repositoryOf } from "../../shared/process/folders.js";
import { visibleLines } from "./terminal.js";

/** GitHub's names. */
const SEVERITIES = { danger: "error", caution: "warning", none: "notice" } as const;

/**
 * Returns the command by which a workflow of GitHub shows a text at a line of a file. It is "" where GitHub can't do that,
 * because the file is outside of the repository, or a log would not show its name.
 */
export function annotationAt(
  file: string,
  line: number,
  level: keyof typeof SEVERITIES | undefined,
  text: string,
): string {
  const here = process.cwd();
  const top = repositoryOf(here) ?? here;
  const within = isAbsolute(file) ? relative(top, file) : join(relative(top, here), file);
  const path = within.replaceAll(sep, "/");
  if (path.startsWith("../") || isAbsolute(path) || visible(path) !== path) return "";
  // Its values can't end the command.
  const coded = (value: string, signs: RegExp) =>
    value.replace(signs, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
  const place = `file=${coded(path, /[%\r\n:,]/g)},line=${line}`;
  return `::${SEVERITIES[level ?? "none"]} ${place}::${coded(visibleLines(text), /[%\r\n]/g)}\n`;
}
