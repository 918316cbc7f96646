import { type Document, isNode, isScalar, parseDocument, visit } from "yaml";
import { UNKNOWN } from "../../../shared/protocol/encoded-values.js";
import { disappears } from "../../shared/drawing/actions.js";
import { type Change, changes } from "../../shared/plan/change.js";
import type { Plan } from "../../shared/plan/plan.js";
import { listed, text } from "../../shared/plan/text.js";
import type { readTemplates } from "./read.js";
import { NOT_COUNTED, type Review, type WholeRemark } from "./review.js";

export const pipelineTemplate: Review = {
  lost: () => ({
    predicate: ["is deleted"],
    rest: [["Look for pipelines that use it: the API doesn't show them."]],
  }),
  vanished: {
    lost: ["The API doesn't show which pipelines used it."],
    remains: ["A new template has another id, and no pipeline uses it until somebody assigns it."],
  },
  cautions: {
    available: ({ before }, { after, unknown }) => {
      if (typeof after === "object" && after.code === "false")
        return { predicate: ["can be assigned only by administrators"] };
      return unknown && before.available === true ? { predicate: ["may become unavailable"] } : undefined;
    },
  },
  impact: {
    reads: [],
    isHit: (change) =>
      changes(change, "available") && change.before.available === true && change.after.available !== true,
    finding: ({ action }) => ({
      ...(action === "update" && { effect: "hide" }),
      now: NOT_COUNTED,
      lines: [action === "update" && ["The API doesn't show which pipelines use a template."]],
    }),
  },
};

/** Returns the keys of the queues that steps name under `agents`. Interpolations are left out: nobody knows their value. */
export function queuesNamedIn(configuration: unknown): Set<string> {
  const keys = new Set<string>();
  if (typeof configuration !== "string" || configuration === UNKNOWN) return keys;
  const add = (key: unknown) => {
    if (typeof key === "string" && key !== "" && !/[$`]/.test(key)) keys.add(key);
  };
  const document = parseDocument(configuration, { uniqueKeys: false, merge: true });
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
function plainValue(node: unknown, document: Document.Parsed): unknown {
  try {
    return isNode(node) ? node.toJS(document) : undefined;
  } catch {
    return undefined;
  }
}

export interface LiveReferences {
  readonly templates: Awaited<ReturnType<typeof readTemplates>>;
  /** Ids and keys of all queues of the organization; undefined if they were not needed, or could not be read. */
  readonly queues: readonly { readonly id: string; readonly key: string }[] | undefined;
}

export function removedKeys({ deployed }: Plan): Map<unknown, Change[]> {
  const removed = deployed.filter(
    (change) => change.kind === "Queue" && disappears(change) && change.before.key !== undefined,
  );
  return Map.groupBy(removed, ({ before }) => before.key);
}

/** Returns the keys that templates name in vain: no queue has them after the deployment, as far as it is known. */
export function lostKeys(plan: Plan, live: LiveReferences = { templates: [], queues: undefined }) {
  const { deployed, managed } = plan;
  const gone = new Set(deployed.filter(disappears).map(({ id }) => id));
  const after = new Set([
    ...managed.flatMap(({ kind, id, properties }) =>
      kind === "Queue" && !gone.has(id) ? [properties.key] : [],
    ),
    ...deployed.flatMap(({ kind, after: next }) => (kind === "Queue" ? [next.key] : [])),
    ...(live.queues ?? []).flatMap(({ id, key }) => (gone.has(id) ? [] : [key])),
  ]);
  // A queue with a key that isn't known yet may have any.
  if (after.has(UNKNOWN)) return [];
  const removed = removedKeys(plan);
  const names = templatesAfter(plan, live).flatMap(({ name, configuration }) =>
    [...queuesNamedIn(configuration)].map((key) => ({ name, key })),
  );
  return [...Map.groupBy(names, ({ key }) => key)]
    .filter(([key]) => !after.has(key))
    .map(([key, naming]) => ({
      key,
      templates: naming.map(({ name }) => name),
      /** The changes that take its last queue away; none where no queue had it. */
      removed: removed.get(key) ?? [],
    }));
}

function templatesAfter({ deployed, managed }: Plan, live: LiveReferences) {
  const changed = new Set(deployed.map(({ id }) => id));
  const own = new Set([...managed.map(({ id }) => id), ...changed]);
  const staying = managed
    .filter(({ id }) => !changed.has(id))
    .map(({ kind, label: name, properties: { configuration } }) => ({ kind, name, configuration }));
  const planned = deployed
    .filter(({ action }) => action !== "delete" && action !== "release")
    .map(({ kind, label: name, after: { configuration } }) => ({ kind, name, configuration }));
  return [
    ...[...staying, ...planned].filter(({ kind }) => kind === "PipelineTemplate"),
    ...live.templates.filter(({ id }) => !own.has(id)),
  ];
}

export function queueReferences(
  plan: Plan,
  live?: LiveReferences,
): { readonly remark: WholeRemark; readonly of: readonly Change[] }[] {
  return lostKeys(plan, live).flatMap(({ key, templates, removed: of }) => {
    const where = text`in the pipeline template ${listed(templates)}`;
    const lost: WholeRemark = {
      subject: ["This deployment"],
      predicate: text`takes away the last known queue ${key}, and steps still name it ${where}`,
      rest: [["Their jobs would wait for ever."]],
      level: "danger",
    };
    if (of.length > 0) return [{ remark: lost, of }];
    const predicate = text`has a queue ${key}, which steps name ${where}`;
    const remark: WholeRemark = { subject: ["No cluster"], predicate, level: "caution" };
    return live?.queues === undefined ? [] : [{ remark, of }];
  });
}
