import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentAt, documents, handwritten, targetsOf } from "./documents.js";

const pages = documents.map(({ path }) => path).filter((path) => /^docs\/\w+\//.test(path));
const within = (...folders: readonly string[]) =>
  pages.filter((path) => folders.some((folder) => path.startsWith(`docs/${folder}/`)));

/** Counts as tools/prose/measure.mjs does: a word has a letter or a digit; code blocks and comments don't count. */
function wordsOf(path: string): number {
  const prose = handwritten(path)
    .text.replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/^ *```.*?^ *```$/gms, "");
  return prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Sums the words that a person wrote. A page of a resource type is generated. */
function sumOf(paths: readonly string[]): number {
  const isGenerated = (path: string) => documentAt(path).text.startsWith("<!-- Made from the code");
  return paths.filter((path) => !isGenerated(path)).reduce((sum, path) => sum + wordsOf(path), 0);
}

test("Each page is in docs/README.md once, below the heading of its folder", () => {
  const sections = documentAt("docs/README.md").text.split(/^## /m).slice(1);
  const listed = sections.flatMap((section) => {
    const entries = [...section.matchAll(/^ *- \[[^\]]+\]\((\w+)\/([\w-]+\.md)\)/gm)];
    for (const [, folder] of entries) expect(section.toLowerCase()).toMatch(new RegExp(`^${folder}\n`));
    return entries.map(([, folder, file]) => `docs/${folder}/${file}`);
  });
  expect(listed.sort()).toEqual([...pages].sort());
});

describe("The documents that a person writes have at most", () => {
  // Everything that a reader in trouble needs, by symptom.
  const long = ["docs/guides/recover.md"];

  test.each(within("start", "guides", "explain").filter((path) => !long.includes(path)))(
    "1,300 words: %s",
    (path) => {
      expect(wordsOf(path)).toBeLessThanOrEqual(1_300);
    },
  );

  test.each([
    { most: 20_000, folders: ["start", "guides", "explain"] },
    { most: 7_700, folders: ["reference"] },
    { most: 6_000, folders: ["internals"] },
  ])("$most words in $folders", ({ most, folders }) => {
    expect(sumOf(within(...folders))).toBeLessThanOrEqual(most);
  });
});

test.each(within("guides"))("A guide: %s has an example before its explanation", (path) => {
  const before = documentAt(path).text.split(/^ *```/m)[0] ?? "";
  expect(before.split(/\s+/).length).toBeLessThanOrEqual(250);
});

test.each(within("start", "guides", "explain"))("%s links to what its reader needs next", (path) => {
  const { text } = documentAt(path);
  const next = text.slice(Math.max(text.lastIndexOf("**Next:**"), text.lastIndexOf("## Next")));
  const targets = targetsOf({ text: next }).map((target) => join(dirname(path), target.split("#")[0] ?? ""));
  expect(next).toMatch(/^(?:\*\*Next:\*\*|## Next)/);
  expect(targets.some((target) => pages.includes(target) && target !== path)).toBe(true);
});
