import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { AgentToken, Cluster, ClusterDefaultQueue, Queue } from "../../../../src/index.js";
import type { Recorded } from "../recorded.js";

export const deletedWith: Recorded = { settings: "configuration", prepare: async () => {}, program };

/** Queues and tokens that are given the cluster itself, for which this version set `deletedWith`. */
function program(): PulumiFn {
  return async () => {
    const linux = new Cluster("linux", { name: "Linux" });
    const large = new Queue("large", { clusterId: linux, key: "large" });
    new Queue("small", { clusterId: linux, key: "small", description: "2 cores" });
    new ClusterDefaultQueue("default", { clusterId: linux, queueId: large.id });
    new AgentToken("farm", { clusterId: linux, description: "farm" });
  };
}
