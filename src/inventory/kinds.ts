import type { Settings } from "../configuration/settings.js";
import { secretNames } from "../protocol/properties.js";
import { providerReference } from "../protocol/provider-reference.js";
import { findImported, observedOf } from "../provider/adoption.js";
import { argumentsFor, type ImportedState, importedState } from "../provider/imported-state.js";
import { kinds } from "../provider/kinds.js";
import { needsToken, type Observer, observerOf } from "../provider/marks.js";
import { mismatches } from "../provider/mismatches.js";
import { Session } from "../provider/session.js";
import { requiredAtImport } from "../provider/unknown-at-import.js";
import type { AnyKind } from "../resources/kind.js";
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
export const kindFacts: readonly KindFacts[] = [...kinds.values()].map(
  ({ name, words: { noun }, scopes }) => ({
    name,
    noun,
    scopes,
  }),
);

/** Names, besides the id, by which the option `import` finds an object within its list. */
export function importNames(kind: string, entity: object): string[] {
  const names = kinds.get(kind)?.adoption?.names(entity) ?? [];
  return names.filter((name): name is string => typeof name === "string" && name !== "");
}

export type { Observer };

type Values = Readonly<Record<string, unknown>>;

/** An object of the service as a program would declare it. */
export interface Declarable {
  /** Arguments that say no more than what the object is, in the order of the kind's own. */
  readonly args: Values;
  /** Those among them that the service did not tell, and that every update sends. */
  readonly unknownAtImport: readonly string[];
  /** Why no program can declare it as it is, a line each; most objects have none. */
  readonly problems: readonly string[];
}

/** How a program would declare an object. */
export function declarable(kind: KindName, entity: object, parent: object | undefined): Declarable {
  const described = kindOf(kind);
  const observed = observedOf(described, entity, parent);
  const args = argumentsFor(described, observed);
  return {
    args,
    unknownAtImport: requiredAtImport(described, observed),
    problems: Object.keys(described.arguments).flatMap((name) =>
      problemsOf(described, name, args[name], false).map(({ text }) => text),
    ),
  };
}

/** Returns the state of an object that a program declares as it is. */
export function stateOf(
  kind: KindName,
  organization: string,
  entity: object,
  parent: object | undefined,
  observer: Observer,
): ImportedState {
  const described = kindOf(kind);
  const observed = observedOf(described, entity, parent);
  const args = argumentsFor(described, observed);
  return withProvider(kind, importedState(described, organization, args, observed, observer));
}

/** Returns whether an API access token may be unable to read an object. Its state then names the token that did. */
export function isHidden(kind: KindName, entity: object): boolean {
  const described = kindOf(kind);
  return needsToken(described, observedOf(described, entity, undefined));
}

/** An object that a resource of a program is to be. */
export interface Importable {
  readonly id: string;
  readonly state: ImportedState;
  /** What the program says otherwise than the service, an entry each. */
  readonly differences: readonly string[];
  /** Masked arguments that the service does not tell either. */
  readonly unknownAtImport: readonly string[];
}

/** Finds objects by the names that the option `import` takes. Those it finds share lists. */
export class ImportableObjects {
  readonly #session: Session;

  constructor(settings: Settings) {
    this.#session = new Session(settings);
  }

  /**
   * @param declared what the program says, with the provider's defaults
   * @param masked what stands in the place of a secret, which is then taken to be what the service has
   * @throws when nothing has the name, or several have it
   */
  async find(kind: KindName, name: string, declared: Values, masked: string): Promise<Importable> {
    const described = kindOf(kind);
    const { organization } = this.#session.settings;
    const found = await findImported(this.#session, organization, described, name);
    const { observed, id } = found;
    // What the provider completed names all that is secret.
    const secrets = secretNames(declared);
    const hidden = new Set(Object.keys(declared).filter((argument) => declared[argument] === masked));
    const said = Object.fromEntries(Object.entries(declared).filter(([argument]) => !hidden.has(argument)));
    const differences = await mismatches(described, said, found, hidden, (name) => !secrets.has(name));
    const observer = await observerOf(this.#session, described, observed);
    const state = withProvider(kind, importedState(described, organization, said, observed, observer));
    const unknownAtImport = [...hidden].filter((argument) => observed[argument] === undefined);
    return { id, state, differences, unknownAtImport };
  }

  close(): Promise<void> {
    return this.#session.context(this.#session.settings.organization).client.close();
  }
}

/** The argument that names what an object of a kind lives in: `clusterId`. */
export function parentArgument(kind: KindName): string | undefined {
  return kindOf(kind).parent?.argument;
}

/**
 * What a program may say of one object only, unless it ignores changes of the argument: names of teams whose slugs
 * would be the same, say. Undefined where it may say it of several.
 */
export function claimOf(
  kind: KindName,
  args: Values,
): { readonly argument: string; readonly claim: string } | undefined {
  const { once } = kindOf(kind);
  const value = once && args[once.argument];
  // What is in a cluster is unlike because the service sees to it.
  if (once === undefined || once.tolerated || parentArgument(kind) !== undefined || typeof value !== "string")
    return undefined;
  return { argument: once.argument, claim: `${kind} ${once.form?.(value) ?? value}` };
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
