import type { QueueArgs } from "../../../src/index.js";
import type { KindCase } from "./kind-case.js";

export const queueCase: KindCase<QueueArgs> = {
  kind: "Queue",
  declare: (classes, name, args, opts) => new classes.Queue(name, args, opts),
  get: (classes, name, id, args) => classes.Queue.get(name, id, { clusterId: String(args.clusterId) }),
  surroundings: async (colleague) => ({
    cluster: String((await colleague.sends("POST", "/clusters", { name: "Queues" })).id),
    other: String((await colleague.sends("POST", "/clusters", { name: "Other queues" })).id),
  }),
  args: ({ cluster = "" }) => ({ clusterId: cluster, key: "linux-large", description: "16 cores" }),
  another: (args, name) => ({ ...args, key: `linux-${name}` }),
  onService: () => ({ key: "linux-large", description: "16 cores", dispatch_paused: false }),
  changes: ({ other = "" }) => ({
    clusterId: [{ to: other, expect: "replace" }],
    key: [{ to: "linux-small", expect: "replace", onService: { key: "linux-small" } }],
    description: [
      { to: "32 cores", expect: "update", onService: { description: "32 cores" } },
      { to: undefined, expect: "update", onService: { description: null } },
    ],
    dispatchPaused: { testedBy: "Pausing a queue on the real engine" },
    dispatchPausedNote: { testedBy: "Pausing a queue on the real engine" },
  }),
  drifts: [{ of: ["description"], body: { description: "by hand" } }],
  path: ({ cluster }, id) => `/clusters/${cluster}/queues/${id}`,
  list: ({ cluster }) => `/clusters/${cluster}/queues`,
  updateMethod: "PUT",
  importName: () => "Queues/linux-large",
  byHand: (colleague, { cluster }) =>
    colleague.sends("POST", `/clusters/${cluster}/queues`, { key: "linux-large", description: "16 cores" }),
  mismatch: { description: "something else" },
};
