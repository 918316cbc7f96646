import type { BuildPipelineClient } from "../client/index.js";
import { type Listing, type ListingOptions, listOrganization } from "../inventory/listing.js";
import { type ReadLoad, readLoad } from "../load/organization.js";
import type { ReadOptions } from "../load/read.js";
import { canContain, kindsInClusters } from "./kinds.js";
import { type DrawnObject, nodesOf } from "./of-resources.js";
import { isNamed, type Topology } from "./topology.js";

interface OrganizationOptions extends Required<Pick<ListingOptions, "onProgress">> {
  /** Name or id of the cluster to read. Default: the whole organization. */
  readonly cluster: string | undefined;
  /** Reads jobs and agents as well. Undefined: does not. */
  readonly load: ReadOptions | undefined;
  /** Called for each list or figure that is missing. */
  readonly onRemark: (text: string) => void;
}

/**
 * Reads the topology of a live organization, and how many objects were listed.
 *
 * @throws if the clusters can't be listed
 */
export async function readTopology(
  client: BuildPipelineClient,
  { cluster, load, onProgress, onRemark }: OrganizationOptions,
): Promise<{ readonly topology: Topology; readonly listed: number }> {
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

/** Returns the topology of a live organization. @param now what its queues do now */
export function topologyOfListing(
  { organization, objects }: Listing,
  now?: Pick<ReadLoad, "queues" | "read">,
): Topology {
  const nodes = nodesOf(
    objects.map(
      ({ kind, id, label, parent, observed }): DrawnObject => ({
        kind: kind.name,
        urn: `${kind.name} ${id}`,
        id,
        name: label,
        properties: { ...observed, ...(kind.parent && { [kind.parent.argument]: parent?.id }) },
        propertyDependencies: {},
        load: now?.queues.get(id),
      }),
    ),
  );
  return { organization, ...(now && { loadRead: now.read }), nodes };
}
