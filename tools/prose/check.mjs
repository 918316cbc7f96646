// @ts-nocheck: its packages are installed apart.
// Checks the English of documents and comments: spelling, terms, and the length of sentences. Part of `npm run check`.
// With paths as arguments, checks terms and sentences of these files or folders only.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import { split } from "sentence-splitter";
import terminology from "textlint-rule-terminology";
import ts from "typescript";
import { checkout } from "../dev/checkout.mjs";
import { plain } from "./plain.mjs";

const MOST_WORDS = 35;

/** The glossary: a pattern for what is written elsewhere, and the project's word for it. */
const TERMS = [
  ["untold", "unknown at import"],
  ["lost answers?", "lost response"],
  ["made anew", "replaced, re-created"],
  ["(?:chang|edit)\\w* by hand", "out-of-band change, drift"],
  ["request limits?", "rate limit"],
];

/** Words that the package of terms spells otherwise than Pulumi and npm do. */
const KEPT = [
  "ID",
  "YAML",
  "TypeScript",
  "id['’]?s",
  "API['’]?s",
  "cURL",
  "readme(s)?",
  "file[- ]name(s)?",
  "host[- ]name(s)?",
  "lock[- ]file(s)?",
  "meta[- ]data",
  "run[- ]time",
];

const options = {
  ext: ".md",
  plugins: [{ pluginId: "markdown", plugin: markdown.default ?? markdown }],
  rules: [
    { ruleId: "length", rule: lengthOfSentences },
    { ruleId: "terminology", rule: terminology, options: { terms: TERMS, exclude: KEPT } },
  ],
};

const chosen = process.argv.slice(2);
const documents = globSync(["*.md", "{docs,examples,templates,tools/release/registry}/**/*.md"], {
  cwd: checkout,
});
const sources = globSync("{src,examples,templates}/**/*.{ts,mts,mjs,js}", { cwd: checkout });
const kernel = new TextlintKernel();
let remarks = 0;
for (const path of [...documents, ...sources].sort()) {
  if (/(?:^|\/)node_modules\//.test(path)) continue;
  if (chosen.length > 0 && !chosen.some((start) => path.startsWith(start))) continue;
  const text = readFileSync(join(checkout, path), "utf8");
  const prose = path.endsWith(".md") ? withoutFrontMatter(text) : commentsOf(text);
  const { messages } = await kernel.lintText(prose, { ...options, filePath: `${path}.md` });
  for (const { line, message } of messages) console.log(`${path}:${line}: ${message}`);
  remarks += messages.length;
}
const spelling = ["lint", "--no-progress", "--no-summary", "--config", "cspell.json"];
const cspell = [join(import.meta.dirname, "node_modules", "cspell", "bin.mjs"), ...spelling];
const misspelled =
  chosen.length === 0 &&
  spawnSync(process.execPath, cspell, { cwd: checkout, stdio: "inherit" }).status !== 0;
process.exitCode = remarks === 0 && !misspelled ? 0 : 1;

/** A rule of textlint. */
function lengthOfSentences({ Syntax, RuleError, getSource, report }) {
  const check = (node) => {
    for (const { type, raw } of split(plain(getSource(node)))) {
      if (type !== "Sentence") continue;
      const words = raw.match(/[\p{L}\p{N}][\p{L}\p{N}'’_./-]*/gu)?.length ?? 0;
      if (words <= MOST_WORDS) continue;
      report(node, new RuleError(`${words} words, at most ${MOST_WORDS}: ${raw.slice(0, 70)}…`));
    }
  };
  return { [Syntax.Paragraph]: check, [Syntax.TableCell]: check };
}

/** Blanks the front matter of a document, so that its lines keep their numbers. */
function withoutFrontMatter(text) {
  return text.replace(/^---\n.*?\n---\n/s, (matter) => matter.replaceAll(/[^\n]/g, ""));
}

/** Returns the comments of a source in their own lines, and everything else blank. */
function commentsOf(source) {
  const lines = source.split("\n").map(() => "");
  const file = ts.createSourceFile("file.ts", source, ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source, node.pos) ?? []) {
      const { line } = file.getLineAndCharacterOfPosition(pos);
      for (const [at, text] of source.slice(pos, end).split("\n").entries()) lines[line + at] = wordsOf(text);
    }
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return lines.join("\n");
}

/** Returns one line of a comment without its marks and tags. */
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
