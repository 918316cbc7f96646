import type { Topology, TopologyNode } from "../topology/topology.js";

/** Largest number of clusters at which unchanged clusters are drawn too. */
const MOST_CLUSTERS = 12;

/** Returns the part of a topology that a reviewer needs: all of a small topology, and the changes of a large one. */
export function reviewedTopology(topology: Topology): Topology {
  if (topology.nodes.filter(({ contents }) => contents.length > 0).length <= MOST_CLUSTERS) return topology;
  const hasChanges = ({ change, contents }: TopologyNode): boolean =>
    change !== undefined || contents.some(hasChanges);
  return { ...topology, nodes: topology.nodes.filter(hasChanges) };
}
