import { capitalized } from "../messages/nouns.js";
import type { Properties } from "../protocol/encoded-values.js";
import { kindOfType } from "../protocol/type-token.js";
import { typeOfUrn } from "../protocol/urn.js";
import { defaultSetBy, kinds } from "../provider/values/kinds.js";
import type { AnyKind } from "../resources/kind.js";
import type { TopologyNode } from "./topology.js";

/** Where a resource is: the type and the key of the object that it is in. */
export interface Parent {
  readonly kind: string;
  /** URN of the resource that it was given, else what its argument holds. An object that is yet to be made has no id. */
  readonly key: string;
}

/** A resource with what its parent is found by. */
interface Placed {
  readonly kind: string;
  readonly properties: Readonly<Properties>;
  /** Resources that its properties come from, by property. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
}

/** Returns the object that contains a resource; undefined if this is the organization, or unknown. */
export function containerOf({ kind, properties, propertyDependencies }: Placed): Parent | undefined {
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

/** Returns the types of resources that can be in one of a type, or in the organization itself, without mere marks. */
export function contentKindsOf(parent: string | undefined): AnyKind[] {
  return [...kinds.values()].filter(
    (kind) => kind.parent?.kind === parent && kind.drawn?.marks === undefined,
  );
}

/** Returns what a drawing shows of an object, in addition to its name. Only some types have a default. */
export function drawnOf(
  kind: string,
  properties: Readonly<Properties>,
  isDefault: boolean,
): Pick<TopologyNode, "isDefault" | "color" | "paused"> {
  const canBeDefault = [...kinds.keys()].some((other) => defaultSetBy(other)?.of === kind);
  const { color, paused } = kinds.get(kind)?.drawn ?? {};
  const value = color === undefined ? undefined : properties[color];
  return {
    ...(canBeDefault && { isDefault }),
    ...(typeof value === "string" && value !== "" && { color: value }),
    ...(paused !== undefined && { paused: properties[paused] === true }),
  };
}

/** Returns what people call a resource: its key, description or name. */
export function labelIn(kind: string, properties: Readonly<Properties>): unknown {
  return properties[kinds.get(kind)?.words.label ?? "name"];
}

/** Returns whether others can be in objects of a type. */
export function canContain(kind: string): boolean {
  return contentKindsOf(kind).length > 0;
}

/** Returns what a drawing calls one object of a type: `token`. */
export function shortNounOf(kind: string): string {
  const words = kinds.get(kind)?.words;
  return words?.short ?? words?.noun ?? kind;
}

/** Returns the title of all objects of a type: `Pipeline templates`. */
export function titleOf(kind: string): string {
  const words = kinds.get(kind)?.words;
  return `${capitalized(words?.full ?? words?.noun ?? kind)}s`;
}

/** Returns the types of resources that contain others, and the types that are contained. */
export function kindsInClusters(): Set<string> {
  return new Set([...kinds].flatMap(([name, { parent }]) => (parent || canContain(name) ? [name] : [])));
}
