import { isDeepStrictEqual } from "node:util";
import type { Alias, Document, Node, ParseOptions, Scalar, SchemaOptions } from "yaml";
import type { TextProblem } from "./mismatch.js";

/** YAML texts: validated, compared by meaning, and written for every parser. */

/** Returns the library, loaded when it is used: most programs have no YAML to judge. */
function yaml(): typeof import("yaml") {
  return require("yaml");
}

/** More than any configuration needs, and small enough to validate at once. */
const LARGEST = 1024 * 1024;
/** Most aliases to expand, as they grow fast. With more, texts are compared as texts. */
const MOST_ALIASES = 10_000;
/** Returns a text's document. A separate search finds equal keys: the library compares each with every other. */
export function documentOf(text: string, options: SchemaOptions & ParseOptions = {}): Document {
  // Of a map that is a key, such as a template's braces, the library would print a warning.
  return yaml().parseDocument(withoutMark(text), { uniqueKeys: false, logLevel: "error", ...options });
}

/** Editors on Windows begin a file with a byte order mark, after which the library finds no list. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

/** Returns the documents of a text, each behind as many empty lines as there are lines before it. */
export function documentsIn(text: string): readonly string[] {
  const whole = withoutMark(text);
  const documents = yaml().parseAllDocuments(whole, { uniqueKeys: false, logLevel: "error" });
  if (documents.length < 2) return [text];
  return documents.map(({ range }) => {
    const [start, , end] = range ?? [];
    const before = whole.slice(0, start).split("\n").length - 1;
    return `${"\n".repeat(before)}${whole.slice(start, end)}`;
  });
}

export function problemOfYaml(written: string): TextProblem | undefined {
  const text = withoutMark(written);
  if (text.trim() === "") return "is blank";
  if (text.length > LARGEST) return problemAt(text, 0, `is longer than ${LARGEST} characters`);
  const document = documentOf(text);
  const [error] = document.errors;
  if (error !== undefined) {
    const [start] = error.linePos ?? [];
    const place = start ? ` at line ${start.line}, column ${start.col}` : "";
    return problemAt(text, error.pos[0], `is not valid YAML${place} (${error.code})`);
  }
  return problemOfNodes(text, document);
}

function problemOfNodes(text: string, document: Document): TextProblem | undefined {
  const { isAlias, isScalar, visit } = yaml();
  const anchors = new Set<string>();
  let problem: TextProblem | undefined;
  // A visitor for maps takes the place of the one for nodes.
  visit(document, {
    Node(_, node) {
      if (isAlias(node) && !anchors.has(node.source)) {
        problem ??= problemAt(text, node.range?.[0] ?? 0, "has an alias (*name) without an anchor (&name)");
      } else if (!isAlias(node) && node.anchor) {
        anchors.add(node.anchor);
      }
    },
    Map(_, map) {
      if (map.anchor) anchors.add(map.anchor);
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key) || isMerge(key)) continue;
        if (keys.has(key.value)) {
          const start = key.range?.[0] ?? 0;
          const line = text.slice(0, start).split("\n").length;
          problem ??= problemAt(text, start, `is not valid YAML at line ${line} (DUPLICATE_KEY)`);
        }
        keys.add(key.value);
      }
    },
  });
  const endless = aliasOfItself(document);
  if (endless !== undefined) {
    problem ??= problemAt(
      text,
      endless.range?.[0] ?? 0,
      "has an alias (*name) within its own anchor (&name), without end",
    );
  }
  return problem;
}

/** Returns the first alias that stands within what it stands for, whose value nobody could write out. */
function aliasOfItself(document: Document): Alias | undefined {
  const { isAlias, visit } = yaml();
  const anchored = new Map<string, Node>();
  let found: Alias | undefined;
  visit(document, {
    Node(_, node, ancestors) {
      if (!isAlias(node)) {
        if (node.anchor) anchored.set(node.anchor, node);
        return undefined;
      }
      const target = anchored.get(node.source);
      if (target === undefined || !ancestors.includes(target)) return undefined;
      found = node;
      return visit.BREAK;
    },
  });
  return found;
}

/** Returns whether a key merges maps into its own. Buildkite's parser takes several in one map, and merges each. */
function isMerge(key: Scalar): boolean {
  return key.value === "<<" && key.type === "PLAIN" && key.tag === undefined;
}

/** Quotes the line at a position of a text, or the text before it if that line is empty. */
function problemAt(text: string, position: number, words: string): TextProblem {
  const end = text.indexOf("\n", position);
  const before = text.slice(0, end < 0 ? undefined : end).trimEnd();
  const line = text.slice(0, position).split("\n").length;
  return { words, excerpt: before.slice(before.lastIndexOf("\n") + 1), line };
}

/** Returns a text that can't be parsed unchanged. It never throws: the service has already created the template. */
export function meaningOfYaml(text: string): unknown {
  const document = documentOf(text);
  if (document.errors.length > 0 || aliasOfItself(document) !== undefined) return text;
  const { isScalar, visit } = yaml();
  visit(document, {
    // Of equal keys, a map would keep the last one only.
    Map(_, { items }) {
      const merges = items.filter(({ key }) => isScalar(key) && isMerge(key));
      for (const [index, pair] of merges.entries()) pair.key = document.createNode(["<<", index]);
    },
  });
  try {
    return document.toJS({ mapAsMap: true, maxAliasCount: MOST_ALIASES });
  } catch {
    return text;
  }
}

/** What the last texts say: a report asks for the same text up to ten times. */
const values = new Map<string, unknown>();

/** Returns what a text says, with what its aliases stand for; undefined if it can't be parsed, or has no end. */
export function valueOfYaml(text: string): unknown {
  if (!values.has(text)) {
    if (values.size >= 8) values.clear();
    values.set(text, valueIn(documentOf(text, { merge: true })));
  }
  return values.get(text);
}

function valueIn(document: Document): unknown {
  if (document.errors.length > 0 || aliasOfItself(document) !== undefined) return undefined;
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch {
    return undefined;
  }
}

/** Returns a text as a reviewer compares it: without layout, comments, anchors and merges. Unchanged if it can't be parsed. */
export function plainYaml(text: string): string {
  const value = valueOfYaml(text);
  return value === undefined ? text : yamlText(value, undefined);
}

/** Plain texts that some parser takes for something else: booleans, numbers, times, null, merges. */
const AMBIGUOUS = /^(?:y|n|yes|no|on|off|true|false|null|~|=|<<|e[-+]?[0-9].*|[-+.0-9].*)$/is;
/** Characters that some parser takes for a line break, or does not take at all. */
const UNPRINTABLE = /[^\P{Cc}\t\n]|[\u2028\u2029\ufeff]/u;

/** Returns an object as unfolded YAML that parsers of 1.1 and 1.2 read alike: the old text if it says the same. */
export function yamlText(value: unknown, old: string | undefined): string {
  if (old !== undefined && saysTheSame(old, value)) return old;
  const { Document, visit } = yaml();
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string" && (AMBIGUOUS.test(node.value) || UNPRINTABLE.test(node.value))) {
        node.type = "QUOTE_DOUBLE";
      }
      // 1e+21 has no point, so YAML 1.1 takes it for text.
      if (typeof node.value === "number" && String(node.value).includes("e")) {
        node.tag = "tag:yaml.org,2002:float";
      }
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return text.replaceAll(new RegExp(UNPRINTABLE, "gu"), escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function saysTheSame(text: string, value: unknown): boolean {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return (["1.1", "1.2"] as const).every((version) => {
    try {
      return isDeepStrictEqual(yaml().parse(withoutMark(text), { version }), plain);
    } catch {
      return false;
    }
  });
}
