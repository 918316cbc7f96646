import { canContain, contentKindsOf } from "../../../provider/lifecycle/values/kinds.js";
import { similarNames } from "../../../shared/messages/nearest-name.js";
import { quoted } from "../../../shared/messages/quoted.js";
import type { QueueLoad, ReadLoad } from "../workload/organization.js";
import { ACTIONS, type Action } from "./actions.js";

/** An object of an organization, as people draw it. */
export interface TopologyNode {
  /** Name of its resource type. */
  readonly kind: string;
  readonly name: string;
  /** Undefined for an object that is yet to be created. */
  readonly id?: string;
  readonly change?: Action;
  /** As the service has it: `#A9CCE3`. */
  readonly color?: string;
  /** True if it is the default of its parent. Undefined for types without a default. */
  readonly isDefault?: boolean;
  /** Undefined for types that cannot be paused. */
  readonly paused?: boolean;
  /** Its load now, if requested. */
  readonly load?: QueueLoad;
  /** Objects in it. */
  readonly contents: readonly TopologyNode[];
}

/** Objects of an organization, for a drawing. */
export interface Topology {
  readonly organization?: string;
  /** When jobs and agents were read (ISO 8601), and whether all of them could be. */
  readonly loadRead?: ReadLoad["read"];
  /** Objects in the organization itself. */
  readonly nodes: readonly TopologyNode[];
}

/** Returns the objects that others can be in. */
export function clustersIn(nodes: readonly TopologyNode[]): TopologyNode[] {
  return nodes.filter(({ kind }) => canContain(kind));
}

/** Returns objects and everything in them. */
export function insideOf(nodes: readonly TopologyNode[]): TopologyNode[] {
  return nodes.flatMap((node) => [node, ...insideOf(node.contents)]);
}

/** Returns a topology for programs: `{ organization, clusters: [{ name, queues, agentTokens }], teams, … }`. */
export function topologyAsJson({ organization, nodes }: Topology): object {
  return { ...(organization !== undefined && { organization }), ...contentsAsJson(undefined, nodes) };
}

function contentsAsJson(parent: string | undefined, nodes: readonly TopologyNode[]): Record<string, object> {
  const entries = contentKindsOf(parent).map(({ name }): [string, object] => {
    const own = nodes.filter(({ kind }) => kind === name);
    return [`${name.charAt(0).toLowerCase()}${name.slice(1)}s`, own.map(nodeAsJson)];
  });
  return Object.fromEntries(entries);
}

function nodeAsJson({ kind, id: _, contents, ...shown }: TopologyNode): object {
  const change = shown.change && { change: ACTIONS[shown.change].change };
  return { ...shown, ...change, ...contentsAsJson(kind, contents) };
}

const MOST_NAMES = 10;

/** Checks whether a name or id that a person entered identifies an object. */
export function isNamed({ name, id }: Pick<TopologyNode, "name" | "id">, wanted: string): boolean {
  return name === wanted || id === wanted.toLowerCase();
}

/**
 * Returns the part of a topology that is in one cluster.
 *
 * @param wanted name or id of the cluster. Clusters of one name are drawn together.
 * @throws if there is no such cluster; the message lists the names that resemble it most
 */
export function topologyOfCluster(topology: Topology, wanted: string): Topology {
  const clusters = clustersIn(topology.nodes);
  const nodes = clusters.filter((cluster) => isNamed(cluster, wanted));
  if (nodes.length > 0) return { ...topology, nodes };
  const names = similarNames(
    wanted,
    [...new Set(clusters.map(({ name }) => name))],
    Number.POSITIVE_INFINITY,
  );
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
