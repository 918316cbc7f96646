// The prose of the project: Markdown files, and the comments of sources as Markdown of the same lines.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** @typedef {{ path: string, text: string }} Prose */

const FOLDERS = ["docs", "examples", "src", "templates"];

/** Lists all prose of a checkout. @param {string} checkout @returns {Prose[]} */
export function proseOf(checkout) {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(checkout, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      join(folder, file),
    ),
  );
  const top = readdirSync(checkout).filter((file) => file.endsWith(".md"));
  return [...top, ...files.sort()]
    .filter((path) => !/(?:^|\/)(?:node_modules|dist|recorded|pages)\//.test(path))
    .flatMap((path) => {
      const read = () => readFileSync(join(checkout, path), "utf8");
      if (path.endsWith(".md")) return [{ path, text: withoutMarks(read()) }];
      return /\.[cm]?[jt]s$/.test(path) ? [{ path, text: commentsOf(read()) }] : [];
    })
    .filter(({ text }) => text.trim() !== "");
}

/** A document without front matter. @param {string} text */
function withoutMarks(text) {
  return text.replace(/^---\n.*?\n---\n/s, (matter) => matter.replaceAll(/[^\n]/g, ""));
}

/** Each comment in its own lines, everything else blank. @param {string} source */
function commentsOf(source) {
  const lines = source.split("\n").map(() => "");
  const file = ts.createSourceFile("file.ts", source, ts.ScriptTarget.Latest, true);
  const seen = new Set();
  /** @param {ts.Node} node */
  const visit = (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source, node.pos) ?? []) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      const { line } = file.getLineAndCharacterOfPosition(pos);
      const texts = source.slice(pos, end).split("\n");
      for (const [at, text] of texts.entries()) lines[line + at] = wordsOf(text);
    }
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return lines.join("\n");
}

/** One line of a comment without its marks and tags. @param {string} line */
function wordsOf(line) {
  return line
    .trim()
    .replace(/^(?:\/\*\*?|\*\/|\*|\/\/)\s?/, "")
    .replace(/\*\/$/, "")
    .replace(/^(?:biome-ignore|@ts-|#!|\/ <).*$/, "")
    .replace(/^@(?:typedef|type|example|default|see)\b.*$/, "")
    .replace(/^@(?:param|throws|returns|internal|module)\b\s*(?:\{[^}]*\})?\s*(?:\w+)?/, "")
    .trim();
}
