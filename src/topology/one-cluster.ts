import { quoted } from "../messages/quoted.js";
import { nearestNames } from "../resources/rules/nearest-name.js";
import { canContain } from "./kinds.js";
import type { Topology } from "./topology.js";

const MOST_NAMES = 10;

/** Checks whether a name or id that a person entered identifies an object. */
export function isNamed(
  { name, id }: { readonly name: string; readonly id?: string },
  wanted: string,
): boolean {
  return name === wanted || id === wanted.toLowerCase();
}

/**
 * Returns the part of a topology that is in one cluster.
 *
 * @param wanted name or id of the cluster. Clusters of one name are drawn together.
 * @throws if there is no such cluster; the message lists the names that resemble it most
 */
export function topologyOfCluster(topology: Topology, wanted: string): Topology {
  const clusters = topology.nodes.filter(({ kind }) => canContain(kind));
  const nodes = clusters.filter((cluster) => isNamed(cluster, wanted));
  if (nodes.length > 0) return { ...topology, nodes };
  const names = nearestNames(wanted, [...new Set(clusters.map(({ name }) => name))]);
  const shown = names.slice(0, MOST_NAMES).map(quoted).join(", ");
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  throw new Error(
    `There is no cluster ${quoted(wanted)}, so nothing was drawn. ${
      names.length === 0
        ? "There are no clusters."
        : `Give --cluster one of these names, or an id: ${shown}${more}.`
    }`,
  );
}
