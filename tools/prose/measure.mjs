// @ts-nocheck: its packages are installed apart.
// Counts the words of the documents by kind, and the lengths of their sentences: `npm run docs -- words`.
//
// A word has a letter or a digit. Tables and lists count; code blocks and comments don't. Sentences are those of
// paragraphs and lists, without tables and headings.
import { globSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { split } from "sentence-splitter";
import { checkout } from "../dev/checkout.mjs";
import { plain } from "./plain.mjs";

const kinds = new Map();
for (const file of globSync(["*.md", "docs/**/*.md", "tools/release/registry/*.md"], {
  cwd: checkout,
}).sort()) {
  const text = readFileSync(join(checkout, file), "utf8")
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/^ *```.*?^ *```$/gms, "");
  const kind = kindOf(file);
  const sum = kinds.get(kind) ?? { pages: 0, words: 0, lengths: [] };
  sum.pages += 1;
  sum.words += text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  sum.lengths.push(...sentences(text));
  kinds.set(kind, sum);
}
const total = { pages: 0, words: 0, lengths: [] };
for (const [kind, { pages, words, lengths }] of [...kinds].sort()) {
  print(kind, pages, words, lengths);
  total.pages += pages;
  total.words += words;
  total.lengths.push(...lengths);
}
print("all", total.pages, total.words, total.lengths);

/** The heading of docs/README.md below which a page is linked. */
function kindOf(file) {
  if (file.startsWith("docs/internals/") || file === "CONTRIBUTING.md") return "contributors";
  if (file.startsWith("tools/release/registry/")) return "registry";
  if (file === "README.md" || file === "docs/README.md") return "overview";
  const index = readFileSync(join(checkout, "docs", "README.md"), "utf8")
    .split(/^## /m)
    .slice(1);
  const section = index.find((part) =>
    [...part.matchAll(/\]\(([^)#]+)/g)].some(([, target]) => normalize(`docs/${target}`) === file),
  );
  return section?.split("\n")[0].toLowerCase() ?? "not listed";
}

/** The number of words in each sentence. */
function sentences(text) {
  const blocks = text
    .split("\n")
    .map((line) => (/^\s*(?:\||#)/.test(line) ? "" : line.replace(/^\s*(?:[-*>]|\d+\.)\s+/, "\n$&")))
    .join("\n")
    .split(/\n\s*\n/);
  return blocks.flatMap((block) =>
    split(plain(block.replace(/^\s*(?:[-*>]|\d+\.)\s+/, "")).trim())
      .filter(({ type }) => type === "Sentence")
      .map(({ raw }) => raw.match(/[\p{L}\p{N}][\p{L}\p{N}'’_./-]*/gu)?.length ?? 0)
      .filter((words) => words > 0),
  );
}

function print(kind, pages, words, lengths) {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const short = lengths.filter((length) => length <= 8).length / lengths.length;
  console.log(
    `${kind.padEnd(16)} ${String(pages).padStart(3)} pages ${String(words).padStart(6)} words` +
      `   ${mean.toFixed(1)} words a sentence, ${(100 * short).toFixed(0)} % with at most 8`,
  );
}
