import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "./markdown.js";

/** A message whose cause or fix is more than its text says. Comments above it declare them, and its code. */
export interface Message {
  readonly code: string;
  /** The file that throws or prints it. */
  readonly file: string;
  /** The parts of its text that don't vary, as words, the longest part first. */
  readonly parts: readonly (readonly string[])[];
  readonly cause: string;
  readonly fix: string;
}

/** The lines `// Error <code>: <cause>` (or `// Warning …`) and `// Fix: <fix>`. */
const DECLARED =
  /^ *[?:]? *\/\/ (?<level>Error|Warning) (?<code>[\w-]+): (?<cause>.+(?:\n *\/\/ (?!Fix: ).+)*)\n *\/\/ Fix: (?<fix>.+(?:\n *\/\/ .+)*)\n/gm;
const TEXT = /"(?:[^"\\\n]|\\.)+ (?:[^"\\\n]|\\.)+ (?:[^"\\\n]|\\.)+"|`(?:[^`\\]|\\.)+`/;
const BETWEEN = /\$\{(?:[^{}]|\{[^{}]*\})*\}[^\w`$]*|[.,;:]* \(|[.;:] |[.;:]$|^\W+ |, (?=.{50})|\),? /;
const MOST_WORDS = 9;

/** Lists the messages that the source declares, by code. */
export function readMessages(checkout: string): Message[] {
  const declared = globSync("src/**/*.ts", { cwd: checkout }).flatMap((file) => {
    const source = readFileSync(join(checkout, file), "utf8");
    return [...source.matchAll(DECLARED)].map(({ 0: comment, index, groups = {} }): Message => {
      const { code = "", level, cause = "", fix = "" } = groups;
      const [text = ""] = TEXT.exec(source.slice(index + comment.length)) ?? [];
      const parts = text.slice(1, -1).replaceAll("\\`", "`").split(BETWEEN);
      return {
        code,
        file,
        parts: parts.map((part) => part.trim().split(" ")).sort((one, other) => other.length - one.length),
        cause: `${level === "Warning" ? "Warning. " : ""}${joined(cause)}`,
        fix: joined(fix),
      };
    });
  });
  return declared.sort((one, other) => one.code.localeCompare(other.code));
}

/** Returns the table of the error reference. */
export function messageParts(checkout: string): Record<"messages", string[]> {
  const rows = readMessages(checkout).map(({ code, parts: [says = []], cause, fix }) => [
    `\`${code}\``,
    quoted(says.slice(0, MOST_WORDS).join(" ")),
    cause,
    fix,
  ]);
  return { messages: [table(["code", "words of the message", "cause", "fix"], rows)] };
}

function joined(comment: string): string {
  return comment.replaceAll(/\n *\/\//g, "");
}

function quoted(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}
