import type { LiveObject } from "../inventory/listing.js";
import { capitalized } from "../messages/nouns.js";
import type { AnyKind } from "../resources/kind.js";
import { fileStem, identifier, type Names, slug } from "./names.js";

/**
 * Returns the name of a resource: the object's label, after the name of its parent.
 *
 * @param parent the name of the resource that it lives in, or a stem like it; "" where that is the organization
 */
export function logicalName(object: LiveObject, parent: string, taken: Names): string {
  const noun = shortNoun(object.kind).replaceAll(" ", "-");
  const { viewOf } = object;
  if (viewOf !== undefined) {
    const own = viewOf === object.parent ? noun : `${stemOf(viewOf)}-${noun}`;
    return taken.take(parent === "" ? own : `${parent}-${own}`);
  }
  const stem = stemOf(object);
  const isWhole = parent === "" || stem === parent || stem.startsWith(`${parent}-`);
  const name = isWhole ? stem : `${parent}-${stem}`;
  return taken.take(name, `${name}-${noun}`);
}

/** Returns the constant of a resource in its module. */
export function constantName(object: LiveObject, taken: Names): string {
  const noun = shortNoun(object.kind).replace(/(?:^| )(.)/g, (_, letter: string) => letter.toUpperCase());
  const name = identifier(stemOf(object), noun);
  return taken.take(name, name.endsWith(noun) ? name : name + noun);
}

/**
 * Returns the variable of a resource in a program of one file. No language has a word that ends like it, and no language
 * takes fewer characters in it.
 *
 * @param name of the resource
 */
export function variableName({ kind }: LiveObject, name: string, taken: Names): string {
  const noun = camelCase(shortNoun(kind));
  const stem = camelCase(name.replace(/[^a-z0-9-]/g, ""));
  const isNamed = stem.toLowerCase().endsWith(noun.toLowerCase());
  const variable = isNamed ? stem : `${stem}${capitalized(noun)}`;
  return taken.take(/^[a-z]/.test(variable) ? variable : noun + capitalized(stem));
}

function camelCase(words: string): string {
  const [first = "", ...others] = words.split(/[ -]+/).filter((word) => word !== "");
  return first + others.map(capitalized).join("");
}

/** Returns a resource type in the plural, as a file or a folder is named: `pipeline-templates`. */
export function pluralName({ words }: AnyKind): string {
  return `${words.noun.replaceAll(" ", "-")}s`;
}

/** Returns the path of an object's own file, without its ending: `clusters/linux`. */
export function filePath(kind: AnyKind, name: string): string {
  return `${pluralName(kind)}/${fileStem(name, shortNoun(kind).replaceAll(" ", "-"))}`;
}

/** Returns the path of a file with a text of an object, without its ending: `templates/node-service`. */
export function textPath(kind: AnyKind, name: string): string {
  const noun = shortNoun(kind).replaceAll(" ", "-");
  return `${noun}s/${fileStem(name, noun)}`;
}

/** Returns the name of an object with a label that has no letters. */
export function stemOf({ kind, label }: Pick<LiveObject, "kind" | "label">): string {
  return slug(label) || shortNoun(kind).replaceAll(" ", "-");
}

function shortNoun({ words: { noun, short = noun } }: AnyKind): string {
  return short;
}
