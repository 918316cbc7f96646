import type { BuildPipelineClient } from "../client/index.js";
import { type ListingOptions, listOrganization } from "../inventory/listing.js";
import { readLoad } from "../load/organization.js";
import type { ReadOptions } from "../load/read.js";
import { canContain, kindsInClusters } from "./kinds.js";
import { topologyOfListing } from "./of-listing.js";
import { isNamed } from "./one-cluster.js";
import type { Topology } from "./topology.js";

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
