import { agentToken } from "./agent-token.js";
import { cluster } from "./cluster.js";
import { clusterDefaultQueue } from "./cluster-default-queue.js";
import type { KindImpact } from "./kind-impact.js";
import { pipelineTemplate } from "./pipeline-template.js";
import { queue } from "./queue.js";
import { suite } from "./suite.js";
import { team } from "./team.js";

/** Kinds whose changes may hit what runs, or what others use. */
export const kindImpacts: Readonly<Record<string, KindImpact>> = {
  Cluster: cluster,
  Queue: queue,
  ClusterDefaultQueue: clusterDefaultQueue,
  AgentToken: agentToken,
  PipelineTemplate: pipelineTemplate,
  Team: team,
  Suite: suite,
};
