import { sections } from "../../../client/sections.js";
import { alphabetically } from "../../../shared/messages/alphabet.js";
import { type AnyKind, isConnection, type ScopeChoice } from "../../kind/kind.js";
import type { Grammar } from "../../kind/steps.js";
import * as resources from "../../resources/index.js";

/** The catalog of kinds, and what their descriptions say together to the lifecycle and the functions. */

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

/** Returns the types of resources that can be in one of a type, or in the organization itself, without mere marks. */
export function contentKindsOf(parent: string | undefined): AnyKind[] {
  return [...kinds.values()].filter((kind) => kind.parent?.kind === parent && kind.view === undefined);
}

/** Returns the types of what is lost with an object of a type. An assignment to it, such as a maintainer's, is no loss. */
export function lostWith(parent: string): AnyKind[] {
  return contentKindsOf(parent).filter((kind) => kind.isPair || !isConnection(kind));
}

/** Returns the kind of the pairs by which people can see an object that is hidden from others. */
export function accessTo({ name, hidden }: AnyKind): AnyKind | undefined {
  const leadsTo = ({ isPair, arguments: fields }: AnyKind) =>
    isPair && Object.values(fields).some(({ goesWith, refersTo }) => goesWith && refersTo === name);
  return hidden && [...kinds.values()].find(leadsTo);
}

/** Returns the kinds by which a person belongs to the groups of such pairs: the group itself, and its memberships. */
export function groupsOf({ parent }: AnyKind): AnyKind[] {
  const group = kinds.get(parent?.kind ?? "");
  return group === undefined ? [] : [group, ...membershipsIn(group)];
}

/** Returns the pairs by which a person belongs to a group. */
export function membershipsIn(group: AnyKind): AnyKind[] {
  return [...kinds.values()].filter(
    ({ isPair, parent, arguments: fields }) =>
      isPair && parent?.kind === group.name && !Object.values(fields).some(({ goesWith }) => goesWith),
  );
}

/** Returns what a reviewer calls a resource type: `agent token`. */
export function nounOf(kind: string): string {
  const words = kinds.get(kind)?.words;
  return words?.full ?? words?.noun ?? kind;
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

/** Lists scopes in a message: `read_teams or view_teams, write_teams`. */
export function scopesInWords(choices: readonly ScopeChoice[]): string {
  return choices.map((alternatives) => alternatives.join(" or ")).join(", ");
}

/** Returns whether only the response to the creation has a secret of the object. */
export function losesSecret(kind: AnyKind): boolean {
  return Object.values(kind.outputs).some(({ secret }) => secret === "once");
}
