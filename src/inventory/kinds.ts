import type { Settings } from "../configuration/settings.js";
import { secretNames } from "../protocol/properties.js";
import { providerReference } from "../protocol/provider-reference.js";
import { findForImportFile } from "../provider/import-option.js";
import { argumentsFor, type ImportedState, importedState } from "../provider/imported-state.js";
import { kinds } from "../provider/kinds.js";
import { needsToken, type Observer, observerOf } from "../provider/marks.js";
import { mismatches } from "../provider/mismatches.js";
import { Session } from "../provider/session.js";
import { requiredAtImport } from "../provider/unknown-at-import.js";
import type { AnyKind } from "../resources/kind.js";
import { problemsOf } from "../resources/rules/problems.js";
import type { LiveObject } from "./listing.js";

/** Returns the kind with a name, in whatever case that is written. */
export function kindOfAnyCase(name: string): AnyKind | undefined {
  return [...kinds.values()].find((kind) => kind.name.toLowerCase() === name.toLowerCase());
}

/** Returns the names of all kinds, for messages. */
export function kindNames(): string {
  return [...kinds.keys()].join(", ");
}

type Values = Readonly<Record<string, unknown>>;

/** An object of the service as a program would declare it. */
export interface Declarable {
  /** Arguments that say no more than what the object is, in the order of the kind's own. */
  readonly args: Values;
  /** Those among them that the service did not return, and that every update sends. */
  readonly unknownAtImport: readonly string[];
  /** Why no program can declare it as it is, a line each; most objects have none. */
  readonly problems: readonly string[];
}

/** Returns how a program would declare an object. */
export function declarable({ kind, observed }: LiveObject): Declarable {
  const args = argumentsFor(kind, observed);
  return {
    args,
    unknownAtImport: requiredAtImport(kind, observed),
    problems: Object.keys(kind.arguments).flatMap((name) =>
      problemsOf(kind, name, args[name], false).map(({ text }) => text),
    ),
  };
}

/** Returns the state of an object that a program declares as it is. */
export function stateOf(
  { kind, observed }: LiveObject,
  organization: string,
  observer: Observer,
): ImportedState {
  const args = argumentsFor(kind, observed);
  return withProvider(kind, importedState(kind, organization, args, { observed, observer }));
}

/** Returns whether an API access token may be unable to read an object. Its state then names the token that did. */
export function isHidden({ kind, observed }: LiveObject): boolean {
  return needsToken(kind, observed);
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
  async find(kind: string, name: string, declared: Values, masked: string): Promise<Importable> {
    const described = kindOf(kind);
    const { organization } = this.#session.settings;
    const { observed, id } = await findForImportFile(this.#session, { organization, kind: described, name });
    // What the provider completed names all that is secret.
    const secrets = secretNames(declared);
    const hidden = new Set(Object.keys(declared).filter((argument) => declared[argument] === masked));
    const said = Object.fromEntries(Object.entries(declared).filter(([argument]) => !hidden.has(argument)));
    const differences = await mismatches(described, said, observed, {
      ignored: hidden,
      mayQuote: (name) => !secrets.has(name),
    });
    const observer = await observerOf(this.#session, described, observed);
    const state = withProvider(
      described,
      importedState(described, organization, said, { observed, observer }),
    );
    const unknownAtImport = [...hidden].filter((argument) => observed[argument] === undefined);
    return { id, state, differences, unknownAtImport };
  }

  close(): Promise<void> {
    return this.#session.service.context(this.#session.settings.organization).client.close();
  }
}

/**
 * What a program may say of one object only, unless it ignores changes of the argument: names of teams whose slugs
 * would be the same, for example. Undefined where it may say it of several.
 */
export function claimOf(
  { kind, parent }: LiveObject,
  args: Values,
): { readonly argument: string; readonly claim: string } | undefined {
  const { once } = kind;
  const value = once && args[once.argument];
  // What is in another object is unlike because the service sees to it.
  if (once === undefined || once.tolerated || parent !== undefined || typeof value !== "string")
    return undefined;
  return { argument: once.argument, claim: `${kind.name} ${once.form?.(value) ?? value}` };
}

function kindOf(name: string): AnyKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`There is no kind ${name}.`);
  return kind;
}

/** State has to say how its provider is reached. */
function withProvider({ name }: AnyKind, { inputs, outputs }: ImportedState): ImportedState {
  const __provider = providerReference(name);
  return { inputs: { ...inputs, __provider }, outputs: { ...outputs, __provider } };
}
