import type * as pulumi from "@pulumi/pulumi";
import { quoted } from "../../shared/messages/quoted.js";
import { identityOf } from "../../shared/protocol/identity.js";
import { hasCallbacks, sdk, TRANSFORMATIONS, unknownValue } from "../../shared/protocol/sdk.js";
import { backendOfType } from "../../shared/protocol/type-token.js";
import {
  brokenRules,
  lossesOf,
  type Problem,
  problemsOf,
  problemsOfName,
} from "../kind/argument-problems.js";
import { type AnyKind, secretArguments } from "../kind/kind.js";
import { argumentsOfPaths, partsOfPath, pathsIn } from "../kind/paths.js";
import type { Arguments, Draft, GivenArguments } from "../kind/value-roles.js";
import type { Deployment } from "./deployment.js";
import { isPlain, isPulumiValue, ownerOf, type Settled, settled } from "./settled.js";

export interface Declaration {
  readonly name: string;
  readonly args: GivenArguments;
  readonly options: pulumi.CustomResourceOptions;
  readonly type: string;
  /** The resources that the program gave in place of their ids, by the arguments that name them. */
  readonly resources: ReadonlyMap<string, pulumi.CustomResource>;
  /** Problems with resources and outputs within arguments. */
  readonly misplaced: readonly Problem[];
}

interface Conflicts {
  readonly now: readonly Problem[];
  /** Problems that must be known before this argument may be registered. */
  readonly later?: { readonly argument: string; readonly problems: Promise<readonly Problem[]> };
}

export interface Validated {
  /** The arguments. In a preview a wrong one is unknown, so that the provider does not report it again. */
  readonly args: GivenArguments;
  readonly importName: unknown;
  /**
   * Names of the arguments that are secret: only the program knows. Unknown where a preview cannot: an update plan
   * holds a deployment to whatever the preview said.
   */
  readonly secrets: pulumi.Input<readonly string[]>;
  /** A transform may change the arguments, so none was validated. */
  readonly transformed: boolean;
}

export function unknownOutput(): pulumi.Output<never> {
  return sdk().output(unknownValue());
}

/**
 * Validates a resource before it is registered, by the provider's rules. It validates plain values at once, and an
 * output before the engine gets it. The provider has the last word. It alone validates arguments in `ignoreChanges`,
 * because the state may have other values, and those of a resource that a transform may still change.
 */
export function validate(deployment: Deployment, kind: AnyKind, declared: Declaration): Validated {
  deployment.goOn();
  const { name, args, options } = declared;
  const known: Record<string, Settled> = {};
  const awaited: Record<string, Promise<Settled>> = {};
  for (const argument of new Set([...Object.keys(args), ...Object.keys(kind.arguments)])) {
    const value = args[argument];
    // A reference to a resource of this package is valid, and waiting for it would cost more than all other rules.
    if (declared.resources.has(argument)) continue;
    if (isPlain(value)) known[argument] = { known: true, value, secret: false };
    else awaited[argument] = settled(value);
  }

  const ignored = argumentsOfPaths(options.ignoreChanges);
  const transformed = mayBeTransformed(options);
  const isValidated = (argument: string) => !transformed && !ignored.has(argument) && !ignored.has("*");
  const problemsIn = (argument: string, { known, value, secret }: Settled): Problem[] =>
    known && isValidated(argument) ? problemsOf(kind, argument, value, secret !== false) : [];
  const conflicts =
    transformed || ignored.size > 0 ? { now: [] } : conflictsOf(deployment, kind, declared, known, awaited);
  const problems = Object.entries(known).flatMap(([argument, value]) => problemsIn(argument, value));
  // What gets lost on its way, nobody else can see.
  const others = Object.entries(args).filter(([name]) => name in awaited || !isValidated(name));
  problems.push(...others.flatMap(([name, value]) => lossesOf(kind, name, value, isPulumiValue)));
  problems.push(...declared.misplaced, ...pathsIntoTexts(kind, options));
  // The plugin gets the name, also of a program in another language.
  if (backendOfType(declared.type) === "dynamic") problems.push(...problemsOfName(kind, name));
  if (!transformed && ignored.size === 0) {
    const plain: Arguments = Object.fromEntries(
      Object.entries(known).map(([argument, { value }]) => [argument, value]),
    );
    problems.push(...brokenRules(kind, plain, (argument) => known[argument]?.known === true));
  }
  problems.push(...conflicts.now);
  deployment.refuse(name, problems);

  const validated: Draft<GivenArguments> = { ...args };
  for (const [argument, value] of Object.entries(awaited)) {
    if (problems.some((problem) => problem.argument === argument)) continue;
    validated[argument] = passed(args[argument], async () => {
      const later = conflicts.later?.argument === argument ? await conflicts.later.problems : [];
      return [...problemsIn(argument, await value), ...later];
    });
  }
  for (const { argument } of problems) {
    if (Object.hasOwn(kind.arguments, argument)) validated[argument] = unknownOutput();
    else delete validated[argument];
  }
  const importedTwice = problems.some(({ argument }) => argument === "import");
  return {
    args: validated,
    importName: importedTwice ? unknownOutput() : options.import,
    secrets: Object.keys(awaited).length === 0 ? secretArguments(kind) : secretsAmong(kind, awaited),
    transformed,
  };

  /** Returns the value as it was given, as soon as it is validated, or an unknown one in its place. */
  async function passed(value: unknown, validating: () => Promise<readonly Problem[]>): Promise<unknown> {
    const found = await validating();
    deployment.goOn();
    deployment.refuse(name, found);
    return found.length === 0 ? value : unknownOutput();
  }
}

const PATH_OPTIONS = ["ignoreChanges", "replaceOnChanges", "hideDiffs", "additionalSecretOutputs"] as const;

/** Refuses paths below a document: the engine compares its text, in which such a path names nothing. */
function pathsIntoTexts(kind: AnyKind, options: pulumi.CustomResourceOptions): Problem[] {
  return PATH_OPTIONS.flatMap((option) =>
    pathsIn(options[option]).flatMap((path) => {
      const [argument = "", ...below] = partsOfPath(path);
      const isDocument = Object.hasOwn(kind.arguments, argument) && kind.arguments[argument]?.isDocument;
      if (!isDocument || below.length === 0) return [];
      const text =
        `${kind.name}.${argument}: ${quoted(path)} in ${option} names nothing, because Pulumi's engine gets the argument as ` +
        `one text, also if the program gives an object. Name all of it: ${option}: ["${argument}"].`;
      return [{ argument: option, text }];
    }),
  );
}

/**
 * Checks whether a transform may change a resource after its constructor has validated it: a transform of the resource,
 * of what it lives in, or of the stack. The SDK doesn't tell a stack's transforms from hooks. It keeps nothing of the
 * option `transforms` of a component, which can't be detected.
 */
function mayBeTransformed(options: pulumi.CustomResourceOptions): boolean {
  return [...transformationsOf(options), ...(options.transforms ?? [])].length > 0 || hasCallbacks();
}

/** Returns the functions that the constructor calls to change its arguments: the resource's own and those of its parents. */
export function transformationsOf(options: pulumi.CustomResourceOptions): readonly unknown[] {
  const parent = options.parent ?? sdk().runtime.getStackResource();
  const inherited = parent && TRANSFORMATIONS in parent ? parent[TRANSFORMATIONS] : [];
  return [...(options.transformations ?? []), ...(Array.isArray(inherited) ? inherited : [])];
}

async function secretsAmong(
  kind: AnyKind,
  awaited: Readonly<Record<string, Promise<Settled>>>,
): Promise<readonly string[]> {
  const settled = await Promise.all(
    Object.entries(awaited).map(async ([name, value]) => ({ name, secret: (await value).secret })),
  );
  if (settled.some(({ secret }) => secret === undefined)) return unknownValue();
  const given = settled.filter(({ secret }) => secret).map(({ name }) => name);
  return [...new Set([...given, ...secretArguments(kind)])];
}

/** Compares a resource with all that were declared before it. */
function conflictsOf(
  deployment: Deployment,
  kind: AnyKind,
  declared: Declaration,
  known: Readonly<Record<string, Settled>>,
  awaited: Readonly<Record<string, Promise<Settled>>>,
): Conflicts {
  const duplicate = importedTwice(deployment, kind, declared);
  if (duplicate !== undefined) return { now: [duplicate] };
  const { once, parent } = kind;
  if (once === undefined) return { now: [] };

  const others = (once.also ?? []).map((name) => {
    const resource = declared.resources.get(name);
    const value =
      resource === undefined ? known[name]?.known && known[name].value : deployment.resourceNameOf(resource);
    return typeof value === "string" ? identityOf(value) : undefined;
  });
  // Nothing shows that others differ which aren't known yet.
  if (others.includes(undefined)) return { now: [] };
  const claim = (place: unknown, label: Label) => claimed(deployment, kind, declared, place, label, others);
  const placeOf = (id: Settled | undefined) =>
    id?.known && typeof id.value === "string" ? identityOf(id.value) : undefined;
  // A resource is the same place whatever its id will be.
  const placeAtOnce = () =>
    parent === undefined
      ? providerOf(declared)
      : (declared.resources.get(parent.argument) ?? placeOf(known[parent.argument]));
  // Where the place itself may be declared once, there is nothing else to compare.
  const label = once.argument === parent?.argument ? ANYTHING : labelOf(once, kind, declared, known, awaited);
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

/** @property from the argument that the program gives in place of the label's own */
type Label = Settled & { readonly derived?: true; readonly from?: string };

/** Returns what a resource claims, if that is known now: an argument, the resource in its place, or what it makes of another one. */
function labelOf(
  { argument }: NonNullable<AnyKind["once"]>,
  { unique }: AnyKind,
  { resources }: Declaration,
  known: Readonly<Record<string, Settled>>,
  awaited: Readonly<Record<string, Promise<Settled>>>,
): Label | undefined {
  const given = (name: string): Settled | undefined =>
    resources.has(name) ? { known: true, value: resources.get(name), secret: true } : known[name];
  const own = given(argument);
  const derived = unique?.argument === argument ? unique.derived : undefined;
  if (awaited[argument] !== undefined || derived === undefined || own?.value != null) return own;
  const from = given(derived.from);
  return typeof from?.value === "string" && derived.form !== undefined
    ? { ...from, value: derived.form(from.value), derived: true }
    : { ...(from ?? NOTHING), from: derived.from };
}

const NOTHING: Settled = { known: false, value: undefined, secret: true };
const ANYTHING: Settled = { known: true, value: "anything", secret: true };

/** Claims a label in a place for a resource. @returns the problem if another resource of the program has it */
function claimed(
  deployment: Deployment,
  { name: kind, once }: AnyKind,
  { name, options }: Declaration,
  place: unknown,
  { known, value, secret, derived, from }: Label,
  others: readonly unknown[],
): Problem[] {
  if (once === undefined || place === undefined || !known) return [];
  const text = typeof value === "string" ? value : deployment.resourceNameOf(value);
  if (text === undefined || text.trim() === "") return [];
  const key = JSON.stringify([kind, (once.form ?? identityOf)(text), ...others]);
  const imports = options.import !== undefined;
  const claimant = { resource: name, secret: secret !== false, imports, derived: derived === true };
  const other = deployment.claim(place, key, claimant);
  // Of two that adopt, only the provider knows whether they adopt the same.
  if (other === undefined || (other.imports && imports)) return [];
  const shown = secret !== false || other.secret ? "" : `${quoted(value)} `;
  const { tolerated } = once;
  const isTolerated = tolerated === true || (tolerated !== undefined && (derived === true || other.derived));
  const chosen = isTolerated && tolerated !== true ? tolerated : once.words;
  const words = chosen.replace("{other}", () => quoted(other.resource));
  const argument = from ?? once.argument;
  const problem = { argument, text: `${kind}.${argument}: ${shown}${words}` };
  if (!isTolerated) return [problem];
  deployment.warn(name, problem);
  return [];
}

function importedTwice(deployment: Deployment, kind: AnyKind, declared: Declaration): Problem | undefined {
  const name = declared.options.import;
  if (typeof name !== "string") return undefined;
  const key = JSON.stringify([kind.name, "import", identityOf(name)]);
  const claimant = { resource: declared.name, secret: false, imports: true, derived: false };
  const other = deployment.claim(providerOf(declared), key, claimant);
  if (other === undefined) return undefined;
  return {
    argument: "import",
    text:
      `${kind.name}.import: ${quoted(name)} is imported by ${quoted(other.resource)} of this program already. Declare ` +
      'it once; a renamed resource needs { aliases: [{ name: "<old name>" }] }.',
  };
}

/** Returns the provider of a resource: another one may lead to another organization. */
function providerOf({ options, type }: Declaration): pulumi.ProviderResource | "default" {
  return options.provider ?? options.parent?.getProvider(type) ?? "default";
}
