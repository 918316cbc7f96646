import type { Listing, LiveObject } from "../inventory/listing.js";
import type { Topology, TopologyQueue } from "./topology.js";

/** The topology of a live organization. @param loads what its queues do now, by their ids */
export function topologyOfListing(
  { organization, objects }: Listing,
  loads: ReadonlyMap<string, NonNullable<TopologyQueue["load"]>> = new Map(),
): Topology {
  const ofKind = (name: string) => objects.filter(({ kind }) => kind.name === name);
  const named = ({ label }: LiveObject) => ({ name: label });
  const queues = ofKind("Queue");
  const tokens = ofKind("AgentToken");
  return {
    organization,
    clusters: ofKind("Cluster").map((cluster) => ({
      ...named(cluster),
      ...(typeof cluster.observed.color === "string" && { color: cluster.observed.color }),
      queues: queues
        .filter(({ parent }) => parent === cluster)
        .map((queue) => {
          const load = loads.get(queue.id);
          return {
            ...named(queue),
            isDefault: queue.id === cluster.observed.defaultQueueId,
            paused: queue.observed.dispatchPaused === true,
            ...(load && { load }),
          };
        }),
      agentTokens: tokens.filter(({ parent }) => parent === cluster).map(named),
    })),
    pipelineTemplates: ofKind("PipelineTemplate").map(named),
    teams: ofKind("Team").map(named),
    suites: ofKind("Suite").map(named),
  };
}
