import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { CHECKOUT, read } from "../support/checkout.js";

export interface Document {
  /** Its path in the checkout. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

export function documentAt(path: string): Document {
  const text = read(path);
  return { path, text, blocks: fencedBlocks(text) };
}

/** Reads what a person wrote of a document: without the parts that are generated, which have tests of their own. */
export function handwritten(path: string): Document {
  const { text } = documentAt(path);
  const rest = text.replaceAll(/<!-- generated: (\S+) -->.*?<!-- end: \1 -->/gs, "");
  return { path, text: rest, blocks: fencedBlocks(rest) };
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(CHECKOUT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
    .map((file) => join(folder, file))
    .sort();
}

export const documents: readonly Document[] = [
  ...readdirSync(CHECKOUT).filter((file) => file.endsWith(".md")),
  ...markdownIn("docs"),
  ...markdownIn("tools/release/registry"),
  ...markdownIn("examples"),
].map(documentAt);

/** Finds a block by its mark in any document: `<!-- verb: object -->`. */
export function blockMarked(verb: string, object: string): Block {
  const found = documents
    .flatMap(({ blocks }) => blocks)
    .find((block) => block.verb === verb && block.object === object);
  if (found === undefined) throw new Error(`no document has a block marked "${verb}: ${object}"`);
  return found;
}

/** Returns the anchors of a Markdown text's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Lists the files that a document links to or shows, as they are written. */
export function targetsOf({ text }: Pick<Document, "text">): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)];
  const pictures = [...text.matchAll(/(?:src|srcset)="([^"]+)"/g)];
  return [...links, ...pictures].map(([, target = ""]) => target);
}

/** Lists the links of a document that lead to nothing in the checkout. */
export function brokenLinks(document: Document): string[] {
  return targetsOf(document).filter((target) => {
    if (target.startsWith("https://")) return false;
    const [file = "", anchor] = target.split("#");
    const leadsTo = file === "" ? document.path : join(dirname(document.path), file);
    if (!existsSync(join(CHECKOUT, leadsTo))) return true;
    return anchor !== undefined && !anchorsOf(documentAt(leadsTo).text).includes(anchor);
  });
}

export interface Block {
  readonly language: string;
  readonly text: string;
  /** The comment right above it, `<!-- verb: object -->`, which says how it is tested. */
  readonly verb: string | undefined;
  readonly object: string;
  /** For messages: `line 42`. */
  readonly place: string;
}

export function fencedBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split("\n");
  let above = "";
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    // A block within a list is indented.
    const [, indent, language] = /^( *)```(.*)$/.exec(line) ?? [];
    if (indent === undefined || language === undefined) {
      above = line;
      continue;
    }
    const start = index + 1;
    while (lines[++index] !== `${indent}\`\`\``) {
      if (index >= lines.length) throw new Error(`The code block at line ${start} does not end.`);
    }
    const mark = /^ *<!-- ([a-z-]+)(?:: (.+))? -->$/.exec(above);
    blocks.push({
      language,
      text: lines
        .slice(start, index)
        .map((text) => text.slice(indent.length))
        .join("\n"),
      verb: mark?.[1],
      object: mark?.[2] ?? "",
      place: `line ${start}`,
    });
    above = "";
  }
  return blocks;
}

/** A row of a table, its cells by the heads of their columns. */
export type Row = Readonly<Record<string, string>>;

/** The first table after a line of a Markdown text. */
export function tableOf(markdown: string, after: string): Row[] {
  const lines = markdown.split("\n");
  const heading = lines.indexOf(after);
  const start = lines.findIndex((line, index) => index > heading && line.startsWith("|"));
  if (heading < 0 || start < 0) throw new Error(`There is no table after "${after}".`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  const [heads = [], , ...rows] = lines.slice(start, end).map(cells);
  return rows.map((row) => Object.fromEntries(heads.map((head, column) => [head, row[column] ?? ""])));
}

/** The cells of a line; `\|` within one is no border. */
function cells(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}
