import * as resources from "../resources/index.js";
import type { AnyKind } from "../resources/kind.js";

/** Every kind by its name, from the one list there is. */
export const kinds: ReadonlyMap<string, AnyKind> = new Map(
  Object.values(resources).map(({ kind }): [string, AnyKind] => [kind.name, kind]),
);

/** The kind with a name. */
export function kindNamed(name: string): AnyKind | undefined {
  return kinds.get(name);
}

/** The kind that a kind's objects live in. */
export function parentKindOf(kind: AnyKind): AnyKind | undefined {
  return kind.parent === undefined ? undefined : kinds.get(kind.parent.kind);
}
