import { type Document, isNode, isScalar, parseDocument, visit } from "yaml";
import { UNKNOWN } from "../../../shared/protocol/encoded-values.js";
import { type Change, disappears, type Managed } from "../../shared/plan/change.js";
import { listed, text } from "../../shared/plan/text.js";
import type { WholeRemark } from "./review.js";

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

/** Live templates and queues, as far as they were read. */
export interface LiveReferences {
  readonly templates: readonly {
    readonly id: string;
    readonly name: string;
    readonly configuration: unknown;
  }[];
  /** Ids and keys of all queues of the organization; undefined if they were not needed, or could not be read. */
  readonly queues: readonly { readonly id: string; readonly key: string }[] | undefined;
}

/** A key that steps name, and that no queue has after the deployment, as far as it is known. */
interface LostKey {
  readonly key: string;
  readonly templates: readonly string[];
  /** The changes that take its last queue away; none where no queue had it. */
  readonly removed: readonly Change[];
}

/** Returns the changes that take queues away, by the keys of these. */
export function removedKeys(changes: readonly Change[]): Map<unknown, Change[]> {
  const removed = changes.filter(
    (change) => change.kind === "Queue" && disappears(change) && change.before.key !== undefined,
  );
  return Map.groupBy(removed, ({ before }) => before.key);
}

/** Returns the keys that templates name in vain. */
export function lostKeys(
  changes: readonly Change[],
  managed: readonly Managed[],
  live: LiveReferences = { templates: [], queues: undefined },
): LostKey[] {
  const gone = new Set(changes.filter(disappears).map(({ id }) => id));
  const after = new Set([
    ...managed.flatMap(({ kind, id, properties }) =>
      kind === "Queue" && !gone.has(id) ? [properties.key] : [],
    ),
    ...changes.flatMap(({ kind, after: next }) => (kind === "Queue" ? [next.key] : [])),
    ...(live.queues ?? []).flatMap(({ id, key }) => (gone.has(id) ? [] : [key])),
  ]);
  // A queue with a key that isn't known yet may have any.
  if (after.has(UNKNOWN)) return [];
  const removed = removedKeys(changes);
  const names = templatesAfter(changes, managed, live).flatMap(({ name, configuration }) =>
    [...queuesNamedIn(configuration)].map((key) => ({ name, key })),
  );
  return [...Map.groupBy(names, ({ key }) => key)].flatMap(([key, naming]) =>
    after.has(key)
      ? []
      : [{ key, templates: naming.map(({ name }) => name), removed: removed.get(key) ?? [] }],
  );
}

/** Returns the templates after the deployment: of the stack, and others as far as they were read. */
function templatesAfter(
  changes: readonly Change[],
  managed: readonly Managed[],
  live: LiveReferences,
): { readonly name: string; readonly configuration: unknown }[] {
  const changed = new Set(changes.map(({ id }) => id));
  const own = new Set([...managed.map(({ id }) => id), ...changed]);
  return [
    ...managed.flatMap(({ kind, id, label, properties: { configuration } }) =>
      kind === "PipelineTemplate" && !changed.has(id) ? [{ name: label, configuration }] : [],
    ),
    ...changes.flatMap(({ kind, action, label, after: { configuration } }) =>
      kind === "PipelineTemplate" && action !== "delete" && action !== "release"
        ? [{ name: label, configuration }]
        : [],
    ),
    ...live.templates.filter(({ id }) => !own.has(id)),
  ];
}

/** Returns remarks on keys that the deployment removes, and on keys that no live queue has. */
export function queueReferences(
  changes: readonly Change[],
  managed: readonly Managed[],
  live?: LiveReferences,
): { readonly remark: WholeRemark; readonly of: readonly Change[] }[] {
  return lostKeys(changes, managed, live).flatMap(({ key, templates, removed: of }) => {
    const where = text`in the pipeline template ${listed(templates)}`;
    const lost: WholeRemark = {
      subject: ["This deployment"],
      predicate: text`takes away the last known queue ${key}, and steps still name it ${where}`,
      rest: [{ text: ["Their jobs would wait for ever."] }],
      level: "danger",
    };
    if (of.length > 0) return [{ remark: lost, of }];
    const predicate = text`has a queue ${key}, which steps name ${where}`;
    const remark: WholeRemark = { subject: ["No cluster"], predicate, level: "caution" };
    return live?.queues === undefined ? [] : [{ remark, of }];
  });
}
