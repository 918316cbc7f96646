import type { LiveObject } from "../inventory/listing.js";
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

/** Returns a resource type in the plural, as a file or a folder is named: `pipeline-templates`. */
export function pluralName({ words }: AnyKind): string {
  return `${words.noun.replaceAll(" ", "-")}s`;
}

/** Returns the path of an object's own file, without its ending: `clusters/linux`. */
export function filePath(kind: AnyKind, name: string): string {
  return `${pluralName(kind)}/${fileStem(name, shortNoun(kind).replaceAll(" ", "-"))}`;
}

/** Returns the name of an object with a label that has no letters. */
export function stemOf({ kind, label }: Pick<LiveObject, "kind" | "label">): string {
  return slug(label) || shortNoun(kind).replaceAll(" ", "-");
}

function shortNoun({ words: { noun, short = noun } }: AnyKind): string {
  return short;
}
