import { disappears } from "../../cli/drawing/actions.js";
import type { LiveObject } from "../../cli/inventory/live-object.js";
import {
  grammar,
  kinds,
  namesIn,
  parentArgument,
  placeIn,
  queueKind,
} from "../../provider/for-commands/kinds.js";
import { nearestName } from "../../shared/messages/nearest-name.js";
import { UNKNOWN } from "../../shared/protocol/encoded-values.js";
import type { PlannedChange } from "../plan/change.js";
import type { Plan } from "../plan/plan.js";
import { listed, type Text, text } from "../plan/text.js";
import type { Named, Remark } from "./consequences.js";

/** Queues that steps name, and that no agent works for afterwards. */

/** Returns the keys of the queues that steps name under `agents`. Interpolations are left out: nobody knows their value. */
export function queuesNamedIn(configuration: unknown): Set<string> {
  return new Set(queuesIn(configuration).keys());
}

/** Returns these keys with the labels of the steps that name them, as far as they have one. */
function queuesIn(configuration: unknown): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  if (typeof configuration !== "string" || configuration === UNKNOWN) return keys;
  for (const { kind, value, label } of namesIn(configuration, grammar))
    if (kind === queueKind())
      keys.set(value, [...(keys.get(value) ?? []), ...(label === undefined ? [] : [label])]);
  return keys;
}

/** What the organization has besides the stack: what has steps, and all queues, as far as they were read. */
export interface LiveReferences {
  readonly withSteps: readonly LiveObject[];
  readonly queues: readonly LiveObject[] | undefined;
}

/** Returns the argument of a kind that has steps. */
export function stepsArgument(kind: string): string | undefined {
  const fields = Object.entries(kinds.get(kind)?.arguments ?? {});
  return fields.find(([, { hasSteps }]) => hasSteps)?.[0];
}

/** An object with steps after the deployment, and the keys that its steps name. */
interface WithSteps extends Named {
  readonly keys: ReadonlyMap<string, readonly string[]>;
  /** URN or id of the cluster with its queues; undefined for a template, and where nothing shows it. */
  readonly cluster: string | undefined;
  readonly change?: PlannedChange;
}

interface QueueAfter {
  readonly key: unknown;
  readonly cluster: string | undefined;
}

/** Returns the changes that take a queue away, by its key. */
export function removedQueues({ deployed }: Plan): Map<unknown, PlannedChange[]> {
  const key = keyArgument();
  const removed = deployed.filter(
    (change) => change.kind === queueKind() && disappears(change) && change.before[key] !== undefined,
  );
  return Map.groupBy(removed, ({ before }) => before[key]);
}

function keyArgument(): string {
  return kinds.get(queueKind())?.words.label ?? "";
}

function queuesAfter({ deployed, managed, keyOf }: Plan, live: LiveReferences | undefined): QueueAfter[] {
  const kind = queueKind();
  const [key, place = ""] = [keyArgument(), parentArgument(kind)];
  const placeKind = kinds.get(kind)?.parent?.kind ?? "";
  const gone = new Set(deployed.filter(disappears).map(({ id }) => id));
  return [
    ...managed.flatMap(({ kind: own, id, properties: { [key]: name, [place]: within } }) =>
      own === kind && !gone.has(id) && typeof within === "string"
        ? [{ key: name, cluster: keyOf(placeKind, within) }]
        : [],
    ),
    ...deployed.flatMap(({ kind: own, after, place: now, movesTo }) =>
      own === kind && after[key] !== undefined ? [{ key: after[key], cluster: (movesTo ?? now)?.key }] : [],
    ),
    ...(live?.queues ?? []).flatMap(({ id, label, parent }) =>
      gone.has(id) ? [] : [{ key: label, cluster: keyOf(placeKind, parent?.id ?? "") }],
    ),
  ];
}

function withStepsAfter({ deployed, managed, keyOf }: Plan, live: LiveReferences | undefined): WithSteps[] {
  const changed = new Set(deployed.map(({ id }) => id));
  const own = new Set([...managed.map(({ id }) => id), ...changed]);
  const named = (kind: string, label: string) => ({ kind, label, title: [{ code: label }] });
  const clusterIn = (kind: string, properties: Readonly<Record<string, unknown>>) => {
    const described = kinds.get(kind);
    const place = described && placeIn(described);
    const id = place && properties[place.argument];
    return typeof id === "string" && id !== "" ? keyOf(place?.kind ?? "", id) : undefined;
  };
  const of = (kind: string, properties: Readonly<Record<string, unknown>>) => ({
    keys: queuesIn(properties[stepsArgument(kind) ?? ""]),
    cluster: clusterIn(kind, properties),
  });
  return [
    ...managed
      .filter(({ id, kind }) => !changed.has(id) && stepsArgument(kind) !== undefined)
      .map(({ kind, label, properties }) => ({ ...named(kind, label), ...of(kind, properties) })),
    ...deployed
      .filter(
        ({ kind, action }) =>
          action !== "delete" && action !== "release" && stepsArgument(kind) !== undefined,
      )
      .map((change) => {
        const { kind, nextLabel, after } = change;
        const described = kinds.get(kind);
        const place = described && placeIn(described);
        return {
          ...named(kind, nextLabel),
          ...of(kind, after),
          cluster: place && change.refersTo(place.argument, "after"),
          change,
        };
      }),
    ...(live?.withSteps ?? [])
      .filter(({ id }) => !own.has(id))
      .map(({ kind: { name }, label, observed }) => ({ ...named(name, label), ...of(name, observed) })),
  ];
}

/** A key that steps name in vain. */
interface Lost extends WithSteps {
  readonly key: string;
  /** The changes that take its last queue away; none where no queue had it. */
  readonly removed: readonly PlannedChange[];
}

/** Returns the keys that steps name in vain: no queue has them after the deployment, as far as it is known. */
export function lostKeys(plan: Plan, live?: LiveReferences): Lost[] {
  const after = queuesAfter(plan, live);
  // A queue with a key that isn't known yet may have any.
  if (after.some(({ key }) => key === UNKNOWN)) return [];
  const removed = removedQueues(plan);
  return withStepsAfter(plan, live).flatMap((one) =>
    [...one.keys.keys()].flatMap((key) => {
      const own = (removed.get(key) ?? []).filter(
        ({ place }) => one.cluster === undefined || place?.key === one.cluster,
      );
      const isFound = after.some(
        (queue) => queue.key === key && (one.cluster ?? queue.cluster) === queue.cluster,
      );
      return isFound || (own.length === 0 && !isCaused(one, key)) ? [] : [{ ...one, key, removed: own }];
    }),
  );
}

/** Where no queue goes, steps matter that are new, or in another cluster. What has no cluster is used by anything. */
function isCaused({ kind, change }: WithSteps, key: string): boolean {
  const described = kinds.get(kind);
  const isPlaced = described !== undefined && placeIn(described) !== undefined;
  if (change === undefined) return !isPlaced;
  const was = queuesIn(change.before[stepsArgument(kind) ?? ""]);
  return !was.has(key) || moves(change);
}

function moves(change: PlannedChange | undefined): boolean {
  const described = kinds.get(change?.kind ?? "");
  const place = described && placeIn(described);
  return change?.action === "update" && change.changed.some(({ name }) => name === place?.argument);
}

/** Says whose jobs would wait for ever. The same missing queue is as grave, whatever causes it. */
export function stepRemarks(plan: Plan, live?: LiveReferences): Remark[] {
  const after = queuesAfter(plan, live);
  const keysIn = (cluster: string | undefined) =>
    after.flatMap((one) => (one.cluster === cluster && typeof one.key === "string" ? [one.key] : []));
  const groups = Map.groupBy(lostKeys(plan, live), ({ key, cluster, change, removed, kind }) =>
    JSON.stringify([key, cluster, moves(change), removed.map(({ urn }) => urn), kind, change !== undefined]),
  );
  return [...groups.values()].flatMap((about): Remark[] => {
    const [first] = about;
    if (first === undefined) return [];
    const { key, cluster, removed, change } = first;
    // Whether all queues of the cluster are known: a new one has those of the plan.
    const isKnown =
      live?.queues !== undefined ||
      plan.deployed.some((one) => one.urn === cluster && one.action !== "update" && one.action !== "adopt");
    const others = keysIn(cluster);
    const isNew = removed.length === 0 && !moves(change);
    if (isNew && !isKnown && others.length === 0) return [];
    const near = nearestName(key, others);
    const name = clusterName(plan, first);
    const steps = about.length === 1 ? (first.keys.get(key) ?? []) : [];
    const where: Text = cluster === undefined ? ["no cluster"] : text`cluster ${name}`;
    const isCertain = isKnown || removed.length > 0;
    const lacks = cluster === undefined ? "has" : isKnown ? "lacks" : "lacks as far as this stack shows";
    return [
      {
        effect: "stops",
        level: isCertain && (change !== undefined || removed.length > 0) ? "danger" : "caution",
        about,
        of: [...new Set(removed.length > 0 ? removed : about.flatMap((one) => one.change ?? []))],
        words: moves(change)
          ? MOVED
          : removed.length > 0
            ? TAKEN
            : `{names|name} the queue {key} in {its|their} steps, which {where} ${lacks}: {its|their} jobs would wait for ever`,
        inGeneral: moves(change)
          ? "{moves|move} to a cluster without the queue that {its|their} steps name: {its|their} jobs would wait for ever"
          : "{names|name} a queue in {its|their} steps that {its|their} cluster lacks: {its|their} jobs would wait for ever",
        todo:
          cluster === undefined || removed.length > 0
            ? "Change the steps first."
            : "Add the queue {key} to {where}, or change the steps.",
        values: {
          key: [{ code: key }],
          where,
          of: cluster === undefined ? [] : [" of ", ...where],
          no: [isKnown ? "no" : "no known"],
        },
        details: [
          ...(steps.length === 0 ? [] : [text`The steps are ${listed([...new Set(steps)], 3)}.`]),
          ...(near === undefined ? [] : [text`Is ${near} meant?`]),
          ...(others.length === 0 || cluster === undefined
            ? []
            : [text`${name} has the queues ${listed([...new Set(others)].sort())}.`]),
        ],
      },
    ];
  });
}

const MOVED =
  "{moves|move} to {where}, which has {no} queue {key} that {its|their} steps name: {its|their} jobs would wait for ever";
const TAKEN =
  "still {names|name} the queue {key} in {its|their} steps, and this deployment takes away the last known one{of}: {its|their} jobs would wait for ever";

function clusterName({ managed, deployed }: Plan, { cluster, change, kind, removed }: Lost): string {
  const described = kinds.get(kind);
  const place = described && placeIn(described);
  const found = [...managed, ...deployed].find(({ urn, id }) => urn === cluster || id === cluster);
  const given = place && change?.value(place.argument, "after");
  return (
    found?.label ??
    (typeof given === "object" && "code" in given ? given.code : removed[0]?.place?.name) ??
    cluster ??
    ""
  );
}
