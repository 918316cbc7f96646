import type { ClusterDefaultQueueArgs } from "../../../src/index.js";
import type { KindCase } from "./kind-case.js";

export const clusterDefaultQueueCase: KindCase<ClusterDefaultQueueArgs> = {
  kind: "ClusterDefaultQueue",
  declare: (classes, name, args, opts) => new classes.ClusterDefaultQueue(name, args, opts),
  get: (classes, name, id) => classes.ClusterDefaultQueue.get(name, id),
  surroundings: async (colleague) => {
    const cluster = String((await colleague.sends("POST", "/clusters", { name: "With a default queue" })).id);
    const queues = `/clusters/${cluster}/queues`;
    return {
      cluster,
      small: String((await colleague.sends("POST", queues, { key: "small" })).id),
      large: String((await colleague.sends("POST", queues, { key: "large" })).id),
    };
  },
  args: ({ cluster = "", small = "" }) => ({ clusterId: cluster, queueId: small }),
  onService: ({ small }) => ({ default_queue_id: small }),
  changes: ({ large = "" }) => ({
    clusterId: { testedBy: "moves to another cluster together with its queue" },
    queueId: [{ to: large, expect: "update", onService: { default_queue_id: large } }],
  }),
  drifts: [],
  path: ({ cluster }) => `/clusters/${cluster}`,
  list: () => "/clusters",
  updateMethod: "PUT",
};
