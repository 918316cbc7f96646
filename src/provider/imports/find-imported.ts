import { BuildPipelineError } from "../../client/index.js";
import type { Properties } from "../../protocol/encoded-values.js";
import type { AnyKind } from "../../resources/kind.js";
import { similarNames } from "../../resources/rules/nearest-name.js";
import type { Observed } from "../../resources/value-roles.js";
import { isMissing, messageOf } from "../run/errors.js";
import type { Service } from "../run/service.js";
import { decode, type ObservedObject, sameArgument } from "../values/codec.js";
import { parentKindOf, referenceTo } from "../values/kinds.js";
import type { Where } from "../values/state.js";
import { importForm, importName, NamedObjects } from "./import-name.js";

/** A name for which an object is looked for. */
export interface ImportQuery {
  readonly organization: string;
  readonly kind: AnyKind;
  readonly name: string;
  /** The arguments that the program gives. Where several objects fit the name, the one in the declared parent is meant. */
  readonly declared?: Readonly<Properties>;
  /** Where the name comes from, if not from the option: the engine sends that of `pulumi import`, of `.get` and of the option. */
  readonly from?: "engine" | "command";
}

/** An object that was found by a name. */
export interface ImportedObject extends ObservedObject {
  /** The ids by which `pulumi import` finds it, which are never ambiguous. */
  readonly ids: string;
}

/** An object that fits a name. */
interface Fitting {
  readonly ids: string;
  readonly where: Where;
  readonly entity: object;
}

/** A list without the object that a part of a name stands for. */
interface Miss {
  readonly kind: AnyKind;
  readonly text: string;
  readonly named: NamedObjects;
}

interface Search {
  readonly service: Service;
  readonly organization: string;
  /** Lists that were asked for earlier are too old. */
  readonly since: number | undefined;
  readonly misses: Miss[];
}

/** The most existing names that are listed for a name that no object has. */
const MOST_CANDIDATES = 3;

/**
 * Finds the object that a name stands for: of the option `import`, of the command, of `pulumi import`, and of `.get`. A kind
 * that is a view of what it lives in is named as that is. Imports share lists for some seconds, to save requests. If the
 * name fits no object of a shared list, or several, a new list is read.
 *
 * @throws when the name has the wrong form, nothing has it, or several have it and the program declares the parent of none
 */
export async function findImported(service: Service, query: ImportQuery): Promise<ImportedObject> {
  const begun = service.now();
  try {
    return await findWith(service, query).catch((error: unknown) => {
      if (error instanceof BuildPipelineError) throw error;
      return findWith(service, query, begun);
    });
  } catch (error) {
    const message = messageOf(error);
    // The client's message about a request names no resource.
    throw message.startsWith(query.kind.name) ? error : new Error(`${query.kind.name}.import: ${message}`);
  }
}

async function findWith(service: Service, query: ImportQuery, since?: number): Promise<ImportedObject> {
  const { organization, kind, name, declared, from } = query;
  const { noun } = kind.words;
  const parentKind = parentKindOf(kind);
  const viewed =
    kind.importing === undefined && kind.listedWith === parentKind?.name ? parentKind : undefined;
  if (kind.importing === undefined && (viewed === undefined || from === undefined))
    throw new Error(`${kind.name}.import: there is nothing to import; declare the ${noun} and it is set.`);
  const search: Search = { service, organization, since, misses: [] };
  const fitting = await fittingObjects(search, viewed ?? kind, name);
  const [only, ...others] = fitting.length > 1 ? inDeclaredParent(kind, fitting, declared) : fitting;
  if (only === undefined) throw new Error(nothingNamed(query, search));
  if (others.length > 0) throw new Error(ambiguous(kind, name, fitting));
  const { entity, where, ids } = only;
  if (viewed === undefined) {
    const observed = decode(kind, await complete(service, where, entity));
    return { id: kind.identify(entity), ids, observed: withParent(kind, observed, where.parent) };
  }
  if (kind.exists?.(entity) === false)
    throw new Error(
      `${kind.name}: the ${viewed.words.noun} ${JSON.stringify(name)} has no ${noun}. Deploy it without an import to set one.`,
    );
  return { id: kind.identify(entity), ids, observed: observedOf(kind, entity, entity) };
}

/** Returns all objects that a name fits: a cluster's name and a token's description may both contain slashes. */
async function fittingObjects(search: Search, kind: AnyKind, name: string): Promise<readonly Fitting[]> {
  const { service, organization, since, misses } = search;
  const findIn = async (parent: string, above: string, text: string): Promise<Fitting[]> => {
    const where = { organization, kind, parent };
    const named = new NamedObjects(kind, await service.collections.list(where, since));
    const found = named.find(text);
    if (found.length === 0) misses.push({ kind, text, named });
    return found.map((entity) => ({ ids: importName(above, kind.identify(entity)), where, entity }));
  };
  const parentKind = parentKindOf(kind);
  if (parentKind === undefined) return findIn("", "", name);
  const found = new Map<string, Fitting>();
  for (const { index } of [...name.matchAll(/(?<=.)\/(?=.)/gs)].reverse()) {
    for (const owner of await fittingObjects(search, parentKind, name.slice(0, index))) {
      const parent = String(referenceTo(kind, parentKind, owner.entity));
      for (const one of await findIn(parent, owner.ids, name.slice(index + 1))) found.set(one.ids, one);
    }
  }
  return [...found.values()];
}

/** Returns the objects in the parent that the program declares, or all where it declares another one or none. */
function inDeclaredParent(
  kind: AnyKind,
  fitting: readonly Fitting[],
  declared: Readonly<Properties> = {},
): readonly Fitting[] {
  const argument = kind.parent?.argument;
  if (argument === undefined) return fitting;
  // A view is in the object that it is a view of.
  const parentOf = ({ where, entity }: Fitting) =>
    where.kind === kind ? where.parent : kind.identify(entity);
  const inside = fitting.filter((one) => sameArgument(kind, argument, declared[argument], parentOf(one)));
  return inside.length === 0 ? fitting : inside;
}

function ambiguous(kind: AnyKind, name: string, fitting: readonly Fitting[]): string {
  const [{ where } = { where: { kind } }] = fitting;
  const ids = fitting.map((one) => one.ids).join(", ");
  return (
    `${kind.name}.import: ${fitting.length} ${where.kind.words.noun}s are called ${JSON.stringify(name)}. ` +
    `Name one by its id: ${ids}.`
  );
}

function nothingNamed({ kind, name, from }: ImportQuery, { organization, misses }: Search): string {
  const miss = misses.find((one) => one.kind === kind) ?? misses[0];
  if (miss === undefined)
    return `${kind.name}.import: expected ${importForm(kind)}, got ${JSON.stringify(name)}.`;
  const whose = from === "engine" ? " from the resource, if it has that option" : "";
  const advice = from === "command" ? "" : ` To create one instead, remove import${whose}.`;
  return (
    `${kind.name}.import: the organization "${organization}" has no ${miss.kind.words.noun} ` +
    `${JSON.stringify(miss.text)} that this access token can see. ${candidates(miss)}Expected ${importForm(miss.kind)}.${advice}`
  );
}

/** Describes the objects that exist instead: those with the most similar names. */
function candidates({ text, named: { names } }: Miss): string {
  const listed = new Set<string>();
  const nearest = similarNames(text, [...names.keys()])
    .flatMap((name) => (names.get(name) ?? []).map((id) => ({ name, id })))
    .filter(({ id }) => !listed.has(id) && listed.add(id))
    .slice(0, MOST_CANDIDATES);
  if (nearest.length === 0) return "";
  return `Similar: ${nearest.map(({ name, id }) => `${JSON.stringify(name)} (${id})`).join(", ")}. `;
}

/**
 * Returns the values that the API returned of an object, and the argument that refers to its parent.
 *
 * @param parent the object that it lives in
 */
export function observedOf(kind: AnyKind, entity: object, parent: object | undefined): Observed {
  const parentKind = parentKindOf(kind);
  const reference = parentKind && parent && referenceTo(kind, parentKind, parent);
  return withParent(kind, decode(kind, entity), reference);
}

/** Adds the argument that refers to the parent, which no response has. */
function withParent({ parent }: AnyKind, observed: Observed, reference: unknown): Observed {
  return parent === undefined || reference === undefined
    ? observed
    : { ...observed, [parent.argument]: reference };
}

/** Returns a listed object in full: a list may have less of it than a single read. */
export async function complete(service: Service, where: Where, listed: object): Promise<object> {
  const { kind, organization, parent } = where;
  if (!kind.listIsPartial) return listed;
  const address = { id: kind.identify(listed), parent, known: decode(kind, listed) };
  try {
    return (await kind.calls.get(service.context(organization), address)) ?? listed;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return listed;
  }
}
