import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { collections } from "../../../src/emulator/sections.js";
import { DataFile } from "../../../src/emulator/store/data-file.js";
import { Store } from "../../../src/emulator/store/store.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "transactions-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Work on a store: changes, and transactions within, some of which throw at their end. */
type Work =
  | { readonly do: "put"; readonly id: number; readonly cluster: number }
  | { readonly do: "move"; readonly id: number; readonly cluster: number }
  | { readonly do: "delete"; readonly id: number }
  | { readonly do: "deleteCluster"; readonly id: number }
  | { readonly do: "transaction"; readonly works: readonly Work[]; readonly throws: boolean };

const small = fc.nat({ max: 2 });
const { work } = fc.letrec<{ work: Work }>((tie) => ({
  work: fc.oneof(
    { maxDepth: 3 },
    fc.record({ do: fc.constant("put" as const), id: small, cluster: small }),
    fc.record({ do: fc.constant("move" as const), id: small, cluster: small }),
    fc.record({ do: fc.constant("delete" as const), id: small }),
    fc.record({ do: fc.constant("deleteCluster" as const), id: small }),
    fc.record({
      do: fc.constant("transaction" as const),
      works: fc.array(tie("work"), { maxLength: 5 }),
      throws: fc.boolean(),
    }),
  ),
}));

const time = "2030-01-01T00:00:00.000Z";

function perform(store: Store, action: Work): void {
  const { clusters, queues } = store.data;
  switch (action.do) {
    case "put": {
      const [id, cluster_id] = [`queue-${action.id}`, `cluster-${action.cluster}`];
      const made = { description: null, created_at: time, created_by: "user" };
      if (clusters.get(cluster_id) === undefined) {
        const unset = { emoji: null, color: null, default_queue_id: id };
        clusters.insert({ id: cluster_id, name: cluster_id, ...unset, ...made });
      }
      if (queues.get(id) !== undefined) return;
      const dispatching = { dispatch_paused: false, dispatch_paused_by: null, dispatch_paused_at: null };
      queues.insert({ id, cluster_id, key: id, ...dispatching, dispatch_paused_note: null, ...made });
      return;
    }
    case "move":
      if (queues.get(`queue-${action.id}`) === undefined) return;
      queues.update(`queue-${action.id}`, { cluster_id: `cluster-${action.cluster}` });
      return;
    case "delete":
      queues.delete(`queue-${action.id}`);
      return;
    case "deleteCluster":
      clusters.delete(`cluster-${action.id}`);
      return;
    case "transaction": {
      const before = stateOf(store);
      try {
        store.transaction(() => {
          for (const inner of action.works) perform(store, inner);
          if (action.throws) throw new Error("changed its mind");
        });
      } catch {
        expect(stateOf(store)).toEqual(before);
      }
    }
  }
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
    { numRuns: 300 },
  );
});

test("an update takes about as long with many records as with few", () => {
  const store = new Store(collections);
  const { clusters } = store.data;
  const unset = { description: null, emoji: null, color: null, default_queue_id: null };
  const insertUpTo = (count: number) => {
    while (clusters.size < count) {
      const id = `cluster-${clusters.size}`;
      clusters.insert({ id, name: id, ...unset, created_at: time, created_by: "user" });
    }
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
