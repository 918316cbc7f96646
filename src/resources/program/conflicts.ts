import type * as pulumi from "@pulumi/pulumi";
import { quoted } from "../../messages/quoted.js";
import type { AnyKind } from "../kind.js";
import type { Problem } from "../rules/problems.js";
import type { GivenArguments } from "../value-roles.js";
import type { Claimant } from "./claims.js";
import type { Deployment } from "./deployment.js";
import { ownerOf, type Settled } from "./settled.js";

/** A resource as its constructor was called. */
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

/** Problems of a resource with another one of the same program. */
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

  const imports = declared.options.import !== undefined;
  let claimant: Claimant | undefined;
  const claim = (place: string, label: Settled): Problem[] => {
    const { value, secret } = label;
    if (!label.known || typeof value !== "string" || value.trim() === "") return [];
    const key = JSON.stringify([kind.name, place, once.form?.(value) ?? value]);
    claimant ??= { resource: declared.name, secret: secret !== false, imports };
    const other = deployment.claims.claim(key, claimant);
    // Of two that adopt, only the provider knows whether they adopt the same.
    if (other === undefined || (other.imports && imports)) return [];
    const problem = {
      argument: once.argument,
      text: `${kind.name}.${once.argument}: ${wordsOf(once.words, value, secret !== false || other.secret, other)}`,
    };
    if (!once.tolerated) return [problem];
    deployment.warn(declared.name, problem);
    return [];
  };
  // Where the place itself may be declared once, there is nothing else to compare.
  const atOnce = once.argument === parent?.argument ? ANYTHING : known[once.argument];
  const ofLabel = async () => atOnce ?? (await awaited[once.argument]) ?? NOTHING;

  if (parent === undefined) {
    const place = `provider ${providerOf(deployment, declared)}`;
    if (atOnce !== undefined) return { now: claim(place, atOnce) };
    return {
      now: [],
      later: { argument: once.argument, problems: ofLabel().then((it) => claim(place, it)) },
    };
  }

  const claimById = (place: Settled | undefined, label: Settled): Problem[] =>
    place?.known && typeof place.value === "string" ? claim(`id ${place.value.toLowerCase()}`, label) : [];
  // A resource is the same place whatever its id will be.
  const claimIn = (owner: pulumi.Resource, label: Settled): Problem[] =>
    claim(`resource ${deployment.claims.numberOf(owner)}`, label);
  const owner = declared.parent;
  const place = known[parent.argument];
  if (atOnce !== undefined && owner !== undefined) return { now: claimIn(owner, atOnce) };
  if (atOnce !== undefined && place !== undefined) return { now: claimById(place, atOnce) };
  const problems = async (): Promise<Problem[]> => {
    const label = await ofLabel();
    const found = owner ?? (await ownerOf(declared.args[parent.argument]));
    return found === undefined
      ? claimById(place ?? (await awaited[parent.argument]), label)
      : claimIn(found, label);
  };
  const argument = parent.argument in awaited ? parent.argument : once.argument;
  return { now: [], later: { argument, problems: problems() } };
}

const NOTHING: Settled = { known: false, value: undefined, secret: true };
const ANYTHING: Settled = { known: true, value: "anything", secret: true };

function importedTwice(deployment: Deployment, kind: AnyKind, declared: Declaration): Problem | undefined {
  const name = declared.options.import;
  if (typeof name !== "string") return undefined;
  const key = JSON.stringify([kind.name, "import", providerOf(deployment, declared), name]);
  const other = deployment.claims.claim(key, { resource: declared.name, secret: false, imports: true });
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

/** Returns a number for the provider of a resource: another one may lead to another organization. */
function providerOf({ claims }: Deployment, { options, type }: Declaration): number {
  const provider = options.provider ?? options.parent?.getProvider(type);
  return provider === undefined ? 0 : claims.numberOf(provider);
}
