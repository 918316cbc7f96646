import { capitalized } from "../../shared/messages/nouns.js";
import { isShown, type Properties } from "../../shared/protocol/encoded-values.js";
import { type AnyKind, forceArgument, isConnection, type ScopeChoice } from "../kind/kind.js";
import { kinds, lostWith, missingScopes, nounOf, parentKindOf } from "../lifecycle/values/kinds.js";

/** What commands, tests and tools know of kinds. It loads little: `objects.ts` has what needs the lifecycle. */

export { type AnyKind, forceArgument, isConnection, type ScopeChoice } from "../kind/kind.js";
export {
  type ArgumentReview,
  allowedBy,
  type Case,
  directionOf,
  EFFECTS,
  isGrave,
  isNone,
  type Meaning,
  passesBranches,
} from "../kind/review.js";
export {
  areWhole,
  type Candidate,
  haveNoJobs,
  leavesOut,
  namesIn,
  remarksOn,
  type StepName,
  type StepRemark,
} from "../kind/steps.js";
export { documentOf, documentsIn, plainYaml, problemOfYaml, valueOfYaml } from "../kind/yaml-text.js";
export { sameOnService } from "../lifecycle/values/codec.js";
export {
  accessTo,
  contentKindsOf,
  grammar,
  importForm,
  kindNamed,
  kinds,
  listKindOf,
  losesSecret,
  lostWith,
  missingScopes,
  nounOf,
  parentKindOf,
  scopesInWords,
} from "../lifecycle/values/kinds.js";
export { Cluster, Queue } from "../resources/index.js";

/** Returns the kind of the objects in which people look for those of a kind, and the argument that names one. */
export function placeIn(kind: AnyKind): { readonly kind: string; readonly argument: string } | undefined {
  const places = Object.entries(kind.arguments).flatMap(([argument, { refersTo = "", takesResource }]) =>
    takesResource && canContain(refersTo) ? [{ kind: refersTo, argument }] : [],
  );
  return kind.parent ?? (kind.isSetting ? undefined : places[0]);
}

/** Returns the same by a kind's name; nothing for one that is in the organization. */
export function placeOfKind(name: string): Partial<NonNullable<ReturnType<typeof placeIn>>> {
  const kind = kinds.get(name);
  return (kind && placeIn(kind)) ?? {};
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

export function kindOfAnyCase(name: string): AnyKind | undefined {
  return [...kinds.values()].find((kind) => kind.name.toLowerCase() === name.toLowerCase());
}

export function kindNames(): string {
  return [...kinds.keys()].join(", ");
}

export function parentArgument(kind: string): string | undefined {
  return kinds.get(kind)?.parent?.argument;
}

/** Checks whether objects of a kind only set something of others, which keep it without them: a default, an assignment. */
export function isSettingKind(name: string): boolean {
  const kind = kinds.get(name);
  return kind === undefined || kind.view !== undefined || (!kind.isPair && isConnection(kind));
}

/** Returns the argument of a pair that says how much its group may do; undefined for other kinds. */
export function levelArgument(kind: string): string | undefined {
  const { isPair, arguments: fields = {} } = kinds.get(kind) ?? {};
  return isPair ? Object.keys(fields).find((name) => fields[name]?.review?.levels !== undefined) : undefined;
}

/** Returns the levels of what a group may use, from little to much. */
export function levelsOf(kind: AnyKind): readonly string[] {
  return kind.arguments[levelArgument(kind.name) ?? ""]?.review?.levels ?? [];
}

/** Returns the argument with what a group may use; undefined for a membership. */
export function useArgument({ arguments: fields }: AnyKind): string | undefined {
  return Object.entries(fields).find(([, { goesWith }]) => goesWith)?.[0];
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

/** Returns what a deletion needs beyond reading and writing: the scopes that read what would be lost with the object. */
export function deletionScopes(kind: AnyKind): ScopeChoice[] {
  const lost = forceArgument(kind) === undefined ? [] : lostWith(kind.name);
  return missingScopes(
    [...new Set(lost.flatMap(({ scopes }) => scopes.read))],
    new Set(kind.scopes.read.flat()),
  );
}
