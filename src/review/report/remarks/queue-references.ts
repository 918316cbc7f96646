import { type Document, isNode, isScalar, visit } from "yaml";
import { disappears } from "../../../cli/drawing/actions.js";
import { documentOf, nounOf } from "../../../provider/lifecycle/values/kinds.js";
import { UNKNOWN } from "../../../shared/protocol/encoded-values.js";
import { kindOfUrn } from "../../../shared/protocol/type-token.js";
import { type Change, changes } from "../../plan/change.js";
import type { Plan } from "../../plan/plan.js";
import { listed, type Text, text } from "../../plan/text.js";
import type { readDocuments } from "./read.js";
import type { Remark } from "./review.js";

/** Types of resources whose steps name queues. */
const WITH_STEPS: ReadonlySet<string> = new Set(["PipelineTemplate", "Pipeline"]);

/** Returns the keys of the queues that steps name under `agents`. Interpolations are left out: nobody knows their value. */
export function queuesNamedIn(configuration: unknown): Set<string> {
  const keys = new Set<string>();
  if (typeof configuration !== "string" || configuration === UNKNOWN) return keys;
  const add = (key: unknown) => {
    if (typeof key === "string" && key !== "" && !/[$`]/.test(key)) keys.add(key);
  };
  const document = documentOf(configuration, { merge: true });
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== "agents") return;
      const agents = plainValue(value, document);
      if (typeof agents === "object" && agents !== null) add(Reflect.get(agents, "queue"));
      // The older form: `queue=small`, or a list with it.
      for (const tag of [agents].flat())
        if (typeof tag === "string" && tag.startsWith("queue=")) add(tag.slice("queue=".length));
    },
  });
  return keys;
}

/** Returns a value with what its anchors and merges stand for; undefined if they stand for nothing. */
function plainValue(node: unknown, document: Document): unknown {
  try {
    return isNode(node) ? node.toJS(document) : undefined;
  } catch {
    return undefined;
  }
}

export interface LiveReferences {
  readonly documents: Awaited<ReturnType<typeof readDocuments>>;
  /** All queues of the organization; undefined if they were not needed, or could not be read. */
  readonly queues:
    | readonly { readonly id: string; readonly key: string; readonly clusterId?: string | undefined }[]
    | undefined;
}

/** A pipeline or a template after the deployment, with its steps. */
interface WithSteps {
  readonly kind: string;
  readonly name: string;
  readonly configuration: unknown;
  /** URN or id of the cluster that has its queues; undefined for a template, and where nothing shows it. */
  readonly cluster?: string | undefined;
  readonly change?: Change;
}

export function removedKeys({ deployed }: Plan): Map<unknown, Change[]> {
  const removed = deployed.filter(
    (change) => change.kind === "Queue" && disappears(change) && change.before.key !== undefined,
  );
  return Map.groupBy(removed, ({ before }) => before.key);
}

/** Returns the keys that steps name in vain: no queue has them after the deployment, as far as it is known. */
export function lostKeys(plan: Plan, live: LiveReferences = { documents: [], queues: undefined }) {
  const { deployed, managed } = plan;
  const gone = new Set(deployed.filter(disappears).map(({ id }) => id));
  const clusterOf = (id: unknown) => managed.find((one) => one.id === id)?.urn ?? String(id);
  const after: { readonly key: unknown; readonly cluster: string | undefined }[] = [
    ...managed.flatMap(({ kind, id, properties: { key, clusterId } }) =>
      kind === "Queue" && !gone.has(id) ? [{ key, cluster: clusterOf(clusterId) }] : [],
    ),
    ...deployed.flatMap(({ kind, after: { key }, place, movesTo }) =>
      kind === "Queue" ? [{ key, cluster: (movesTo ?? place)?.key }] : [],
    ),
    ...(live.queues ?? []).flatMap(({ id, key, clusterId }) =>
      gone.has(id) ? [] : [{ key, cluster: clusterOf(clusterId) }],
    ),
  ];
  // A queue with a key that isn't known yet may have any.
  if (after.some(({ key }) => key === UNKNOWN)) return [];
  const removed = removedKeys(plan);
  const names = withStepsAfter(plan, live).flatMap((one) =>
    [...queuesNamedIn(one.configuration)].flatMap((key) => {
      const own = (removed.get(key) ?? []).filter(
        ({ place }) => one.cluster === undefined || place?.key === one.cluster,
      );
      const isFound = after.some(
        (queue) => queue.key === key && (one.cluster ?? queue.cluster) === queue.cluster,
      );
      // The steps of a pipeline that stays as it is don't matter unless its queue goes.
      const matters = one.kind !== "Pipeline" || one.change !== undefined || own.length > 0;
      return isFound || !matters ? [] : [{ ...one, key, removed: own }];
    }),
  );
  return [
    ...Map.groupBy(names, ({ key, cluster, change }) => JSON.stringify([key, cluster, movesIn(change)])),
  ].flatMap(([, naming]) =>
    naming.slice(0, 1).map(({ key, cluster, removed, change }) => ({
      key,
      cluster,
      naming,
      /** The changes that take its last queue away; none where no queue had it. */
      removed,
      moved: movesIn(change) ? naming.flatMap((one) => one.change ?? []) : [],
      /** Whether all queues of the cluster are known: a new one has those of the plan. */
      isKnown:
        live.queues !== undefined ||
        deployed.some((one) => one.urn === cluster && one.action !== "update" && one.action !== "adopt"),
    })),
  );
}

function movesIn(change: Change | undefined): boolean {
  return change?.action === "update" && changes(change, "clusterId");
}

function withStepsAfter({ deployed, managed, steps }: Plan, live: LiveReferences): WithSteps[] {
  const changed = new Set(deployed.map(({ id }) => id));
  const own = new Set([...managed.map(({ id }) => id), ...changed]);
  const clusterOf = (id: unknown) =>
    typeof id !== "string" || id === "" ? undefined : (managed.find((one) => one.id === id)?.urn ?? id);
  // A cluster that is yet to be made is known by its resource.
  const newClusterOf = (urn: string) => {
    const from = steps.findLast((step) => step.urn === urn)?.newState?.propertyDependencies.clusterId ?? [];
    const [cluster, ...others] = from.filter((one) => kindOfUrn(one) === "Cluster");
    return others.length === 0 ? cluster : undefined;
  };
  const staying = managed
    .filter(({ id }) => !changed.has(id))
    .map(({ kind, label: name, properties: { configuration, clusterId } }) => ({
      kind,
      name,
      configuration,
      cluster: kind === "Pipeline" ? clusterOf(clusterId) : undefined,
    }));
  const planned = deployed
    .filter(({ action }) => action !== "delete" && action !== "release")
    .map((change) => {
      const { kind, label: name, after, urn } = change;
      const { configuration, clusterId } = after;
      const cluster = clusterId === UNKNOWN ? newClusterOf(urn) : clusterOf(clusterId);
      return { kind, name, configuration, change, cluster: kind === "Pipeline" ? cluster : undefined };
    });
  return [
    ...[...staying, ...planned].filter(({ kind }) => WITH_STEPS.has(kind)),
    ...live.documents
      .filter(({ id }) => !own.has(id))
      .map(({ clusterId, ...one }) => ({ ...one, cluster: clusterOf(clusterId) })),
  ];
}

export function queueReferences(
  plan: Plan,
  live?: LiveReferences,
): { readonly remark: Required<Remark>; readonly of: readonly Change[] }[] {
  return lostKeys(plan, live).flatMap(({ key, cluster, naming, removed, moved, isKnown }) => {
    const where = [...Map.groupBy(naming, ({ kind }) => kind)].flatMap(
      ([kind, own], index): Text => [
        `${index === 0 ? "" : " and "}the ${nounOf(kind)} `,
        ...listed(own.map(({ name }) => name)),
      ],
    );
    const place = [...plan.managed, ...plan.deployed].find(
      ({ urn, id }) => urn === cluster || id === cluster,
    );
    const given = naming.map(({ change }) => change?.nameAfter("clusterId")).find((one) => one !== undefined);
    const name = place?.label ?? given ?? removed[0]?.place?.name ?? cluster ?? "";
    const rest = [["Their jobs would wait for ever."]];
    const subject = ["This deployment"];
    const remarkOf = (predicate: Text, level: Required<Remark>["level"]) => ({
      subject,
      predicate,
      rest,
      level,
    });
    if (moved.length > 0) {
      const no = isKnown ? "no" : "no known";
      const predicate = text`moves ${where} to the cluster ${name}, which has ${[no]} queue ${key}, and steps name it`;
      return [{ remark: remarkOf(predicate, isKnown ? "danger" : "caution"), of: moved }];
    }
    if (removed.length > 0) {
      const last = text`takes away the last known queue ${key}${cluster === undefined ? [] : text` of ${name}`}`;
      return [
        {
          remark: remarkOf([...last, ...text`, and steps still name it in ${where}`], "danger"),
          of: removed,
        },
      ];
    }
    const steps = text` queue ${key}, which steps name in ${where}`;
    const remark: Required<Remark> = {
      subject: cluster === undefined ? ["No cluster"] : text`Cluster ${name}`,
      predicate: [cluster === undefined ? "has a" : "has no", ...steps],
      rest: [],
      level: "caution",
    };
    return isKnown ? [{ remark, of: removed }] : [];
  });
}
