import type { BuildPipelineClient } from "../client/index.js";
import {
  type Listing,
  type ListingOptions,
  type LiveObject,
  listOrganization,
} from "../inventory/listing.js";
import { readLoad } from "../load/organization.js";
import type { ReadOptions } from "../load/read.js";
import { defaultSetBy } from "../provider/values/kinds.js";
import { canContain, drawnOf, kindsInClusters } from "./kinds.js";
import { isNamed } from "./one-cluster.js";
import type { Load, Topology, TopologyNode } from "./topology.js";

interface OrganizationOptions extends Required<Pick<ListingOptions, "onProgress">> {
  /** Name or id of the cluster to read. Default: the whole organization. */
  readonly cluster: string | undefined;
  /** Reads jobs and agents as well. Undefined: does not. */
  readonly load: ReadOptions | undefined;
  /** Called for each list or figure that is missing. */
  readonly onRemark: (text: string) => void;
}

/** A topology as it was read. */
export interface LiveTopology {
  readonly topology: Topology;
  /** How many objects were listed. */
  readonly listed: number;
}

/**
 * Reads the topology of a live organization.
 *
 * @throws if the clusters can't be listed
 */
export async function readTopology(
  client: BuildPipelineClient,
  { cluster, load, onProgress, onRemark }: OrganizationOptions,
): Promise<LiveTopology> {
  const listing = await listOrganization(client, {
    ...(cluster !== undefined && {
      kinds: kindsInClusters(),
      // Which cluster an agent is in follows from the queues of all of them.
      within: ({ id, label }) => load !== undefined || isNamed({ id, name: label }, cluster),
    }),
    onProgress,
  });
  for (const [kind, error] of listing.refused) {
    if (canContain(kind)) throw error;
    onRemark(`Without ${kind}: ${error.message}`);
  }
  const now = load && (await readLoad(client, listing, load));
  for (const remark of now?.remarks ?? []) onRemark(remark);
  return { topology: topologyOfListing(listing, now), listed: listing.objects.length };
}

/** Returns the topology of a live organization. @param now what its queues do now, by their ids */
export function topologyOfListing(
  { organization, objects }: Listing,
  now?: { readonly queues: ReadonlyMap<string, Load>; readonly read: NonNullable<Topology["loadRead"]> },
): Topology {
  const inside = Map.groupBy(objects, ({ parent }) => parent);
  const defaults = new Set(
    objects.flatMap(({ kind, observed }) => {
      const set = defaultSetBy(kind.name);
      return set === undefined ? [] : [`${set.of} ${observed[set.argument]}`];
    }),
  );
  const nodesIn = (parent: LiveObject | undefined): TopologyNode[] =>
    (inside.get(parent) ?? [])
      .filter(({ kind }) => defaultSetBy(kind.name) === undefined)
      .map((object) => {
        const { kind, id, label, observed } = object;
        const load = now?.queues.get(id);
        return {
          kind: kind.name,
          name: label,
          id,
          ...drawnOf(kind.name, observed, defaults.has(`${kind.name} ${id}`)),
          ...(load && { load }),
          contents: nodesIn(object),
        };
      });
  return { organization, ...(now && { loadRead: now.read }), nodes: nodesIn(undefined) };
}
