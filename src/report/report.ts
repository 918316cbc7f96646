import type { StateResource } from "../inventory/stack-export.js";
import { countsOf, type DiffLine, lineDiff } from "../messages/lines.js";
import { nameOfUrn, stackOfUrn, typeOfUrn } from "../protocol/urn.js";
import { clusterOf, topologyOfResources } from "../topology/of-resources.js";
import type { Topology } from "../topology/topology.js";
import { changesOf, drawn, type ResourceChange } from "./changes.js";
import { type Danger, dangersOf } from "./dangers.js";
import type { Impact } from "./impact/impact.js";
import { masked, planOf } from "./plan.js";
import { kindOfUrn, type Preview, type Step } from "./preview.js";
import type { Action } from "./stepped.js";

/** Changes that belong together: in one cluster, or outside of clusters. */
export interface ChangeGroup {
  readonly title: string;
  /** Whether the title is a cluster's name. */
  readonly isCluster: boolean;
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

/** What a reviewer wants to know of a preview. */
export interface Report {
  readonly stack: string;
  /** Whether it tells what a refresh found: changes that were made by hand, and nothing that is going to be done. */
  readonly drift: boolean;
  /** How many resources, by what happens to them. */
  readonly counts: Readonly<Partial<Record<Action, number>>>;
  /** Errors of the preview: what it tells is not all. */
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
  /** What the changes would hit now, where that was asked for. */
  readonly impact?: Impact;
}

/**
 * Makes the report of a preview.
 *
 * @param unchanged what the stack has today, so that clusters which stay as they are have names; may be left out
 * @param live what the changes would hit, and names that the organization has
 */
export function reportOf(
  preview: Preview,
  unchanged: readonly StateResource[] = [],
  live: { readonly impact?: Impact; readonly names?: ReadonlyMap<string, string> } = {},
): Report {
  const { masking, drift, steps, resources, context, names: objects } = planOf(preview, unchanged);
  if (live.names) objects.add(live.names);
  // The engine's order differs from run to run.
  const changes = changesOf(resources, masking, objects).sort(byWeight);
  const names = clusterNames(changes, [...resources.map(drawn), ...context]);
  // A cluster that stays as it is may be known by a child's reference alone.
  const referred = new Map(
    resources.map((resource) => [
      clusterOf(drawn(resource)),
      objects.ofId(resource.before?.inputs?.clusterId),
    ]),
  );
  const nameOfCluster = (cluster: string) =>
    names.get(cluster) ??
    referred.get(cluster) ??
    objects.ofId(cluster) ??
    (cluster.startsWith("urn:") ? nameOfUrn(cluster) : cluster);
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
    dangers: drift ? [] : dangersOf(changes, nameOfCluster),
    groups: groupsOf(changes, nameOfCluster),
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

function clusterNames(
  changes: readonly ResourceChange[],
  resources: readonly {
    kind: string;
    urn: string;
    id?: string | undefined;
    properties: Readonly<Record<string, unknown>>;
  }[],
): Map<string, string> {
  const names = new Map<string, string>();
  for (const { kind, urn, id, properties } of resources) {
    if (kind !== "Cluster") continue;
    const name = changes.find((change) => change.urn === urn)?.label ?? properties.name;
    for (const key of [urn, id]) if (key !== undefined && typeof name === "string") names.set(key, name);
  }
  return names;
}

function isOnlyUnknown({ action, properties }: ResourceChange): boolean {
  return action === "update" && properties.length > 0 && properties.every(({ unknown }) => unknown);
}

const KIND_ORDER = [
  "Cluster",
  "Queue",
  "ClusterDefaultQueue",
  "AgentToken",
  "PipelineTemplate",
  "Team",
  "Suite",
];
const ACTION_ORDER: readonly Action[] = ["delete", "replace", "update", "create", "adopt", "release"];

function groupsOf(
  changes: readonly ResourceChange[],
  nameOfCluster: (cluster: string) => string,
): ChangeGroup[] {
  const inClusters = new Map<string, ResourceChange[]>();
  const others: ResourceChange[] = [];
  for (const change of changes) {
    const cluster = change.kind === "Cluster" ? change.urn : change.cluster;
    if (cluster === undefined) others.push(change);
    else inClusters.set(cluster, [...(inClusters.get(cluster) ?? []), change]);
  }
  const groups = [...inClusters].map(([cluster, own]) => ({
    title: nameOfCluster(cluster),
    isCluster: true,
    changes: own,
  }));
  const worst = ({ changes: [first] }: ChangeGroup) => ACTION_ORDER.indexOf(first?.action ?? "release");
  groups.sort((one, other) => worst(one) - worst(other) || (one.title < other.title ? -1 : 1));
  if (others.length === 0) return groups;
  return [...groups, { title: "Templates, teams and suites", isCluster: false, changes: others }];
}

function byWeight(one: ResourceChange, other: ResourceChange): number {
  return (
    ACTION_ORDER.indexOf(one.action) - ACTION_ORDER.indexOf(other.action) ||
    KIND_ORDER.indexOf(one.kind) - KIND_ORDER.indexOf(other.kind) ||
    (one.label < other.label ? -1 : one.label > other.label ? 1 : one.urn < other.urn ? -1 : 1)
  );
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

/** Whether there is something that a reviewer must not overlook. */
export function isDangerous({ dangers, errors }: Report): boolean {
  return errors.length > 0 || dangers.some(({ level }) => level === "danger");
}
