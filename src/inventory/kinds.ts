import { kinds } from "../provider/kinds.js";

/** The only place of these rooms that knows how a kind is described for the lifecycle. */
export interface KindFacts {
  /** The class name: `AgentToken`. */
  readonly name: string;
  /** What a person calls one: `agent token`. */
  readonly noun: string;
  /** Scopes of the access token: alternatives within, all of them needed. */
  readonly scopes: {
    readonly read: readonly (readonly string[])[];
    readonly write: readonly (readonly string[])[];
  };
}

/** Every kind of resource. */
export const kindFacts: readonly KindFacts[] = [...kinds.values()].map(({ name, noun, scopes }) => ({
  name,
  noun,
  scopes,
}));

/** Names, besides the id, by which the option `import` finds an object within its list. */
export function importNames(kind: string, entity: object): string[] {
  const names = kinds.get(kind)?.adoption?.names(entity) ?? [];
  return names.filter((name): name is string => typeof name === "string" && name !== "");
}
