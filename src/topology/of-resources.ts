import { nameOfUrn } from "../protocol/urn.js";
import type { Change, Named, Topology, TopologyCluster } from "./topology.js";

/** A resource of a state or a preview, as far as a drawing needs it. */
export interface DrawnResource {
  readonly kind: string;
  readonly id?: string | undefined;
  readonly urn: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Resources that its properties come from, by property. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly change?: Change | undefined;
}

/** The topology of what a stack has, or would have. Clusters of others that its queues and tokens are in are shown, too. */
export function topologyOfResources(resources: readonly DrawnResource[]): Topology {
  // The engine's order is that of their creation, which differs from run to run.
  const sorted = [...resources].sort((one, other) => compare(named(one).name, named(other).name));
  const ofKind = (kind: string) => sorted.filter((resource) => resource.kind === kind);
  const clusters = new Map<string, { cluster: DrawnResource | undefined; inside: DrawnResource[] }>();
  const keys = new Map<string, string>();
  for (const cluster of ofKind("Cluster")) {
    keys.set(cluster.urn, cluster.urn);
    if (cluster.id !== undefined) keys.set(cluster.id, cluster.urn);
    clusters.set(cluster.urn, { cluster, inside: [] });
  }
  for (const kind of ["Queue", "AgentToken", "ClusterDefaultQueue"]) {
    for (const resource of ofKind(kind)) {
      const place = clusterOf(resource);
      const key = keys.get(place) ?? place;
      const entry = clusters.get(key) ?? { cluster: undefined, inside: [] };
      entry.inside.push(resource);
      clusters.set(key, entry);
    }
  }
  const organization = resources
    .map(({ properties }) => properties.organization)
    .find((slug) => typeof slug === "string");
  return {
    ...(typeof organization === "string" && { organization }),
    clusters: [...clusters].map(([key, { cluster, inside }]) => drawnCluster(key, cluster, inside)),
    pipelineTemplates: ofKind("PipelineTemplate").map(named),
    teams: ofKind("Team").map(named),
    suites: ofKind("Suite").map(named),
  };
}

/**
 * What tells a resource's cluster from others: the URN of the cluster it was given, else the id. A cluster that is
 * yet to be made has no id.
 */
export function clusterOf({ properties, propertyDependencies }: DrawnResource): string {
  const given = propertyDependencies.clusterId?.find((urn) => /buildpipeline(?::index)?:Cluster::/.test(urn));
  return given ?? String(properties.clusterId);
}

function drawnCluster(
  key: string,
  cluster: DrawnResource | undefined,
  inside: readonly DrawnResource[],
): TopologyCluster {
  const defaults = inside.filter(({ kind }) => kind === "ClusterDefaultQueue");
  const isDefault = (queue: DrawnResource) =>
    defaults.some(
      ({ properties, propertyDependencies }) =>
        (queue.id !== undefined && properties.queueId === queue.id) ||
        propertyDependencies.queueId?.includes(queue.urn) === true,
    );
  const color = cluster?.properties.color;
  return {
    ...(cluster === undefined ? { name: key.startsWith("urn:") ? nameOfUrn(key) : key } : named(cluster)),
    ...(typeof color === "string" && { color }),
    queues: inside
      .filter(({ kind }) => kind === "Queue")
      .map((queue) => ({
        ...named(queue),
        isDefault: isDefault(queue),
        paused: queue.properties.dispatchPaused === true,
      })),
    agentTokens: inside.filter(({ kind }) => kind === "AgentToken").map(named),
  };
}

/** What people call it: unless that is not known, the name in the program. */
function named({ urn, kind, properties, change }: DrawnResource): Named {
  const label = properties[kind === "Queue" ? "key" : kind === "AgentToken" ? "description" : "name"];
  return {
    name: typeof label === "string" && label !== "" ? label : nameOfUrn(urn),
    ...(change !== undefined && { change }),
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
