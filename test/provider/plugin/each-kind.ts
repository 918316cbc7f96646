import { kinds } from "../../../src/provider/lifecycle/values/kinds.js";
import { type Properties, type Served, type State, urnOf } from "./served.js";

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

/** Deploys an object of each kind, all in one cluster. @returns their states, by kind */
export async function deployEachKind(engine: Served): Promise<ReadonlyMap<string, State>> {
  const deployed = new Map<string, State>();
  for (const [kind, [, own]] of Object.entries(EACH_KIND)) {
    const args = {
      ...own,
      ...(kinds.get(kind)?.parent && { clusterId: deployed.get("Cluster")?.id }),
      ...(kind === "ClusterDefaultQueue" && { queueId: deployed.get("Queue")?.id }),
    };
    deployed.set(kind, await engine.deploy(urnOf(kind), args));
  }
  return deployed;
}
