import { ACTIONS } from "../messages/actions.js";
import { contentKindsOf } from "./kinds.js";
import type { Topology, TopologyNode } from "./topology.js";

/**
 * Returns a topology for programs: `{ organization, clusters: [{ name, queues, agentTokens }], teams, … }`.
 */
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
