import type * as pulumi from "@pulumi/pulumi";
import { quoted } from "../../shared/messages/quoted.js";
import type { Problem } from "../kind/argument-problems.js";
import type { AnyKind } from "../kind/kind.js";
import type { GivenArguments } from "../kind/value-roles.js";
import type { Claimant, Deployment } from "./deployment.js";
import { ownerOf, type Settled } from "./settled.js";

export interface Declaration {
  readonly name: string;
  readonly args: GivenArguments;
  readonly options: pulumi.CustomResourceOptions;
  readonly type: string;
  /** The resource that the program gave in place of what refers to it. */
  readonly parent: pulumi.CustomResource | undefined;
}

/** The values of the arguments: some known at once, some later. */
export interface Values {
  readonly known: Readonly<Record<string, Settled>>;
  readonly awaited: Readonly<Record<string, Promise<Settled>>>;
}

export interface Conflicts {
  readonly now: readonly Problem[];
  /** Problems that must be known before this argument may be registered. */
  readonly later?: { readonly argument: string; readonly problems: Promise<readonly Problem[]> };
}

/** Compares a resource with all that were declared before it. */
export function conflictsOf(
  deployment: Deployment,
  kind: AnyKind,
  declared: Declaration,
  { known, awaited }: Values,
): Conflicts {
  const duplicate = importedTwice(deployment, kind, declared);
  if (duplicate !== undefined) return { now: [duplicate] };
  const { once, parent } = kind;
  if (once === undefined) return { now: [] };

  const claim = (place: unknown, label: Settled) => claimed(deployment, kind, declared, place, label);
  const placeOf = (id: Settled | undefined) =>
    id?.known && typeof id.value === "string" ? id.value.toLowerCase() : undefined;
  // A resource is the same place whatever its id will be.
  const placeAtOnce = () =>
    parent === undefined ? providerOf(declared) : (declared.parent ?? placeOf(known[parent.argument]));
  // Where the place itself may be declared once, there is nothing else to compare.
  const label = once.argument === parent?.argument ? ANYTHING : known[once.argument];
  const id = parent && awaited[parent.argument];
  if (label !== undefined && id === undefined) return { now: claim(placeAtOnce(), label) };

  const problems = async (): Promise<Problem[]> => {
    const there = label ?? (await awaited[once.argument]) ?? NOTHING;
    if (parent === undefined || id === undefined) return claim(placeAtOnce(), there);
    const owner = await ownerOf(declared.args[parent.argument]);
    return claim(owner ?? placeOf(await id), there);
  };
  const argument = parent !== undefined && id !== undefined ? parent.argument : once.argument;
  return { now: [], later: { argument, problems: problems() } };
}

const NOTHING: Settled = { known: false, value: undefined, secret: true };
const ANYTHING: Settled = { known: true, value: "anything", secret: true };

/** Claims a label in a place for a resource. @returns the problem if another resource of the program has it */
function claimed(
  deployment: Deployment,
  { name: kind, once }: AnyKind,
  { name, options }: Declaration,
  place: unknown,
  { known, value, secret }: Settled,
): Problem[] {
  if (once === undefined || place === undefined || !known) return [];
  if (typeof value !== "string" || value.trim() === "") return [];
  const key = JSON.stringify([kind, once.form?.(value) ?? value]);
  const imports = options.import !== undefined;
  const other = deployment.claim(place, key, { resource: name, secret: secret !== false, imports });
  // Of two that adopt, only the provider knows whether they adopt the same.
  if (other === undefined || (other.imports && imports)) return [];
  const words = wordsOf(once.words, value, secret !== false || other.secret, other);
  const problem = { argument: once.argument, text: `${kind}.${once.argument}: ${words}` };
  if (!once.tolerated) return [problem];
  deployment.warn(name, problem);
  return [];
}

function importedTwice(deployment: Deployment, kind: AnyKind, declared: Declaration): Problem | undefined {
  const name = declared.options.import;
  if (typeof name !== "string") return undefined;
  const key = JSON.stringify([kind.name, "import", name]);
  const claimant = { resource: declared.name, secret: false, imports: true };
  const other = deployment.claim(providerOf(declared), key, claimant);
  if (other === undefined) return undefined;
  return {
    argument: "import",
    text:
      `${kind.name}.import: ${quoted(name)} is imported by ${quoted(other.resource)} of this program already. Declare ` +
      'it once; a renamed resource needs { aliases: [{ name: "<old name>" }] }.',
  };
}

function wordsOf(words: string, value: string, secret: boolean, other: Claimant): string {
  return `${secret ? "" : `${quoted(value)} `}${words.replace("{other}", quoted(other.resource))}`;
}

/** Returns the provider of a resource: another one may lead to another organization. */
function providerOf({ options, type }: Declaration): pulumi.ProviderResource | "default" {
  return options.provider ?? options.parent?.getProvider(type) ?? "default";
}
