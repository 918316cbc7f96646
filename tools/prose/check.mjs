// @ts-nocheck: its packages are installed apart, by tools/prose.mjs.
// Checks the English of documents and comments. Part of `npm run check`, through tools/prose.mjs.
//
//   <path…>   checks these files or folders only
//   --counts  counts for each rule, and the passive voice
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import terminology from "textlint-rule-terminology";
import { checkout } from "../checkout.mjs";
import { proseOf } from "./documents.mjs";
import sentences, { PASSIVE, plain } from "./sentences.mjs";

/** Terms of the rule's own list that this project spells otherwise, as Pulumi and npm do. */
const KEPT = [
  "ID",
  "YAML",
  "TypeScript",
  "id['’]?s",
  "API['’]?s",
  "readme(s)?",
  "file[- ]name(s)?",
  "host[- ]name(s)?",
  "lock[- ]file(s)?",
  "meta[- ]data",
  "run[- ]time",
];

const terms = JSON.parse(readFileSync(join(checkout, "tools", "prose", "glossary.json"), "utf8"));

/**
 * Areas with remarks that were there before the linter, and how many: a number here may only fall.
 *
 * @type {Record<string, number>}
 */
const known = JSON.parse(readFileSync(join(checkout, "tools", "prose", "known.json"), "utf8"));

const options = {
  ext: ".md",
  plugins: [{ pluginId: "markdown", plugin: markdown.default ?? markdown }],
  rules: [
    { ruleId: "sentences", rule: sentences },
    { ruleId: "terminology", rule: terminology, options: { terms, exclude: KEPT } },
  ],
};

const flags = process.argv.slice(2);
const counting = flags.includes("--counts");
const only = flags.filter((flag) => !flag.startsWith("--"));
const prose = proseOf(checkout).filter(
  ({ path }) => only.length === 0 || only.some((each) => path.startsWith(each)),
);

const kernel = new TextlintKernel();
/** @type {Map<string, number>} */
const counts = new Map();
/** @type {Map<string, string[]>} */
const remarks = new Map();
for (const { path, text } of prose) {
  const { messages } = await kernel.lintText(text, { ...options, filePath: `${path}.md` });
  const area = Object.keys(known).find((each) => path.startsWith(each)) ?? "";
  const found = remarks.get(area) ?? [];
  remarks.set(area, found);
  for (const { line, ruleId, message } of messages) {
    found.push(`${path}:${line}: ${message}`);
    if (counting) count(path, ruleId === "terminology" ? message : advice(message));
  }
  if (counting) for (const _ of plain(text).matchAll(PASSIVE)) count(path, "passive voice (no rule)");
}

for (const [what, number] of [...counts].sort()) console.log(`${String(number).padStart(5)}  ${what}`);
for (const [area, found] of remarks) {
  const allowed = only.length > 0 ? 0 : (known[area] ?? 0);
  if (counting || found.length <= allowed) {
    console.log(
      `${area || "Documents"}: ${found.length} remarks${allowed > found.length ? `; lower known.json to this` : ""}.`,
    );
    continue;
  }
  console.log(found.join("\n"));
  if (allowed > 0)
    console.log(`${area} has ${found.length} remarks, and had ${allowed}: correct the new ones.`);
  process.exitCode = 1;
}

/** The advice of a remark, without its sentence. @param {string} message */
function advice(message) {
  return message.replace(/^\d+ words/, "more words").split(": ")[0] ?? "";
}

/** @param {string} path @param {string} rule */
function count(path, rule) {
  const [top = ""] = path.split("/");
  const key = `${top.endsWith(".md") ? "docs" : top}  ${rule}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
