import type { AnyKind } from "../../../provider/kind/kind.js";
import { kinds } from "../../../provider/lifecycle/values/kinds.js";
import { capitalized } from "../../../shared/messages/nouns.js";
import type { Properties } from "../../../shared/protocol/encoded-values.js";

/** Returns the argument that names what resources of a type are in: `clusterId`. */
export function parentArgument(kind: string): string | undefined {
  return kinds.get(kind)?.parent?.argument;
}

/** Returns the types of resources that can be in one of a type, or in the organization itself, without mere marks. */
export function contentKindsOf(parent: string | undefined): AnyKind[] {
  return [...kinds.values()].filter(
    (kind) => kind.parent?.kind === parent && kind.drawn?.marks === undefined,
  );
}

/** Returns what people call a resource: its key, description or name. */
export function labelIn(kind: string, properties: Readonly<Properties>): unknown {
  return properties[kinds.get(kind)?.words.label ?? "name"];
}

/** Returns whether others can be in objects of a type. */
export function canContain(kind: string): boolean {
  return contentKindsOf(kind).length > 0;
}

/** Returns what a reviewer calls a resource type: `agent token`. */
export function nounOf(kind: string): string {
  const words = kinds.get(kind)?.words;
  return words?.full ?? words?.noun ?? kind;
}

/** Returns what a drawing calls one object of a type: `token`. */
export function shortNounOf(kind: string): string {
  const words = kinds.get(kind)?.words;
  return words?.short ?? words?.noun ?? kind;
}

/** Returns the title of all objects of a type: `Pipeline templates`. */
export function titleOf(kind: string): string {
  return `${capitalized(nounOf(kind))}s`;
}

/** Returns the types of resources that contain others, and the types that are contained. */
export function kindsInClusters(): Set<string> {
  return new Set([...kinds].flatMap(([name, { parent }]) => (parent || canContain(name) ? [name] : [])));
}
