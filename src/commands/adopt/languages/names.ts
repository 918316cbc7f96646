import type { LiveObject } from "../../../cli/inventory/live-object.js";
import type { AnyKind } from "../../../provider/for-commands/kinds.js";
import { capitalized } from "../../../shared/messages/nouns.js";

/** Names in a generated program. The same objects get the same names, in whatever order the service lists them. */

/** Characters of a name's stem: more would not be read. */
const LONGEST = 30;

/**
 * Words of lower-case letters and digits with hyphens between them: what a file or a resource is called after what
 * people call it. Letters of every script count; the accents of Latin letters go.
 */
export function slug(text: string): string {
  const words = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    // Compilers differ in which of the newer scripts' letters they know.
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[\u{10000}-\u{10ffff}]/gu, " ")
    .match(/[\p{L}\p{Nd}\p{Mn}\p{Mc}]+/gu);
  const stem: string[] = [];
  for (const word of words ?? []) {
    if ([...stem, word].join("-").length <= LONGEST) stem.push(word);
    else if (stem.length === 0) return word.slice(0, LONGEST);
    else break;
  }
  return stem.join("-");
}

/** Returns a slug as an identifier. An invalid one gets the noun: `default` becomes `defaultQueue`. */
export function identifier(stem: string, noun: string): string {
  const name = camelCase(stem);
  if (/^\p{ID_Start}\p{ID_Continue}*$/u.test(name)) return RESERVED.has(name) ? name + noun : name;
  return noun.toLowerCase() + capitalized(name).replace(/\P{ID_Continue}/gu, "");
}

/** Words that TypeScript keeps for itself, or that a module cannot declare. */
const RESERVED = new Set(
  (
    "abstract any arguments as async await boolean break case catch class const constructor continue debugger declare " +
    "default delete do else enum eval export exports extends false finally for from function get global if implements " +
    "import in infer instanceof interface is keyof let module namespace never new null number object of package " +
    "private protected public pulumi readonly require return set static string super switch symbol this throw true " +
    "try type typeof undefined unique unknown using var void while with yield"
  ).split(" "),
);

/** Names that a file may not have on some systems, whatever its ending. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

export function fileStem(stem: string, noun: string): string {
  return DEVICES.test(stem) ? `${stem}-${noun}` : stem;
}

/** Names that were given, none of them twice. */
export class ProgramNames {
  readonly #taken: Set<string>;
  readonly #separator: string;

  /** @param separator between a name and its number */
  constructor(taken: Iterable<string>, separator: "-" | "" = "-") {
    this.#taken = new Set(taken);
    this.#separator = separator;
  }

  /** Returns the first of some names that is free; where none is, the last of them with a number. */
  take(...candidates: readonly [string, ...string[]]): string {
    let name = candidates.find((candidate) => !this.#taken.has(candidate));
    for (let number = 2; name === undefined; number++) {
      const numbered = `${candidates.at(-1)}${this.#separator}${number}`;
      if (!this.#taken.has(numbered)) name = numbered;
    }
    this.#taken.add(name);
    return name;
  }
}

/**
 * @param parent the name of the resource that it lives in, or a stem like it; "" where that is the organization
 * @param other of a pair, the name of what its parent is paired with
 */
export function logicalName(object: LiveObject, parent: string, taken: ProgramNames, other?: string): string {
  const noun = nounOf(object.kind);
  const { viewOf } = object;
  if (viewOf !== undefined) {
    const own = viewOf === object.parent ? noun : `${stemOf(viewOf)}-${noun}`;
    return taken.take(parent === "" ? own : `${parent}-${own}`);
  }
  const stem = other ?? stemOf(object);
  // Every pair is `<team>-<pipeline>`, so that a loop can make their names.
  const isWhole =
    parent === "" || (!object.kind.isPair && (stem === parent || stem.startsWith(`${parent}-`)));
  const name = isWhole ? stem : `${parent}-${stem}`;
  return taken.take(name, `${name}-${noun}`);
}

export function constantName(object: Pick<LiveObject, "kind" | "label">, taken: ProgramNames): string {
  const noun = capitalized(camelCase(nounOf(object.kind)));
  const name = identifier(stemOf(object), noun);
  return taken.take(name, name.endsWith(noun) ? name : name + noun);
}

/** For a program of one file. No language has a word that ends like it, and none takes fewer characters in it. */
export function variableName(words: string, name: string, taken: ProgramNames): string {
  const noun = camelCase(words);
  const stem = camelCase(name.replace(/[^a-z0-9-]/g, ""));
  const isNamed = stem.toLowerCase().endsWith(noun.toLowerCase());
  const variable = isNamed ? stem : `${stem}${capitalized(noun)}`;
  return taken.take(/^[a-z]/.test(variable) ? variable : noun + capitalized(stem));
}

function camelCase(words: string): string {
  const [first = "", ...others] = words.split("-").filter((word) => word !== "");
  return first + others.map(capitalized).join("");
}

/** Returns a resource type in the plural, as a file or a folder is named: `pipeline-templates`. */
export function pluralName({ words }: AnyKind): string {
  return `${hyphened(words.noun)}s`;
}

/** Returns the path of an object's own file, without its ending: `clusters/linux`. */
export function filePath(kind: AnyKind, name: string): string {
  return `${pluralName(kind)}/${fileStem(name, nounOf(kind))}`;
}

/** Returns what a text that several resources share is called: after its first step. */
export function sharedStem(text: string): string {
  const [, words = ""] = /^[\s-]*(?:label|name|command): *(.*)$/m.exec(text) ?? [];
  return slug(words.replace(/:[\w+-]+:/g, "")) || "shared";
}

/** Returns the path of a file with a text of an object, without its ending: `templates/node-service`. */
export function textPath(kind: AnyKind, name: string): string {
  return `${nounOf(kind)}s/${fileStem(name, nounOf(kind))}`;
}

/** Returns the name of an object, also of one with a label that has no letters. */
export function stemOf({ kind, label }: Pick<LiveObject, "kind" | "label">): string {
  return slug(label) || (kind.isSetting ? pluralName(kind) : nounOf(kind));
}

/** Returns the shortest noun of a resource type, with hyphens: `template`, `default-queue`. */
export function nounOf({ words: { noun, short = noun } }: AnyKind): string {
  return hyphened(short);
}

function hyphened(noun: string): string {
  return noun.toLowerCase().replaceAll(" ", "-");
}
