import type { Topology, TopologyNode } from "../topology/topology.js";

/** So many clusters are drawn with those that stay as they are. */
const MOST_CLUSTERS = 12;

/** Returns the part of a topology that a reviewer looks at: all of a small one, of a large one what changes. */
export function reviewedTopology(topology: Topology): Topology {
  if (topology.nodes.filter(({ contents }) => contents.length > 0).length <= MOST_CLUSTERS) return topology;
  const hasChanges = ({ change, contents }: TopologyNode): boolean =>
    change !== undefined || contents.some(hasChanges);
  return { ...topology, nodes: topology.nodes.filter(hasChanges) };
}
