import {
  argumentsFor,
  type ImportedState,
  importedState,
  toldOf,
  untoldArguments,
} from "../provider/imported-state.js";
import { kinds } from "../provider/kinds.js";
import type { AnyKind } from "../resources/kind.js";
import { providerReference } from "../resources/registration.js";
import { problemsOf } from "../resources/rules/problems.js";
import type { KindName } from "./kind-names.js";

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

type Values = Readonly<Record<string, unknown>>;

/** An object of the service as a program would declare it. */
export interface Declarable {
  /** Arguments that say no more than what the object is, in the order of the kind's own. */
  readonly args: Values;
  /** Those among them that the service did not tell, and that every update sends. */
  readonly untold: readonly string[];
  /** Why no program can declare it as it is, a line each; most objects have none. */
  readonly problems: readonly string[];
  readonly state: ImportedState;
}

/** How a program would declare an object. */
export function declarable(
  kind: KindName,
  organization: string,
  entity: object,
  parent: object | undefined,
): Declarable {
  const described = kindOf(kind);
  const told = toldOf(described, entity, parent);
  const args = argumentsFor(described, told);
  return {
    args,
    untold: untoldArguments(described, told),
    problems: Object.keys(described.arguments).flatMap((name) =>
      problemsOf(described, name, args[name], false).map(({ text }) => text),
    ),
    state: withProvider(kind, importedState(described, organization, args, told)),
  };
}

/** The argument that names what an object of a kind lives in: `clusterId`. */
export function parentArgument(kind: KindName): string | undefined {
  return kindOf(kind).parent?.argument;
}

/** What a person calls an object of a kind: `agent token`. */
export function nounOf(kind: KindName): string {
  return kindOf(kind).noun;
}

function kindOf(name: KindName): AnyKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`There is no kind ${name}.`);
  return kind;
}

/** State has to say how its provider is reached. */
function withProvider(kind: KindName, { inputs, outputs }: ImportedState): ImportedState {
  const __provider = providerReference(kind);
  return { inputs: { ...inputs, __provider }, outputs: { ...outputs, __provider } };
}
