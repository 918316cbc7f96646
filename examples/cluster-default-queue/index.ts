import { Cluster, ClusterDefaultQueue, Queue } from "pulumi-buildpipeline";

const mac = new Cluster("mac", { name: "Mac" });
const standard = new Queue("standard", { clusterId: mac, key: "standard" });
new Queue("signing", { clusterId: mac, key: "signing" });

// Agents that name no queue take jobs from the default one. It is a separate resource because a cluster must
// exist before its queues, and a queue before it can be the default.
const chosen = new ClusterDefaultQueue("mac-default", { clusterId: mac, queueId: standard.id });

export const defaultQueueId = chosen.queueId;
