import { BuildPipelineError } from "../../../client/index.js";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { withCode } from "../../../shared/protocol/message-codes.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Arguments, Observed } from "../../kind/value-roles.js";
import { isMissing, messageOf } from "../run/errors.js";
import type { RunService } from "../run/service.js";
import { decode, sameArgument } from "../values/codec.js";
import { importForm, parentKindOf } from "../values/kinds.js";
import { idIn, type Where } from "../values/state.js";
import { importName, NamedObjects } from "./import-name.js";

interface ImportQuery {
  readonly organization: string;
  readonly kind: AnyKind;
  readonly name: string;
  /** The arguments that the program gives. Where several objects fit the name, the one in the declared parent is meant. */
  readonly declared?: Readonly<Properties>;
  /** Where the name comes from, if not from the option: the engine sends that of `pulumi import`, of `.get` and of the option. */
  readonly from?: "engine" | "command";
}

interface Fitting {
  /** The ids by which `pulumi import` finds it, which are never ambiguous. */
  readonly ids: string;
  readonly where: Where;
  readonly entity: object;
}

/** A list without the object that a part of a name stands for. */
interface Miss {
  readonly kind: AnyKind;
  readonly text: string;
  readonly similar: string;
}

/**
 * Finds the object that a name stands for: of the option `import`, of the command, of `pulumi import`, and of `.get`. A kind
 * that is a view of what it lives in is named as that is. Imports share lists for some seconds, to save requests. If the
 * name fits no object of a shared list, or several, a new list is read.
 */
export async function findImported(service: RunService, query: ImportQuery) {
  const begun = service.now();
  try {
    return await findWith(service, query).catch((error: unknown) => {
      if (error instanceof BuildPipelineError) throw error;
      return findWith(service, query, begun);
    });
  } catch (error) {
    if (error instanceof NoImport) throw error;
    throw new Error(`${query.kind.name}.import: ${messageOf(error)}`, { cause: error });
  }
}

/** Why a name stands for no object that can be imported. It names the resource, which what fails below does not. */
class NoImport extends Error {}

/** @param since lists that were asked for earlier are too old */
async function findWith(service: RunService, query: ImportQuery, since?: number) {
  const { organization, kind, name, declared, from } = query;
  const { noun } = kind.words;
  const parentKind = parentKindOf(kind);
  const viewed = kind.importing === undefined && kind.view?.of === parentKind?.name ? parentKind : undefined;
  if (kind.importing === undefined && (viewed === undefined || from === undefined))
    // Error nothing-to-import: `ClusterDefaultQueue` of the dynamic provider doesn't take the option `import`:
    // declaring it sets the default queue.
    // Fix: Remove `import`. To import the default queue as it is, use `npx pulumi-buildpipeline import`.
    throw new NoImport(
      withCode(
        `${kind.name}.import: there is nothing to import; declare the ${noun} and it is set.`,
        "nothing-to-import",
      ),
    );
  const misses: Miss[] = [];
  const findIn = async (where: Where, above: string, text: string): Promise<Fitting[]> => {
    const named = new NamedObjects(where.kind, await service.collections.list(where, since));
    const found = await findNamed(named, text, where);
    if (found.length === 0) misses.push({ kind: where.kind, text, similar: named.similarTo(text) });
    return found.map((entity) => ({ ids: importName(above, where.kind.identify(entity)), where, entity }));
  };
  const findNamed = async (named: NamedObjects, text: string, { kind }: Where) => {
    const found = named.find(text);
    if (found.length > 0) return found;
    const context = service.context(organization);
    const id = await kind.importing?.idOf?.(context, text);
    if (id !== undefined) return named.find(id);
    const unlisted = await kind.unique?.holder?.(context, text);
    return unlisted === undefined ? [] : [unlisted];
  };
  const named = await fittingObjects(findIn, organization, viewed ?? kind, name);
  if (named.length === 0) throw new NoImport(nothingNamed(query, misses));
  const fitting = viewed === undefined ? named : viewsOf(kind, viewed, named);
  const [only, ...others] = fitting.length > 1 ? inDeclaredParent(kind, fitting, declared) : fitting;
  if (only === undefined) {
    const owner = `${viewed?.words.noun} ${JSON.stringify(name)}`;
    throw new NoImport(`${kind.name}: the ${owner} has no ${noun}. Deploy it without an import to set one.`);
  }
  if (others.length > 0) {
    const ids = fitting.map((one) => one.ids).join(", ");
    const several = `${fitting.length} ${noun}s are called ${JSON.stringify(name)}`;
    throw new NoImport(`${kind.name}.import: ${several}. Name one by its id: ${ids}.`);
  }
  const { entity, where, ids } = only;
  const whole = await withStated(service, where, await complete(service, where, entity), declared);
  const { refusal, warnings = [] } = kind.importing?.judged?.(whole) ?? {};
  if (refusal !== undefined) throw new NoImport(`${kind.name}.import: the ${noun} ${ids} ${refusal}`);
  return { id: idIn(where, entity), ids, observed: observedOf(kind, whole, where.parent), warnings };
}

/** Returns all objects that a name fits: a cluster's name and a token's description may both contain slashes. */
async function fittingObjects(
  findIn: (where: Where, above: string, text: string) => Promise<Fitting[]>,
  organization: string,
  kind: AnyKind,
  name: string,
): Promise<Fitting[]> {
  const parentKind = parentKindOf(kind);
  if (parentKind === undefined) return findIn({ organization, kind, parent: "" }, "", name);
  const found = new Map<string, Fitting>();
  for (const { index } of [...name.matchAll(/(?<=.)\/(?=.)/gs)].reverse()) {
    for (const owner of await fittingObjects(findIn, organization, parentKind, name.slice(0, index))) {
      const where = { organization, kind, parent: parentKind.identify(owner.entity) };
      for (const one of await findIn(where, owner.ids, name.slice(index + 1))) found.set(one.ids, one);
    }
  }
  return [...found.values()];
}

/** Returns the views that some objects have, such as a cluster's default queue. */
function viewsOf(kind: AnyKind, viewed: AnyKind, named: readonly Fitting[]): readonly Fitting[] {
  return named
    .filter(({ entity }) => kind.view?.exists(entity) !== false)
    .map((one) => ({ ...one, where: { ...one.where, kind, parent: viewed.identify(one.entity) } }));
}

/** Returns the objects in the parent that the program declares, or all where it declares another one or none. */
function inDeclaredParent(
  kind: AnyKind,
  fitting: readonly Fitting[],
  declared: Readonly<Properties> = {},
): readonly Fitting[] {
  const argument = kind.parent?.argument ?? "";
  const inside = fitting.filter(({ where }) =>
    sameArgument(kind, argument, declared[argument], where.parent),
  );
  return inside.length === 0 ? fitting : inside;
}

function nothingNamed({ organization, kind, name, from }: ImportQuery, misses: readonly Miss[]): string {
  const { kind: missing, text, similar } = misses.find((one) => one.kind === kind) ?? misses[0] ?? {};
  if (missing === undefined)
    return `${kind.name}.import: expected ${importForm(kind)}, got ${JSON.stringify(name)}.`;
  const whose = from === "engine" ? " from the resource, if it has that option" : "";
  const advice = from === "command" ? "" : ` To create one instead, remove import${whose}.`;
  return (
    `${kind.name}.import: the organization "${organization}" has no ${missing.words.noun} ${JSON.stringify(text)} that this ` +
    `access token can see. ${similar}Expected ${importForm(missing)}.${advice}`
  );
}

/** Adds the argument that refers to the parent, which no response has. */
export function observedOf(kind: AnyKind, entity: object, parent: unknown): Observed {
  const observed = decode(kind, entity);
  return kind.parent === undefined || parent === undefined
    ? observed
    : { ...observed, [kind.parent.argument]: parent };
}

/** Returns an object with what a program states and only a request of its own reads. */
export async function withStated(
  service: RunService,
  { kind, organization }: Where,
  entity: object,
  args: Arguments = {},
): Promise<object> {
  return (await kind.behavior.stated?.(service.context(organization), entity, args)) ?? entity;
}

/** Returns a listed object in full: a list may have less of it than a single read. */
export async function complete(service: RunService, where: Where, listed: object): Promise<object> {
  const { kind, organization, parent } = where;
  const known = decode(kind, listed);
  const lacks = Object.entries(kind.arguments).some(
    ([name, { mayBeLeftOut }]) => mayBeLeftOut === "in lists" && !(name in known),
  );
  if (!lacks) return listed;
  const address = { id: idIn(where, listed), parent, known };
  try {
    return (await kind.behavior.get(service.context(organization), address)) ?? listed;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return listed;
  }
}
