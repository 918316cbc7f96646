import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { collections } from "../../../src/emulator/sections.js";
import { DataFile } from "../../../src/emulator/store/data-file.js";
import { Store } from "../../../src/emulator/store/store.js";
import { cases } from "../../support/cases.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "transactions-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Work on a store: changes, and transactions within, some of which throw at their end. */
type Work =
  | { readonly do: (typeof changes)[number]; readonly id: number; readonly cluster: number }
  | { readonly works: readonly Work[]; readonly throws: boolean };

const changes = ["put", "move", "delete", "deleteCluster"] as const;
const small = fc.nat({ max: 2 });
const { work } = fc.letrec<{ work: Work }>((tie) => ({
  work: fc.oneof(
    { maxDepth: 3 },
    fc.record({ do: fc.constantFrom(...changes), id: small, cluster: small }),
    fc.record({ works: fc.array(tie("work"), { maxLength: 5 }), throws: fc.boolean() }),
  ),
}));

const made = { description: null, created_at: "2030-01-01T00:00:00.000Z", created_by: "user" };
const cluster = (id: string, default_queue_id: string | null) =>
  ({ id, name: id, emoji: null, color: null, default_queue_id, ...made }) as const;

function perform(store: Store, action: Work): void {
  const { clusters, queues } = store.data;
  if ("works" in action) {
    const before = stateOf(store);
    try {
      store.transaction(() => {
        for (const inner of action.works) perform(store, inner);
        if (action.throws) throw new Error("changed its mind");
      });
    } catch {
      expect(stateOf(store)).toEqual(before);
    }
    return;
  }
  const [id, cluster_id] = [`queue-${action.id}`, `cluster-${action.cluster}`];
  const isThere = queues.get(id) !== undefined;
  if (action.do === "delete") queues.delete(id);
  if (action.do === "deleteCluster") clusters.delete(cluster_id);
  if (action.do === "move" && isThere) queues.update(id, { cluster_id });
  if (action.do !== "put") return;
  if (clusters.get(cluster_id) === undefined) clusters.insert(cluster(cluster_id, id));
  const dispatching = { dispatch_paused: false, dispatch_paused_by: null, dispatch_paused_at: null };
  if (!isThere)
    queues.insert({ id, cluster_id, key: id, ...dispatching, dispatch_paused_note: null, ...made });
}

/** Everything in order, also by cluster. */
function stateOf(store: Store): unknown {
  const ids = [0, 1, 2, 3, 4].map((id) => `cluster-${id}`);
  return { ...store.snapshot(), byCluster: ids.map((id) => store.data.queues.list("cluster_id", id)) };
}

test("a change that throws is taken back, in memory and in the file, within others too", () => {
  let round = 0;
  fc.assert(
    fc.property(fc.array(work, { maxLength: 12 }), (works) => {
      round += 1;
      const path = join(directory, `${round}.db`);
      const store = new Store(collections, DataFile.open(path));
      for (const action of works) perform(store, action);
      const expected = stateOf(store);
      store.close();
      const again = DataFile.open(path);
      const revived = new Store(collections, again);
      revived.replay(again.read());
      expect(stateOf(revived)).toEqual(expected);
      revived.close();
    }),
    { numRuns: cases(300) },
  );
});

test("an update takes about as long with many records as with few", () => {
  const store = new Store(collections);
  const { clusters } = store.data;
  const insertUpTo = (count: number) => {
    while (clusters.size < count) clusters.insert(cluster(`cluster-${clusters.size}`, null));
  };
  /** Returns the shortest of several times, because the machine may be busy. */
  const timeOfChanges = () => {
    const times = Array.from({ length: 7 }, () => {
      const start = performance.now();
      for (let index = 0; index < 100; index++) clusters.update(`cluster-${index}`, { name: "new" });
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  insertUpTo(100);
  timeOfChanges();
  const few = timeOfChanges();
  insertUpTo(20_000);
  expect(timeOfChanges() / few).toBeLessThan(20);
});
