import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { type Properties, Served, type State, urnOf } from "./served.js";

const USER = {
  id: "6f1d9c52-8a0b-4c7e-9d13-2b5e7f804a61",
  name: "Cleo Clark",
  email: "cleo@acme.example",
  member: true,
  created_at: "2026-01-01T00:00:00.000Z",
};

/** An object of each kind: the name that a person types, and its arguments but those that refer to others. */
export const EACH_KIND: Readonly<Record<string, readonly [name: string, args: Properties]>> = {
  Cluster: ["Main", { name: "Main", color: "#ff0000" }],
  Queue: ["Main/linux", { key: "linux", dispatchPaused: true }],
  ClusterDefaultQueue: ["Main", {}],
  AgentToken: ["Main/farm", { description: "farm", allowedIpAddresses: ["192.0.2.7"] }],
  PipelineTemplate: ["Release", { name: "Release", configuration: "steps: []\n", available: true }],
  Team: ["Platform", { name: "Platform", privacy: "secret", isDefaultTeam: true }],
  Suite: ["unit", { name: "Unit", defaultBranch: "main" }],
  Pipeline: ["shop", { name: "Shop", repository: "https://git.example/shop.git", tags: ["web"] }],
  PipelineSchedule: ["shop/Nightly", { cronline: "0 3 * * *", label: "Nightly" }],
  TeamMember: [`Platform/${USER.email}`, { userId: USER.id, role: "maintainer" }],
  TeamPipeline: ["Platform/shop", { accessLevel: "build_and_read" }],
  TeamSuite: ["Platform/unit", { accessLevel: ["read", "edit"] }],
  ClusterMaintainer: [`Main/${USER.email}`, { userId: USER.id }],
  ClusterSecret: ["Main/DEPLOY_KEY", { key: "DEPLOY_KEY", value: "s3cr3t-of-test" }],
  NotificationService: [
    "webhook/Dashboards",
    {
      provider: "webhook",
      scope: "all",
      settings: { url: "https://a.example/x" },
      description: "Dashboards",
    },
  ],
  OrganizationRule: [
    "pipeline.trigger_build.pipeline:shop:shop",
    { type: "pipeline.trigger_build.pipeline", conditions: ["source.build.branch == 'main'"] },
  ],
  PipelineSettings: ["settings", { defaultBranch: "trunk" }],
  ApiSettings: ["settings", { restrictUserApiTokenCreation: true }],
};

/** The arguments for which an object of another kind stands. */
const REFERRED: Readonly<Record<string, string>> = {
  queueId: "Queue",
  pipelineId: "Pipeline",
  sourcePipelineId: "Pipeline",
  targetPipelineId: "Pipeline",
  suiteId: "Suite",
};

/** A kind, and those that its arguments above refer to. */
function withReferred(kind: string): string[] {
  const { parent, arguments: fields = {} } = kinds.get(kind) ?? {};
  const referred = Object.entries(REFERRED).flatMap(([argument, of]) => (argument in fields ? [of] : []));
  return [kind, ...(parent === undefined ? [] : [parent.kind]), ...referred].flatMap((one) =>
    one === kind ? [one] : withReferred(one),
  );
}

/**
 * Deploys an object of each kind, all in one cluster, or of some kinds and what they refer to.
 *
 * @returns their states by kind, and another run of the engine
 */
export async function withEachKind(...some: readonly string[]) {
  const first = await Served.configured();
  first.emulator.organizationData.users.insert(USER);
  const wanted = new Set(some.flatMap(withReferred));
  const deployed = new Map<string, State>();
  for (const [kind, [, own]] of Object.entries(EACH_KIND)) {
    if (wanted.size > 0 && !wanted.has(kind)) continue;
    const { parent, arguments: fields = {} } = kinds.get(kind) ?? {};
    const idOf = ([argument, of = ""]: readonly [string, string?]) => [argument, deployed.get(of)?.id];
    const referring = Object.entries(REFERRED).filter(([argument]) => argument in fields);
    if (parent !== undefined) referring.push([parent.argument, parent.kind]);
    const args = { ...own, ...Object.fromEntries(referring.map(idOf)) };
    deployed.set(kind, await first.deploy(urnOf(kind), args));
  }
  return { engine: await Served.beside(first), deployed };
}
