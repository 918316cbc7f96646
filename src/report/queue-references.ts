import { isMap, isScalar, isSeq, parseDocument, visit } from "yaml";
import { UNKNOWN } from "../protocol/encoded-values.js";
import type { Change } from "../review/change.js";
import type { Managed } from "../review/review.js";
import { listed, type Text } from "../review/text.js";
import type { Danger } from "./dangers.js";

/** A template after the deployment, and the keys of the queues that its steps name. */
export interface TemplateQueues {
  readonly label: string;
  readonly keys: ReadonlySet<string>;
}

/** Returns the keys of the queues that steps name under `agents`. Interpolations are left out: nobody knows their value. */
export function queuesNamedIn(configuration: unknown): Set<string> {
  const keys = new Set<string>();
  if (typeof configuration !== "string" || configuration === UNKNOWN) return keys;
  const add = (key: unknown) => {
    if (typeof key === "string" && key !== "" && !/[$`]/.test(key)) keys.add(key);
  };
  visit(parseDocument(configuration, { uniqueKeys: false }), {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== "agents") return;
      if (isMap(value)) add(value.get("queue"));
      // The older form: `queue=small`, or a list with it.
      for (const tag of isSeq(value) ? value.items : [value]) {
        if (isScalar(tag) && String(tag.value).startsWith("queue="))
          add(String(tag.value).slice("queue=".length));
      }
    },
  });
  return keys;
}

/** Returns the templates that the stack has after the deployment. */
export function templatesAfter(changes: readonly Change[], managed: readonly Managed[]): TemplateQueues[] {
  const byId = new Map(changes.map((change) => [change.id, change]));
  const kept = managed.flatMap(({ kind, id, label, properties }) =>
    kind === "PipelineTemplate" && !byId.has(id) ? [{ label, configuration: properties.configuration }] : [],
  );
  const next = changes.flatMap(({ kind, action, label, after }) =>
    kind === "PipelineTemplate" && action !== "delete" && action !== "release"
      ? [{ label, configuration: after.configuration }]
      : [],
  );
  return [...kept, ...next].map(({ label, configuration }) => ({
    label,
    keys: queuesNamedIn(configuration),
  }));
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
export interface LostKey {
  readonly key: string;
  readonly templates: readonly string[];
  /** The changes that take its last queue away; none where no queue had it. */
  readonly removed: readonly Change[];
}

/** Returns the changes that take queues away, by the keys of these. */
export function removedKeys(changes: readonly Change[]): Map<unknown, Change[]> {
  const removed = changes.filter(
    ({ kind, action, before }) => kind === "Queue" && action !== "update" && before.key !== undefined,
  );
  return Map.groupBy(removed, ({ before }) => before.key);
}

/** Returns the keys that templates name in vain. */
export function lostKeys(
  changes: readonly Change[],
  managed: readonly Managed[],
  live: LiveReferences = { templates: [], queues: undefined },
): LostKey[] {
  const gone = new Set(changes.filter(({ action }) => action !== "update").map(({ id }) => id));
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
  const own = new Set([...managed, ...changes].map(({ id }) => id));
  const others = live.templates.flatMap(({ id, name, configuration }) =>
    own.has(id) ? [] : [{ label: name, keys: queuesNamedIn(configuration) }],
  );
  const naming = Map.groupBy(
    [...templatesAfter(changes, managed), ...others].flatMap(({ label, keys }) =>
      [...keys].map((key) => ({ label, key })),
    ),
    ({ key }) => key,
  );
  return [...naming].flatMap(([key, templates]) =>
    after.has(key)
      ? []
      : [{ key, templates: templates.map(({ label }) => label), removed: removed.get(key) ?? [] }],
  );
}

/** Returns a danger for a key that the deployment removes, and a remark for a key that no live queue has. */
export function queueReferences(lost: readonly LostKey[], live: LiveReferences | undefined): Danger[] {
  return lost.flatMap(({ key, templates, removed }): Danger[] => {
    if (removed.length > 0) return [{ level: "danger", message: lastQueue(key, templates), of: removed }];
    return live?.queues === undefined ? [] : [{ level: "caution", message: noQueue(key, templates), of: [] }];
  });
}

function lastQueue(key: string, names: readonly string[]): Text {
  return [
    "This deployment takes away the last known queue ",
    { code: key },
    ", and steps still name it in the pipeline template ",
    ...listed(names),
    ". Their jobs would wait for ever.",
  ];
}

function noQueue(key: string, names: readonly string[]): Text {
  return [
    "No cluster has a queue ",
    { code: key },
    ", which steps name in the pipeline template ",
    ...listed(names),
    ".",
  ];
}
