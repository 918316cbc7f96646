/** The kinds that a stack can own, in the order in which people read them. */
export const KIND_NAMES = [
  "Cluster",
  "Queue",
  "ClusterDefaultQueue",
  "AgentToken",
  "PipelineTemplate",
  "Team",
  "Suite",
] as const;

export type KindName = (typeof KIND_NAMES)[number];
