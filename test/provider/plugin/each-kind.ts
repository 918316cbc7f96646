import { kinds } from "../../../src/provider/lifecycle/values/kinds.js";
import { type Properties, Served, type State, urnOf } from "./served.js";

/** An object of each kind: the name that a person types, and its arguments but those that name another object. */
export const EACH_KIND: Readonly<Record<string, readonly [name: string, args: Properties]>> = {
  Cluster: ["Main", { name: "Main", color: "#ff0000" }],
  Queue: ["Main/linux", { key: "linux", dispatchPaused: true }],
  ClusterDefaultQueue: ["Main", {}],
  AgentToken: ["Main/farm", { description: "farm", allowedIpAddresses: ["192.0.2.7"] }],
  PipelineTemplate: ["Release", { name: "Release", configuration: "steps: []\n", available: true }],
  Team: ["Platform", { name: "Platform", privacy: "secret", isDefaultTeam: true }],
  Suite: ["unit", { name: "Unit", defaultBranch: "main" }],
  Pipeline: ["shop", { name: "Shop", repository: "git@github.com:acme/shop.git", tags: ["a"] }],
  PipelineSchedule: ["shop/Nightly", { cronline: "@daily", label: "Nightly" }],
  TeamMember: ["Platform/bo@example.com", { role: "maintainer" }],
  TeamPipeline: ["Platform/shop", { accessLevel: "read_only" }],
  ClusterSecret: ["Main/KEY", { key: "KEY", value: "a value" }],
};

/** Returns what an object of a kind needs: arguments with the kinds that they name. */
function needsOf(name: string): readonly (readonly [argument: string, kind: string])[] {
  const { parent, arguments: fields = {} } = kinds.get(name) ?? {};
  const named = Object.entries(fields).flatMap(([argument, { refersTo, whenOmitted }]) =>
    refersTo !== undefined && whenOmitted === "required" ? [[argument, refersTo] as const] : [],
  );
  return parent === undefined ? named : [[parent.argument, parent.kind], ...named];
}

function withNeeds(name: string): string[] {
  return [name, ...needsOf(name).flatMap(([, kind]) => withNeeds(kind))];
}

/**
 * Deploys an object of each kind, all in one cluster, or of some kinds.
 *
 * @returns their states by kind, and another run of the engine
 */
export async function withEachKind(...some: readonly string[]) {
  const first = await Served.configured();
  const deployed = new Map<string, State>();
  const { id: userId } = first.emulator.addMember({ name: "Bo", email: "bo@example.com" });
  const wanted = new Set(some.flatMap(withNeeds));
  for (const [kind, [, own]] of Object.entries(EACH_KIND)) {
    if (some.length > 0 && !wanted.has(kind)) continue;
    const ids = needsOf(kind).map(([argument, of]) => [argument, deployed.get(of)?.id]);
    const args = { ...own, ...Object.fromEntries(ids), ...(kind === "TeamMember" && { userId }) };
    deployed.set(kind, await first.deploy(urnOf(kind), args));
  }
  return { engine: await Served.beside(first), deployed };
}
