import { sections } from "../../../client/sections.js";
import { alphabetically } from "../../../shared/messages/alphabet.js";
import { capitalized } from "../../../shared/messages/nouns.js";
import { isShown, type Properties } from "../../../shared/protocol/encoded-values.js";
import { type AnyKind, forceArgument, isConnection, type ScopeChoice } from "../../kind/kind.js";
import type { Grammar } from "../../kind/steps.js";
import * as resources from "../../resources/index.js";

/** The catalog of kinds, and what their descriptions say together. */

export { type AnyKind, forceArgument, isConnection, type ScopeChoice } from "../../kind/kind.js";
export {
  type ArgumentReview,
  directionOf,
  EFFECTS,
  isGrave,
  isNone,
  type Meaning,
} from "../../kind/review.js";
export { type Candidate, namesIn, remarksOn, type StepRemark } from "../../kind/steps.js";
export { documentOf, plainYaml, problemOfYaml, valueIn } from "../../kind/yaml-text.js";
export { sameOnService } from "./codec.js";

/** Every kind by its name: in the order of the client's groups, and none before a kind that it refers to. */
export const kinds: ReadonlyMap<string, AnyKind> = new Map(
  inOrder(Object.values(resources).map(({ kind }): AnyKind => kind)).map((kind) => [kind.name, kind]),
);

/** How steps name the objects of the kinds that they can name. */
export const grammar: Grammar = new Map(
  [...kinds.values()].flatMap(({ name, inSteps }) =>
    inSteps === undefined ? [] : [[name, inSteps] as const],
  ),
);

export function kindNamed(name: string): AnyKind | undefined {
  return kinds.get(name);
}

export function parentKindOf({ parent }: AnyKind): AnyKind | undefined {
  return parent && kinds.get(parent.kind);
}

/** Returns the kind of the objects that an argument names; undefined where it names none. */
export function kindOfArgument(
  { parent, arguments: fields }: AnyKind,
  argument: string,
): AnyKind | undefined {
  return kinds.get(parent?.argument === argument ? parent.kind : (fields[argument]?.refersTo ?? ""));
}

/** Returns the kinds with an argument that refers to an object of a kind, without those of which it is the parent. */
export function referringTo({ name }: AnyKind): AnyKind[] {
  return [...kinds.values()].filter(
    ({ parent, arguments: fields }) =>
      parent?.kind !== name && Object.values(fields).some(({ refersTo }) => refersTo === name),
  );
}

/** Returns the kind of the objects in which people look for those of a kind, and the argument that names one. */
export function placeIn(kind: AnyKind): { readonly kind: string; readonly argument: string } | undefined {
  const places = Object.entries(kind.arguments).flatMap(([argument, { refersTo = "", takesResource }]) =>
    takesResource && canContain(refersTo) ? [{ kind: refersTo, argument }] : [],
  );
  return kind.parent ?? places[0];
}

/** Returns a kind and those of the objects that one of it is in, outwards. */
export function withParents(kind: AnyKind): AnyKind[] {
  const parent = parentKindOf(kind);
  return [kind, ...(parent === undefined ? [] : withParents(parent))];
}

/** Checks whether objects of a kind refer to others than those in the same place, so that neither comes first. */
export function refersElsewhere(kind: AnyKind): boolean {
  const rootOf = (one: AnyKind) => withParents(one).at(-1);
  return (
    kind.parent !== undefined &&
    Object.values(kind.arguments).some(({ refersTo = "" }) => {
      const other = kinds.get(refersTo);
      return other !== undefined && rootOf(other) !== rootOf(kind);
    })
  );
}

/** Returns the default of a place, such as a cluster's default queue, that resources of a kind set; undefined for most. */
export function defaultSetBy(kind: string) {
  const { view, arguments: fields = {} } = kinds.get(kind) ?? {};
  const found = view && Object.entries(fields).find(([, { refersTo = view.of }]) => refersTo !== view.of);
  return found && { argument: found[0], of: found[1].refersTo };
}

/**
 * Returns how jobs get to the objects of a kind: they name one of them, one holds what they name, or it names what takes
 * the others. Undefined for what has no jobs.
 */
export function jobsIn(kind: string): "by name" | "inside" | "by default" | undefined {
  if (kinds.get(kind)?.review?.usedBy !== "jobs") return undefined;
  return canContain(kind) ? "inside" : defaultSetBy(kind) ? "by default" : "by name";
}

/** Returns the kind whose objects jobs and agents name. */
export function queueKind(): string {
  return [...kinds.keys()].find((kind) => jobsIn(kind) === "by name") ?? "";
}

/** Returns the kind with the list of a kind's objects: its own, or that of which they are views. */
export function listKindOf(kind: AnyKind): AnyKind {
  return (kind.view === undefined ? undefined : kinds.get(kind.view.of)) ?? kind;
}

function inOrder(all: readonly AnyKind[]): AnyKind[] {
  const placeOf = ({ section }: AnyKind) => sections.indexOf(section);
  const waiting = all.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || alphabetically(one.name, other.name),
  );
  const ordered: AnyKind[] = [];
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const ready = waiting.findIndex((kind) => !referencesOf(kind).some((name) => names.has(name)));
    ordered.push(...waiting.splice(Math.max(ready, 0), 1));
  }
  return ordered;
}

function referencesOf({ name, parent, arguments: fields }: AnyKind): string[] {
  const named = Object.values(fields).map(({ refersTo }) => refersTo);
  return [parent?.kind, ...named].filter((other): other is string => other !== undefined && other !== name);
}

export function kindOfAnyCase(name: string): AnyKind | undefined {
  return [...kinds.values()].find((kind) => kind.name.toLowerCase() === name.toLowerCase());
}

export function kindNames(): string {
  return [...kinds.keys()].join(", ");
}

export function parentArgument(kind: string): string | undefined {
  return kinds.get(kind)?.parent?.argument;
}

/** Returns the types of resources that can be in one of a type, or in the organization itself, without mere marks. */
export function contentKindsOf(parent: string | undefined): AnyKind[] {
  return [...kinds.values()].filter((kind) => kind.parent?.kind === parent && kind.view === undefined);
}

/** Returns the types of what is lost with an object of a type. An assignment to it, such as a maintainer's, is no loss. */
export function lostWith(parent: string): AnyKind[] {
  return contentKindsOf(parent).filter((kind) => kind.isPair || !isConnection(kind));
}

/** Checks whether objects of a kind only set something of others, which keep it without them: a default, an assignment. */
export function isSettingKind(name: string): boolean {
  const kind = kinds.get(name);
  return kind === undefined || kind.view !== undefined || (!kind.isPair && isConnection(kind));
}

/** Returns the kind of the pairs by which people can see an object that is hidden from others. */
export function accessTo({ name, hidden }: AnyKind): AnyKind | undefined {
  const leadsTo = ({ isPair, arguments: fields }: AnyKind) =>
    isPair && Object.values(fields).some(({ goesWith, refersTo }) => goesWith && refersTo === name);
  return hidden && [...kinds.values()].find(leadsTo);
}

/** Returns the argument of a pair that says how much its group may do; undefined for other kinds. */
export function levelArgument(kind: string): string | undefined {
  const { isPair, arguments: fields = {} } = kinds.get(kind) ?? {};
  return isPair ? Object.keys(fields).find((name) => fields[name]?.review?.levels !== undefined) : undefined;
}

/** Returns the kinds by which a person belongs to the groups of such pairs: the group itself, and its memberships. */
export function groupsOf({ parent }: AnyKind): AnyKind[] {
  const isMembership = (kind: AnyKind) =>
    kind.isPair &&
    kind.parent?.kind === parent?.kind &&
    !Object.values(kind.arguments).some(({ goesWith }) => goesWith);
  return [...kinds.values()].filter((kind) => kind.name === parent?.kind || isMembership(kind));
}

export function labelIn(kind: string, properties: Readonly<Properties>): unknown {
  const { label = "name", knownBy = [] } = kinds.get(kind)?.words ?? {};
  return properties[knownBy.find((name) => isShown(properties[name])) ?? label];
}

/** Checks whether a type has a place of its own in drawings and reports: others live in it, and it is in no other. */
export function canContain(kind: string): boolean {
  const own = kinds.get(kind);
  if (own === undefined || (own.parent === undefined && placeIn(own) !== undefined)) return false;
  return lostWith(kind).some(({ isPair }) => !isPair);
}

/** Returns what a reviewer calls a resource type: `agent token`. */
export function nounOf(kind: string): string {
  const words = kinds.get(kind)?.words;
  return words?.full ?? words?.noun ?? kind;
}

/** Returns what a drawing calls one object of a type: `token`. */
export function shortNounOf(kind: string): string {
  const words = kinds.get(kind)?.words;
  return words?.short ?? words?.noun ?? kind;
}

export function titleOf(kind: string): string {
  return `${capitalized(nounOf(kind))}s`;
}

export function kindsInClusters(): Set<string> {
  const isInside = (kind: AnyKind) => withParents(kind).some(({ name }) => canContain(name));
  return new Set([...kinds].flatMap(([name, kind]) => (isInside(kind) ? [name] : [])));
}

/** Returns how an import name names an object of a kind: `<cluster uuid|name>/<queue uuid|key>`. */
export function importForm(kind: AnyKind): string | undefined {
  const parent = parentKindOf(kind);
  if (parent === undefined || kind.importing === undefined) return kind.importing?.form;
  return `${importForm(parent)}/${kind.importing.form}`;
}

export function missingScopes(needed: readonly ScopeChoice[], has: ReadonlySet<string>): ScopeChoice[] {
  return needed.filter((alternatives) => !alternatives.some((scope) => has.has(scope)));
}

/** Returns what a deletion needs beyond reading and writing: the scopes that read what would be lost with the object. */
export function deletionScopes(kind: AnyKind): ScopeChoice[] {
  const lost = forceArgument(kind) === undefined ? [] : lostWith(kind.name);
  return missingScopes(
    [...new Set(lost.flatMap(({ scopes }) => scopes.read))],
    new Set(kind.scopes.read.flat()),
  );
}

/** Lists scopes in a message: `read_teams or view_teams, write_teams`. */
export function scopesInWords(choices: readonly ScopeChoice[]): string {
  return choices.map((alternatives) => alternatives.join(" or ")).join(", ");
}

/** Returns whether only the response to the creation has a secret of the object. */
export function losesSecret(kind: AnyKind): boolean {
  return Object.values(kind.outputs).some(({ secret }) => secret === "once");
}
