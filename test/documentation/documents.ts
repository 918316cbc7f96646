import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CHECKOUT } from "./compiler.js";
import { type Block, fencedBlocks } from "./fenced-blocks.js";

/** A Markdown file of the repository. */
export interface Document {
  /** Its path in the checkout. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** A document, by its path in the checkout. */
export function documentAt(path: string): Document {
  const text = readFileSync(join(CHECKOUT, path), "utf8");
  return { path, text, blocks: fencedBlocks(text) };
}

/** The README and everything in docs. */
export const documents: readonly Document[] = [
  "README.md",
  ...readdirSync(join(CHECKOUT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
].map(documentAt);

/** A block by its mark, wherever it is: `<!-- verb: object -->`. */
export function blockMarked(verb: string, object: string): Block {
  const found = documents
    .flatMap(({ blocks }) => blocks)
    .find((block) => block.verb === verb && block.object === object);
  if (found === undefined) throw new Error(`no document has a block marked "${verb}: ${object}"`);
  return found;
}

/** The anchors of a Markdown text's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The links of a document that lead to nothing in the checkout. */
export function brokenLinks({ path, text }: Document): string[] {
  const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => {
    if (target.startsWith("https://")) return false;
    const [file = "", anchor] = target.split("#");
    const leadsTo = file === "" ? path : join(dirname(path), file);
    if (!existsSync(join(CHECKOUT, leadsTo))) return true;
    return anchor !== undefined && !anchorsOf(documentAt(leadsTo).text).includes(anchor);
  });
}
