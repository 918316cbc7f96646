import { kindOfType } from "../protocol/type-token.js";
import { typeOfUrn } from "../protocol/urn.js";
import { kinds } from "../provider/kinds.js";
import type { AnyKind } from "../resources/kind.js";

/** Where a resource is: the type and the key of the object that it is in. */
export interface Parent {
  readonly kind: string;
  /** URN of the resource that it was given, else what its argument holds. An object that is yet to be made has no id. */
  readonly key: string;
}

/** A resource with what its parent is found by. */
interface Placed {
  readonly kind: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Resources that its properties come from, by property. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
}

/** Returns what a resource is in; undefined for one that is in the organization itself, or does not say where. */
export function parentOf({ kind, properties, propertyDependencies }: Placed): Parent | undefined {
  const parent = kinds.get(kind)?.parent;
  if (parent === undefined || properties[parent.argument] === undefined) return undefined;
  const given = propertyDependencies[parent.argument]?.find(
    (urn) => kindOfType(typeOfUrn(urn)) === parent.kind,
  );
  return { kind: parent.kind, key: given ?? String(properties[parent.argument]) };
}

/** Returns the argument that names what resources of a type are in: `clusterId`. */
export function parentArgument(kind: string): string | undefined {
  return kinds.get(kind)?.parent?.argument;
}

/** Returns all resource types as people read them: what is in another follows it, in the order of the API document. */
export function kindsInOrder(): AnyKind[] {
  const rank = (kind: AnyKind): string => {
    const above = kind.parent && kinds.get(kind.parent.kind);
    const marked = kinds.get(kind.drawn?.marks?.kind ?? "");
    const own = marked === undefined ? kind.section : `${marked.section} `;
    return above === undefined ? own : `${rank(above)} ${own}`;
  };
  return [...kinds.values()].sort((one, other) => rank(one).localeCompare(rank(other)));
}

/** Returns the types of resources that can be in one of a type, or in the organization itself, without mere marks. */
export function contentKindsOf(parent: string | undefined): AnyKind[] {
  return kindsInOrder().filter((kind) => kind.parent?.kind === parent && kind.drawn?.marks === undefined);
}

/** Returns what people call a resource: its key, description or name. */
export function labelIn(kind: string, properties: Readonly<Record<string, unknown>>): unknown {
  return properties[kinds.get(kind)?.words.label ?? "name"];
}
