// Copies the comments of the sources to Markdown files of the same lines, so that textlint checks them.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { checkout } from "../checkout.mjs";

const FOLDERS = ["src", "tools", "test", "examples"];

/**
 * Writes the comments of each source to `<target>/<path>.md`.
 *
 * @param {string} target
 */
export function extractComments(target) {
  rmSync(target, { recursive: true, force: true });
  for (const folder of FOLDERS) {
    for (const file of readdirSync(join(checkout, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.[cm]?[jt]s$/.test(file) || /(^|\/)(node_modules|generated)\//.test(file)) continue;
      const path = join(folder, file);
      const text = commentsOf(readFileSync(join(checkout, path), "utf8"));
      if (text.trim() === "") continue;
      mkdirSync(join(target, dirname(path)), { recursive: true });
      writeFileSync(join(target, `${path}.md`), text);
    }
  }
}

/** Each comment in its own lines, everything else blank. @param {string} source */
function commentsOf(source) {
  /** @type {string[]} */
  const lines = source.split("\n").map(() => "");
  const file = ts.createSourceFile("file.ts", source, ts.ScriptTarget.Latest, true);
  const seen = new Set();
  /** @param {ts.Node} node */
  const visit = (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source, node.pos) ?? []) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      const { line } = file.getLineAndCharacterOfPosition(pos);
      source
        .slice(pos, end)
        .split("\n")
        .forEach((text, at) => {
          lines[line + at] = textOf(text);
        });
    }
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return lines.join("\n");
}

/** One line without the marks of comments and tags. @param {string} line */
function textOf(line) {
  return line
    .trim()
    .replace(/^(?:\/\*\*?|\*\/|\*|\/\/)\s?/, "")
    .replace(/\*\/$/, "")
    .replace(/^(?:biome-ignore|@ts-|#!|\/ <).*$/, "")
    .replace(
      /^@(?:param|throws|returns|typedef|type|example|default|internal|module|see)\b\s*(?:\{[^}]*\})?/,
      "\n",
    )
    .trim();
}
