import { agentToken } from "./agent-token.js";
import { cluster } from "./cluster.js";
import { pipelineTemplate } from "./pipeline-template.js";
import { clusterDefaultQueue, queue } from "./queue.js";
import type { Review } from "./review.js";
import { suite } from "./suite.js";
import { team } from "./team.js";

export const reviews: Readonly<Partial<Record<string, Review>>> = {
  Cluster: cluster,
  Queue: queue,
  ClusterDefaultQueue: clusterDefaultQueue,
  AgentToken: agentToken,
  PipelineTemplate: pipelineTemplate,
  Team: team,
  Suite: suite,
};
