import { isDeepStrictEqual } from "node:util";
import { type Properties, reveal } from "../protocol/encoded-values.js";
import {
  DELETES_FIRST,
  FUNCTIONS_READ,
  IMPORT,
  IMPORT_IGNORES,
  INTERNAL,
  namesAmong,
  PROBLEMS,
  ROTATION,
  SECRETS,
} from "../protocol/properties.js";
import type { AnyKind } from "../resources/kind.js";
import type { Arguments } from "../resources/value-roles.js";
import { type Inputs, inputsIn, type ResourceState, stateIn } from "./state.js";

/** The rotation that a token takes part in, as the component `RotatingAgentToken` sends it with each of its two. */
export interface Rotation {
  /** Name of the component. */
  readonly of: string;
  /** Generation of the newest token. */
  readonly generation: number;
  /** Id of the token of the generation before. Only the newest token has it. */
  readonly previous: unknown;
}

/** Asks whether a program may declare a resource as it does. */
export interface CheckRequest {
  /** Everything that the program gives, including names that aren't arguments. */
  readonly given: Arguments;
  /** Inputs in state; none on a creation and on every replacement. */
  readonly old: Inputs;
  /** The resource is to be created, or replaced. */
  readonly isNew: boolean;
  /** Value of the option `import`. */
  readonly import: unknown;
  /** Value of the option `ignoreChanges`, for an import. */
  readonly importIgnores: unknown;
  /** Names of the arguments that are secret. Not a list: the program didn't say. */
  readonly secretNames: unknown;
  /** The organization that functions of the program read, if they might read another one. */
  readonly functionsRead: unknown;
  /** The program reports what the preview finds. */
  readonly reports: boolean;
  readonly deletesFirst: boolean;
  /** The rotation that the resource takes part in. */
  readonly rotation: Rotation | undefined;
  /** The generation in state. Undefined where it isn't known. */
  readonly oldGeneration: unknown;
}

/** Asks about a resource in state, for new inputs. */
export interface ChangeRequest {
  readonly id: string;
  readonly state: ResourceState;
  readonly inputs: Inputs;
}

/** Asks about a resource in state. */
export interface StateRequest {
  readonly id: string;
  readonly state: ResourceState;
}

/** Parses what the engine sends for a check. */
export function checkRequest(kind: AnyKind, olds: Properties, news: Properties): CheckRequest {
  const given = Object.entries(news).filter(([name]) => !INTERNAL.has(name));
  const old = inputsIn(kind, olds);
  return {
    given: Object.fromEntries(given.map(([name, value]) => [name, reveal(value)])),
    old,
    isNew: old.organization === undefined,
    import: news[IMPORT],
    importIgnores: news[IMPORT_IGNORES],
    secretNames: news[SECRETS],
    functionsRead: news[FUNCTIONS_READ],
    reports: news[PROBLEMS] !== undefined,
    deletesFirst: news[DELETES_FIRST] === true,
    rotation: rotationIn(news[ROTATION]),
    oldGeneration: olds[ROTATION],
  };
}

/** Parses what the engine sends for a diff and an update. */
export function changeRequest(kind: AnyKind, id: string, outs: Properties, news: Properties): ChangeRequest {
  return { id, state: stateIn(kind, outs), inputs: inputsIn(kind, news) };
}

/** Parses what the engine sends for a read and a deletion. */
export function stateRequest(kind: AnyKind, id: string, outs: Properties): StateRequest {
  return { id, state: stateIn(kind, outs) };
}

/**
 * Returns whether messages may quote the value of an argument. Secrets reach the provider in plain text, and the
 * constructor lists them. Without that list nothing is quoted. A value that is in state already isn't quoted either:
 * `ignoreChanges` may have put it there, unknown to the constructor.
 */
export function mayQuote({ given, old, secretNames }: CheckRequest): (name: string) => boolean {
  const names = namesAmong(secretNames);
  const isOld = (name: string) =>
    old.args[name] !== undefined && isDeepStrictEqual(old.args[name], given[name]);
  return (name) => Array.isArray(secretNames) && !names.has(name) && !isOld(name);
}

/** Parses what the component sends. */
function rotationIn(value: unknown): Rotation | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { of, generation, previous }: Partial<Rotation> = value;
  return typeof generation === "number" ? { of: String(of), generation, previous } : undefined;
}
