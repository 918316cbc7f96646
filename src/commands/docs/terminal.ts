import { posix } from "node:path";
import { paint, wrapped } from "../../cli/terminal/terminal.js";

/** Returns a page for a terminal: wrapped, tables as lists, and links as the command that prints their page. */
export function forTerminal(text: string, path: string): string {
  // Every other part is a block of code, which stays as it is.
  return text
    .split(/^( *```[^\n]*\n.*?^ *```\n)/gms)
    .map((part, index) => (index % 2 === 1 ? codeOf(part) : proseOf(part, path)))
    .join("");
}

function codeOf(block: string): string {
  return block.replaceAll(/^ *```.*\n/gm, "").replaceAll(/^.+$/gm, (line) => paint("dim", `  ${line}`));
}

function proseOf(part: string, path: string): string {
  return part
    .split("\n")
    .map((line) => lineOf(line, path))
    .filter((line) => line !== undefined)
    .join("\n");
}

/** Returns one line of Markdown for a terminal; undefined for what only separates the head of a table. */
function lineOf(line: string, path: string): string | undefined {
  const shown = (text: string) => inline(text, path);
  const [, title] = /^#+ (.*)$/.exec(line) ?? [];
  if (title !== undefined) return paint("bold", title);
  const [, indent = "", row] = /^( *)\|(.*)\|$/.exec(line) ?? [];
  if (row === undefined) {
    const [lead = ""] = /^ *(?:- |\d+\. |> )?/.exec(line) ?? [];
    return wrapped(shown(line.slice(lead.length)), process.stdout, lead);
  }
  if (/^[\s|:-]+$/.test(row)) return undefined;
  const [first = "", ...rest] = row
    .split(/(?<!\\)\|/)
    .map((cell) => shown(cell.trim().replaceAll("\\|", "|")));
  const own = wrapped(first, process.stdout, `${indent}- `);
  return rest.join("") === ""
    ? own
    : `${own}\n${wrapped(rest.filter(Boolean).join(" · "), process.stdout, `${indent}    `)}`;
}

function inline(text: string, path: string): string {
  return text
    .replaceAll(
      /\[((?:[^\]`]|`[^`]*`)+)\]\(([^)]+)\)/g,
      (_, words: string, target: string) => `${words} → ${placeOf(target, path)}`,
    )
    .replaceAll(/\*\*(.+?)\*\*/g, (_, words: string) => paint("bold", words));
}

/** Returns how a reader gets to what a link names: the command that prints a page, or an address. */
function placeOf(target: string, path: string): string {
  const [page = "", section] = target.split("#");
  const file = page === "" ? path : posix.join(posix.dirname(path), page);
  if (/^[a-z]+:/.test(target) || !file.endsWith(".md") || file.startsWith("..")) return target;
  return `\`docs ${file.slice(0, -".md".length)}${section === undefined ? "" : `#${section}`}\``;
}
