import { isDeepStrictEqual } from "node:util";
import type { Action } from "../../cli/drawing/actions.js";
import type { State } from "../../cli/pulumi/state.js";
import { type AnyKind, isNone, kinds, plainYaml, sameOnService } from "../../provider/for-commands/kinds.js";
import { type DiffLine, lineDiff } from "../../shared/messages/lines.js";
import {
  isMasked,
  isShown,
  isUnknown,
  type Properties,
  UNKNOWN,
} from "../../shared/protocol/encoded-values.js";
import { UNNAMED } from "../../shared/protocol/properties.js";
import type { Called, Place, PlanNames } from "./names.js";
import type { Resource, Resources } from "./resources.js";
import { type Source, sourceOf } from "./source.js";
import { changedSteps, type StepChange } from "./step-pieces.js";
import type { Part } from "./text.js";

/**
 * A planned change of one object. This is the model that the report, the impact, the drawing and `drain` read: names
 * are Buildkite's, of now and of afterwards.
 */
export interface PlannedChange extends Called {
  readonly urn: string;
  readonly kind: string;
  readonly action: Action;
  /** An earlier deployment replaced the object and couldn't delete it, so this one does. */
  readonly pending: boolean;
  /** It is deleted before its replacement is created. */
  readonly isDeletedFirst: boolean;
  /** Id of the object as it is now; undefined if the object does not exist yet. */
  readonly id: string | undefined;
  /** Inputs and outputs as they are, and as they will be. */
  readonly before: Outputs;
  readonly after: Outputs;
  /** Where it is now or, before its creation, later. */
  readonly place: Place | undefined;
  /** Where its replacement will be, if that is another place. */
  readonly movesTo: Place | undefined;
  /** Outputs of the component that it is in, as the last deployment left them; undefined where no input shows them. */
  readonly component: Outputs | undefined;
  readonly changed: readonly ArgumentChange[];
  /** Arguments that were changed outside of the program, and get the program's values again. */
  readonly undoes: readonly string[];
  /** The line that declares it or, of an object that the program no longer has, that declared it. */
  readonly source: Source | undefined;
  /** The import name of the existing object that it becomes. */
  readonly adopts?: string;
  /** Returns the value of a property, with names in place of ids. */
  value(name: string, when: When): Part;
  /** Returns any other value of it in words. */
  shown(value: unknown): Part;
  /** Returns what identifies the object that an argument names: its URN if it is in the stack, or else its id. */
  refersTo(argument: string, when: When): string | undefined;
}

type When = "before" | "after";

/** An argument that changes or, of a new object, that is set. */
export interface ArgumentChange {
  readonly name: string;
  /** The value, or words in its place: `secret`, `known after deployment`. A known value has a code mark. */
  readonly before: Part;
  readonly after: Part;
  readonly unknown: boolean;
  /** It will be the id of an object that the preview identifies. */
  readonly isNamed?: true;
  readonly replaces: boolean;
  /** The whole texts, if both are known and not secret, and have several lines. Of a document, what it means. */
  readonly texts?: { readonly before: string; readonly after: string };
  /** The steps that differ, if such a text has steps. */
  readonly steps?: readonly StepChange[];
  /** Only the layout, the comments or the order of keys of a document differ. */
  readonly isLayout?: true;
  /** What differs within a map or a list, if both values are known. */
  readonly entries?: readonly Entry[];
}

/** An entry of a map with its key, or one that only one of two lists has. */
interface Entry {
  readonly key?: string;
  readonly values: readonly [before: unknown, after: unknown];
  readonly before: Part;
  readonly after: Part;
}

/** A change that somebody made outside of the program, and what the deployment does to it. */
export type OutOfBand = PlannedChange & {
  /** `undone`: the deployment sets the program's value, or creates the object again. `kept`: it leaves it alone. */
  readonly fate: "undone" | "kept";
  /** The program leaves it to operators, so it is no drift. */
  readonly byOperator: boolean;
};

/** Returns what somebody changed that the program doesn't state, and that operators don't change. */
export function unmanagedAmong(some: readonly OutOfBand[]): OutOfBand[] {
  return some.filter(({ action, fate, byOperator }) => action === "update" && fate === "kept" && !byOperator);
}

type Outputs = Readonly<Properties>;

export function changeOf(
  resource: Resource,
  action: Action,
  names: PlanNames,
  components: ReadonlyMap<string, Outputs>,
  undoes: readonly string[] = [],
): PlannedChange {
  const { urn, kind, pending, before, after } = resource;
  const now = names.placeOf(kind, before);
  const later = names.placeOf(kind, after);
  const moves = action === "replace" && now && later && now.key !== later.key;
  const adopts = action === "adopt" ? after?.inputs.import : undefined;
  return {
    urn,
    kind,
    action,
    pending,
    isDeletedFirst: resource.isDeletedFirst === true,
    id: before?.id,
    ...names.called(resource, now?.id),
    before: before?.properties ?? {},
    after: after?.properties ?? {},
    place: now ?? later,
    movesTo: moves ? later : undefined,
    component: components.get(before?.parent ?? ""),
    changed: argumentChanges(resource, action, names),
    undoes,
    source: sourceOf(after ?? before),
    ...(typeof adopts === "string" && {
      adopts: adopts === UNKNOWN ? "(known after deployment)" : names.masking.text(adopts),
    }),
    value: (name, when) => {
      const state = when === "before" ? before : (after ?? before);
      return names.value(kind, name, ownValue(state?.properties, name), state?.propertyDependencies[name]);
    },
    shown: (value) => names.masking.value(value),
    refersTo: (argument, when) => names.keyIn(kind, argument, when === "before" ? before : after),
  };
}

/** Arguments that are not values of the program. */
const isInternal = (name: string) => name.startsWith("__");
const isShownElsewhere = (name: string) => isInternal(name) || name === "organization" || name === "import";

function argumentChanges(resource: Resource, action: Action, names: PlanNames): ArgumentChange[] {
  const { kind, before, after, reasons, replaceReasons } = resource;
  const isMade = action === "create" || action === "adopt";
  const shown = isMade
    ? Object.keys(after?.inputs ?? {}).filter((name) => !isShownElsewhere(name))
    : reasons.filter((name) => !isInternal(name) && (action === "update" || action === "replace"));
  return shown.map((name) => {
    const old = ownValue(before?.properties, name);
    const next = ownValue(before === undefined ? after?.inputs : after?.properties, name);
    const entries = before && !names.masking.withholds && entriesOf(kind, name, old, next, names);
    const value = names.value(kind, name, next, after?.propertyDependencies[name]);
    return {
      name,
      before: names.value(kind, name, old),
      after: isMasked(old) && isMasked(next) ? "another secret" : value,
      unknown: isUnknown(next),
      ...(next === UNKNOWN && typeof value === "object" && { isNamed: true }),
      replaces: !isMade && replaceReasons.includes(name),
      ...(!isMade && textsOf(kinds.get(kind), name, old, next, names)),
      ...(entries && { entries }),
    };
  });
}

function textsOf(
  described: AnyKind | undefined,
  name: string,
  old: unknown,
  next: unknown,
  { masking }: PlanNames,
): Pick<ArgumentChange, "texts" | "steps" | "isLayout"> {
  const fields = described?.arguments ?? {};
  const isPlain = (value: unknown): value is string =>
    typeof value === "string" && isShown(value) && !masking.withholds;
  const isDocument = Object.hasOwn(fields, name) && fields[name]?.isDocument === true;
  // A document that comes or goes is read as a whole. Steps are never missing: then others run.
  if (isDocument && !fields[name]?.hasSteps && isNone(old) !== isNone(next)) {
    const [before, after] = [old ?? "", next ?? ""];
    const isLong = isPlain(before) && isPlain(after) && `${before}${after}`.trimEnd().includes("\n");
    return isLong ? { texts: { before: masking.text(before), after: masking.text(after) } } : {};
  }
  if (!isPlain(old) || !isPlain(next) || !(isDocument || `${old}${next}`.includes("\n"))) return {};
  const [before, after] = isDocument ? plainDocuments(old, next) : [old, next];
  const isLayout = isDocument && described !== undefined && sameOnService(described, name, old, next);
  const texts = { before: masking.text(before), after: masking.text(after) };
  const steps = fields[name]?.hasSteps && !isLayout ? changedSteps(texts.before, texts.after) : undefined;
  return { texts, ...(steps && { steps }), ...(isLayout && { isLayout: true }) };
}

/** Returns two documents as the program has them or, if their layout differs as well, without what means nothing. */
function plainDocuments(old: string, next: string): readonly [string, string] {
  const plain = [plainYaml(old), plainYaml(next)] as const;
  const [own, meant] = [lineDiff(old, next), lineDiff(...plain)];
  const isLayout = ({ sign, text }: DiffLine) => (sign === "+" || sign === "-") && /^\s*(?:#|$)/.test(text);
  const isMore = own.added + own.removed > meant.added + meant.removed;
  return isMore || own.lines.some(isLayout) ? plain : [old, next];
}

/** Returns what differs between two maps or two lists. Keys that the program doesn't name stay as they are. */
function entriesOf(
  kind: string,
  name: string,
  old: unknown,
  next: unknown,
  names: PlanNames,
): Entry[] | undefined {
  const field = kinds.get(kind)?.arguments[name];
  const was =
    field?.concerned === undefined || isNone(old) || isNone(next) || !isMap(old) || !isMap(next)
      ? old
      : field.concerned(old, next);
  const entry = (before: unknown, after: unknown, key?: string): Entry => ({
    ...(key !== undefined && { key }),
    values: [before, after],
    before: isNone(before) ? "none" : names.value(kind, name, before),
    after: isNone(after) ? "none" : names.value(kind, name, after),
  });
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  if (Array.isArray(was ?? next) && Array.isArray(next ?? was)) {
    const [before, after] = [was, next].map((value): readonly unknown[] =>
      Array.isArray(value) ? value : [],
    );
    const only = (own: readonly unknown[] = [], others: readonly unknown[] = []) =>
      own.filter((one) => !others.some((other) => isSame(one, other)));
    if ((before ?? []).length + (after ?? []).length < 2) return undefined;
    return [
      ...only(after, before).map((one) => entry(undefined, one)),
      ...only(before, after).map((one) => entry(one, undefined)),
    ];
  }
  if (!isMap(was) || !isMap(next)) return undefined;
  return [...new Set([...Object.keys(was), ...Object.keys(next)])]
    .filter((key) => !isSame(ownValue(was, key), ownValue(next, key)))
    .map((key) => entry(ownValue(was, key), ownValue(next, key), names.masking.text(key)));
}

function isMap(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isMasked(value);
}

/** Returns an object's own property. A program may name a property `valueOf`, which every object inherits. */
function ownValue(properties: Properties | undefined, name: string): unknown {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

export function changes({ changed }: PlannedChange, argument: string): boolean {
  return changed.some(({ name }) => name === argument);
}

/**
 * Returns what a refresh found before a preview. Its steps have the state from before; the steps of the preview have what
 * the service returned.
 */
export function outOfBandOf(
  { refreshed, stepped }: Resources,
  names: PlanNames,
  components: ReadonlyMap<string, Outputs>,
  isDrift: boolean,
): OutOfBand[] {
  const byUrn = new Map(stepped.map((resource) => [resource.urn, resource]));
  return refreshed.flatMap((found): OutOfBand[] => {
    const { kind, action, before } = found;
    const plan = isDrift ? undefined : byUrn.get(found.urn);
    const isMade = plan?.action === "create" || plan?.action === "adopt";
    // A refresh alone shows what a program states as changes.
    if (isDrift && action === "delete") return [];
    const changed = (
      what: "delete" | "update",
      more: Partial<Resource>,
      fate: OutOfBand["fate"],
      byOperator = false,
    ): OutOfBand => ({ ...changeOf({ ...found, ...more }, what, names, components), fate, byOperator });
    if (action === "delete" || (isMade && before?.external !== true))
      return [changed("delete", {}, plan === undefined ? "kept" : "undone")];
    const after = action === "update" || isDrift ? found.after : plan?.before;
    const unnamed = unnamedThatDiffer(before, after);
    const stated = isDrift ? found.reasons : [];
    const differing = argumentsThatDiffer(kind, before, after).filter((name) => !stated.includes(name));
    const set = new Set(plan?.reasons);
    const whose = (name: string) =>
      set.has(name) ? "program" : kinds.get(kind)?.arguments[name]?.byOperator ? "operator" : undefined;
    return [
      ...[...Map.groupBy(differing, whose)].map(([owner, reasons]) =>
        changed(
          "update",
          { after, reasons, replaceReasons: [] },
          owner === "program" ? "undone" : "kept",
          owner === "operator",
        ),
      ),
      ...(unnamed ? [changed("update", { ...unnamed, replaceReasons: [] }, "kept")] : []),
    ];
  });
}

/** Returns a resource with nothing in its maps but what differs under keys that the program doesn't name. */
function unnamedThatDiffer(before: State | undefined, after: State | undefined) {
  const [old, next] = [before, after].map((state) => unnamedIn(state));
  const maps = Object.keys(old ?? {}).flatMap((name) => {
    const [was, is] = [old?.[name], next?.[name]];
    const keys = Object.keys(was ?? {}).filter(
      (key) => is !== undefined && Object.hasOwn(is, key) && !isDeepStrictEqual(was?.[key], is[key]),
    );
    const only = (map: Properties = {}) => Object.fromEntries(keys.map((key) => [key, map[key]]));
    return keys.length === 0 ? [] : [{ name, was: only(was), is: only(is) }];
  });
  if (before === undefined || after === undefined || maps.length === 0) return undefined;
  const having = (state: State, which: "was" | "is"): State => ({
    ...state,
    properties: { ...state.properties, ...Object.fromEntries(maps.map((map) => [map.name, map[which]])) },
  });
  return { before: having(before, "was"), after: having(after, "is"), reasons: maps.map(({ name }) => name) };
}

/** Returns what an object has in its maps under keys that the program doesn't name, by argument. */
function unnamedIn(state: State | undefined): Readonly<Record<string, Properties>> {
  const found = ownValue(state?.outputs, UNNAMED);
  return isMap(found)
    ? Object.fromEntries(
        Object.entries(found).filter((entry): entry is [string, Properties] => isMap(entry[1])),
      )
    : {};
}

function argumentsThatDiffer(kind: string, before: State | undefined, now: State | undefined): string[] {
  if (before === undefined || now === undefined) return [];
  const [old, next] = [before.properties, now.properties];
  return Object.keys(kinds.get(kind)?.arguments ?? {}).filter((name) => {
    const [was, is] = [ownValue(old, name), ownValue(next, name)];
    return !isDeepStrictEqual(was, is) && !(isNone(was) && isNone(is));
  });
}
