import { type Listing, type LiveObject, labelOf } from "../inventory/listing.js";
import type { Topology, TopologyQueue } from "./topology.js";

/** The topology of a live organization. @param loads what its queues do now, by their ids */
export function topologyOfListing(
  { organization, objects }: Listing,
  loads: ReadonlyMap<string, NonNullable<TopologyQueue["load"]>> = new Map(),
): Topology {
  const ofKind = <Kind extends LiveObject["kind"]>(kind: Kind) =>
    objects.filter((object): object is Extract<LiveObject, { kind: Kind }> => object.kind === kind);
  const named = (object: LiveObject) => ({ name: labelOf(object) });
  const queues = ofKind("Queue");
  const tokens = ofKind("AgentToken");
  return {
    organization,
    clusters: ofKind("Cluster").map(({ id, entity }) => ({
      name: entity.name,
      ...(entity.color && { color: entity.color }),
      queues: queues
        .filter(({ cluster }) => cluster.id === id)
        .map((queue) => {
          const load = loads.get(queue.id);
          return {
            ...named(queue),
            isDefault: queue.id === entity.default_queue_id,
            paused: queue.entity.dispatch_paused,
            ...(load && { load }),
          };
        }),
      agentTokens: tokens.filter(({ cluster }) => cluster.id === id).map(named),
    })),
    pipelineTemplates: ofKind("PipelineTemplate").map(named),
    teams: ofKind("Team").map(named),
    suites: ofKind("Suite").map(named),
  };
}
