import { type Listing, type LiveObject, labelOf } from "../inventory/listing.js";
import type { Topology } from "./topology.js";

/** The topology of a live organization. */
export function topologyOfListing({ organization, objects }: Listing): Topology {
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
        .map((queue) => ({
          ...named(queue),
          isDefault: queue.id === entity.default_queue_id,
          paused: queue.entity.dispatch_paused,
        })),
      agentTokens: tokens.filter(({ cluster }) => cluster.id === id).map(named),
    })),
    pipelineTemplates: ofKind("PipelineTemplate").map(named),
    teams: ofKind("Team").map(named),
    suites: ofKind("Suite").map(named),
  };
}
