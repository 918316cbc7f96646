import * as resources from "../resources/index.js";
import type { AnyKind } from "../resources/kind.js";

/** Every kind by its name, from the one list there is. */
export const kinds: ReadonlyMap<string, AnyKind> = new Map(
  Object.values(resources).map(({ kind }): [string, AnyKind] => [kind.name, kind]),
);
