import type { StateResource } from "../inventory/stack-export.js";
import { countsOf, type DiffLine, lineDiff } from "../messages/lines.js";
import { capitalized } from "../messages/nouns.js";
import { nameOfUrn, stackOfUrn, typeOfUrn } from "../protocol/urn.js";
import { kinds } from "../provider/kinds.js";
import type { Action } from "../review/change.js";
import { containerOf, contentKindsOf, labelIn, parentArgument } from "../topology/kinds.js";
import { type DrawnResource, topologyOfResources } from "../topology/of-resources.js";
import type { Topology } from "../topology/topology.js";
import { changesOf, drawn, type ResourceChange } from "./changes.js";
import { type Danger, dangersOf } from "./dangers.js";
import type { Impact } from "./impact/impact.js";
import type { Names } from "./names.js";
import { masked, planOf } from "./plan.js";
import { kindOfUrn, type Preview, type Step } from "./preview.js";
import type { Stepped } from "./stepped.js";

/** Changes that belong together: in one cluster, or outside of clusters. */
export interface ChangeGroup {
  readonly title: string;
  /** The resource type of what the title names: `Cluster`. */
  readonly kind: string | undefined;
  readonly changes: readonly ResourceChange[];
}

/** A text that changes in some of its lines. */
export interface TextChange {
  readonly kind: string;
  readonly label: string;
  readonly property: string;
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

/** Content of a preview for a reviewer. */
export interface Report {
  readonly stack: string;
  /** True if it has the drift that a refresh found, and no planned changes. */
  readonly drift: boolean;
  /** How many resources, by what happens to them. */
  readonly counts: Readonly<Partial<Record<Action, number>>>;
  /** Errors of the preview, which make it incomplete. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The preview was made with `--show-secrets`; values are left out. */
  readonly withheld: boolean;
  readonly dangers: readonly Danger[];
  readonly groups: readonly ChangeGroup[];
  readonly textChanges: readonly TextChange[];
  readonly adopted: readonly ResourceChange[];
  readonly released: readonly ResourceChange[];
  /** Resources of which nothing changes but that a value is not known before the deployment. */
  readonly onlyUnknown: readonly ResourceChange[];
  /** Resources of other packages, by step: `create` 3. */
  readonly others: Readonly<Record<string, number>>;
  readonly topology: Topology;
  /** Impact of the changes now, if requested. */
  readonly impact?: Impact;
}

/**
 * Makes the report of a preview.
 *
 * @param unchanged resources of the stack today, which give names to unchanged clusters; optional
 * @param live impact of the changes, and names of the organization's objects
 */
export function reportOf(
  preview: Preview,
  unchanged: readonly StateResource[] = [],
  live: { readonly impact?: Impact; readonly names?: ReadonlyMap<string, string> } = {},
): Report {
  const { masking, drift, steps, resources, context, names: objects } = planOf(preview, unchanged);
  if (live.names) objects.add(live.names);
  // The engine's order differs from run to run.
  const changes = changesOf(resources, masking, objects).sort(byWeight());
  const nameOfParent = parentNames(resources, context, changes, objects);
  const onlyUnknown = changes.filter(isOnlyUnknown);
  const messages = (severity: string) =>
    preview.diagnostics
      .filter((one) => one.severity.startsWith(severity))
      .map(({ message }) => masking.text(message));
  const counts: Partial<Record<Action, number>> = {};
  for (const { action } of changes) counts[action] = (counts[action] ?? 0) + 1;
  return {
    stack: stackOfUrn(preview.steps[0]?.urn ?? ""),
    drift,
    counts,
    errors: messages("error"),
    warnings: messages("warning"),
    withheld: masking.withholds,
    // They say what a deployment would do.
    dangers: drift ? [] : dangersOf(changes, nameOfParent),
    groups: groupsOf(changes, nameOfParent),
    textChanges: changes.flatMap(textChangesOf),
    adopted: changes.filter(({ action }) => action === "adopt"),
    released: changes.filter(({ action }) => action === "release"),
    onlyUnknown,
    others: otherSteps(steps),
    topology: topologyOfResources([
      ...resources.map((resource) => masked(drawn(resource), masking)),
      ...context,
    ]),
    ...(live.impact && { impact: live.impact }),
  };
}

/** Returns what finds the name of an object that others are in, by its URN or id. */
function parentNames(
  resources: readonly Stepped[],
  context: readonly DrawnResource[],
  changes: readonly ResourceChange[],
  objects: Names,
): (key: string) => string {
  const all = [...resources.map(drawn), ...context];
  const parentKinds = new Set(all.map((resource) => containerOf(resource)?.kind));
  const labels = new Map(changes.map(({ urn, label }) => [urn, label]));
  const names = new Map<string, string>();
  for (const { kind, urn, id, properties } of all) {
    const name = labels.get(urn) ?? labelIn(kind, properties);
    if (!parentKinds.has(kind) || typeof name !== "string") continue;
    for (const key of [urn, id]) if (key !== undefined) names.set(key, name);
  }
  // One that stays as it is may be known by another's reference alone.
  for (const resource of resources) {
    const key = containerOf(drawn(resource))?.key;
    const name = objects.ofId(resource.before?.inputs?.[parentArgument(resource.kind) ?? ""]);
    if (key !== undefined && name !== undefined && !names.has(key)) names.set(key, name);
  }
  return (key) => names.get(key) ?? objects.ofId(key) ?? (key.startsWith("urn:") ? nameOfUrn(key) : key);
}

function isOnlyUnknown({ action, properties }: ResourceChange): boolean {
  return action === "update" && properties.length > 0 && properties.every(({ unknown }) => unknown);
}

const ACTION_ORDER: readonly Action[] = ["delete", "replace", "update", "create", "adopt", "release"];

function groupsOf(
  changes: readonly ResourceChange[],
  nameOfParent: (parent: string) => string,
): ChangeGroup[] {
  const parentKinds = new Set([...kinds.values()].map(({ parent }) => parent?.kind));
  const groups = new Map<string, { kind: string; title: string; changes: ResourceChange[] }>();
  const others: ResourceChange[] = [];
  for (const change of changes) {
    const { kind, key } = parentKinds.has(change.kind)
      ? { kind: change.kind, key: change.urn }
      : (change.parent ?? {});
    if (kind === undefined || key === undefined) {
      others.push(change);
      continue;
    }
    const group = groups.get(key) ?? { kind, title: nameOfParent(key), changes: [] };
    group.changes.push(change);
    groups.set(key, group);
  }
  const worst = ({ changes: [first] }: ChangeGroup) => ACTION_ORDER.indexOf(first?.action ?? "release");
  const sorted = [...groups.values()].sort(
    (one, other) => worst(one) - worst(other) || (one.title < other.title ? -1 : 1),
  );
  if (others.length === 0) return sorted;
  return [...sorted, { title: titleOfOthers(parentKinds), kind: undefined, changes: others }];
}

/** `Templates, teams and suites` */
function titleOfOthers(parentKinds: ReadonlySet<string | undefined>): string {
  const plurals = contentKindsOf(undefined)
    .filter(({ name }) => !parentKinds.has(name))
    .map(({ words }) => `${words.short ?? words.noun}s`);
  return capitalized(`${plurals.slice(0, -1).join(", ")} and ${plurals.at(-1)}`);
}

/** Compares changes: the worst first, then in the order of resource types. */
function byWeight(): (one: ResourceChange, other: ResourceChange) => number {
  const ranks = new Map([...kinds.keys()].map((name, index) => [name, index]));
  const rank = ({ kind }: ResourceChange) => ranks.get(kind) ?? ranks.size;
  return (one, other) =>
    ACTION_ORDER.indexOf(one.action) - ACTION_ORDER.indexOf(other.action) ||
    rank(one) - rank(other) ||
    (one.label < other.label ? -1 : one.label > other.label ? 1 : one.urn < other.urn ? -1 : 1);
}

function textChangesOf({ kind, label, properties }: ResourceChange): TextChange[] {
  return properties.flatMap(({ name, texts }) => {
    if (texts === undefined) return [];
    const lines = lineDiff(texts.before, texts.after);
    return [{ kind, label, property: name, lines, ...countsOf(lines) }];
  });
}

function otherSteps(steps: readonly Step[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { op, urn } of steps) {
    const own = kindOfUrn(urn) !== undefined || typeOfUrn(urn).startsWith("pulumi:");
    if (!own && op !== "same" && op !== "read" && op !== "refresh") counts[op] = (counts[op] ?? 0) + 1;
  }
  return counts;
}

/** Checks whether there is something that a reviewer must not overlook. */
export function isDangerous({ dangers, errors }: Report): boolean {
  return errors.length > 0 || dangers.some(({ level }) => level === "danger");
}
