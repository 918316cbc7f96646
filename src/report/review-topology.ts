import type { Topology, TopologyCluster } from "../topology/topology.js";

/** So many clusters are drawn with those that stay as they are. */
const MOST_CLUSTERS = 12;

/** The part of a topology that a reviewer looks at: all of a small one, of a large one what changes. */
export function reviewedTopology(topology: Topology): Topology {
  if (topology.clusters.length <= MOST_CLUSTERS) return topology;
  const isChanging = ({ change }: { change?: unknown }) => change !== undefined;
  const hasChanges = ({ change, queues, agentTokens }: TopologyCluster) =>
    change !== undefined || queues.some(isChanging) || agentTokens.some(isChanging);
  return {
    ...topology,
    clusters: topology.clusters.filter(hasChanges),
    pipelineTemplates: topology.pipelineTemplates.filter(isChanging),
    teams: topology.teams.filter(isChanging),
    suites: topology.suites.filter(isChanging),
  };
}
