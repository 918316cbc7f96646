import { kinds } from "../../../src/provider/lifecycle/values/kinds.js";
import { type Properties, Served, type State, urnOf } from "./served.js";

/** An object of each kind: the name that a person types, and its arguments but its cluster and queue. */
export const EACH_KIND: Readonly<Record<string, readonly [name: string, args: Properties]>> = {
  Cluster: ["Main", { name: "Main", color: "#ff0000" }],
  Queue: ["Main/linux", { key: "linux", dispatchPaused: true }],
  ClusterDefaultQueue: ["Main", {}],
  AgentToken: ["Main/farm", { description: "farm", allowedIpAddresses: ["192.0.2.7"] }],
  PipelineTemplate: ["Release", { name: "Release", configuration: "steps: []\n", available: true }],
  Team: ["Platform", { name: "Platform", privacy: "secret", isDefaultTeam: true }],
  Suite: ["unit", { name: "Unit", defaultBranch: "main" }],
};

/**
 * Deploys an object of each kind, all in one cluster, or of some kinds.
 *
 * @returns their states by kind, and another run of the engine
 */
export async function withEachKind(...some: readonly string[]) {
  const first = await Served.configured();
  const deployed = new Map<string, State>();
  for (const [kind, [, own]] of Object.entries(EACH_KIND)) {
    if (some.length > 0 && !some.includes(kind)) continue;
    const args = {
      ...own,
      ...(kinds.get(kind)?.parent && { clusterId: deployed.get("Cluster")?.id }),
      ...(kind === "ClusterDefaultQueue" && { queueId: deployed.get("Queue")?.id }),
    };
    deployed.set(kind, await first.deploy(urnOf(kind), args));
  }
  return { engine: await Served.beside(first), deployed };
}
