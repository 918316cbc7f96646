import { kinds } from "../../src/provider/for-commands/kinds.js";
import type { ServiceOfTest } from "./driver.js";

export type Properties = Readonly<Record<string, unknown>>;

/** Who can be in a team, and maintain a cluster. */
export const USER = {
  id: "6f1d9c52-8a0b-4c7e-9d13-2b5e7f804a61",
  name: "Cleo Clark",
  email: "cleo@acme.example",
  member: true,
  created_at: "2026-01-01T00:00:00.000Z",
};

/**
 * An object of each kind: the name that a person types, and its arguments but those that must refer to others. What refers
 * stands below what it refers to.
 */
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

/** The arguments of a kind that must refer to others, with the kinds of these: first what it is in. */
export function referencesOf(kind: string): (readonly [argument: string, of: string])[] {
  const { parent, arguments: fields = {} } = kinds.get(kind) ?? {};
  const others = Object.entries(fields).flatMap(([argument, { refersTo, whenOmitted }]) =>
    refersTo === undefined || whenOmitted !== "required" || argument === parent?.argument
      ? []
      : [[argument, refersTo] as const],
  );
  return [...(parent === undefined ? [] : [[parent.argument, parent.kind] as const]), ...others];
}

/** The arguments of the object above, which refers to objects with these ids. */
export function argumentsOf(kind: string, idOf: (kind: string) => string | undefined): Properties {
  const referring = referencesOf(kind).map(([argument, of]) => [argument, idOf(of)]);
  return { ...EACH_KIND[kind]?.[1], ...Object.fromEntries(referring) };
}

/** What the resources refer to, each of them twice. */
export interface Around {
  readonly teams: readonly string[];
  readonly users: readonly string[];
  readonly pipelines: readonly string[];
  readonly suites: readonly string[];
  readonly template: string;
}

/** Two values of every argument that can change after a creation. Pausing has separate requests, and separate tests. */
export const VALUES: Readonly<
  Record<string, (clusters: readonly string[], around: Around) => readonly [Properties, Properties]>
> = {
  ClusterSecret: ([here, there]) => [
    {
      clusterId: here,
      key: "A",
      value: "a",
      description: "First",
      policy: "- build_branch: main\n",
      triggers: { n: 1 },
    },
    {
      clusterId: there,
      key: "B",
      value: "b",
      description: "Second",
      policy: [{ build_branch: "x" }],
      triggers: { n: 2 },
    },
  ],
  OrganizationRule: (_, { pipelines }) => [
    {
      type: "pipeline.trigger_build.pipeline",
      sourcePipelineId: pipelines[0],
      targetPipelineId: pipelines[1],
      conditions: ["source.build.branch == 'a'"],
    },
    {
      type: "pipeline.artifacts_read.pipeline",
      sourcePipelineId: pipelines[1],
      targetPipelineId: pipelines[0],
      conditions: ["source.build.branch == 'b'"],
    },
  ],
  NotificationService: (_, { teams }) => [
    {
      provider: "webhook",
      scope: "some_teams",
      scopeIds: [teams[0]],
      settings: { url: "https://a.example/events" },
      secretSettings: { token: "a" },
      description: "First",
      branchConfiguration: "main",
      triggers: { n: 1 },
    },
    {
      provider: "slack",
      // `around` gives pipelines the ids of the teams.
      scope: "some_projects",
      scopeIds: [teams[1]],
      settings: { url: "https://b.example/events" },
      secretSettings: { token: "b" },
      description: "Second",
      branchConfiguration: "x",
      triggers: { n: 2 },
    },
  ],
  TeamMember: (_, { teams, users }) => [
    { teamId: teams[0], userId: users[0], role: "maintainer" },
    { teamId: teams[1], userId: users[1], role: "member" },
  ],
  TeamPipeline: (_, { teams, pipelines }) => [
    { teamId: teams[0], pipelineId: pipelines[0], accessLevel: "read_only" },
    { teamId: teams[1], pipelineId: pipelines[1], accessLevel: "build_and_read" },
  ],
  TeamSuite: (_, { teams, suites }) => [
    { teamId: teams[0], suiteId: suites[0], accessLevel: ["read"] },
    { teamId: teams[1], suiteId: suites[1], accessLevel: ["edit", "read"] },
  ],
  ClusterMaintainer: ([here, there], { users, teams }) => [
    { clusterId: here, userId: users[0] },
    // A maintainer is a user or a team.
    { clusterId: there, userId: users[1], teamId: teams[0] },
  ],
  Pipeline: ([here, there], { template }) => [
    {
      name: "Storefront",
      repository: "git@github.com:acme/a.git",
      configuration: "steps: [wait]\n",
      clusterId: here,
      slug: "shop",
      description: "Builds",
      defaultBranch: "main",
      branchConfiguration: "main",
      skipQueuedBranchBuilds: true,
      skipQueuedBranchBuildsFilter: "!main",
      cancelRunningBranchBuilds: true,
      cancelRunningBranchBuildsFilter: "!main",
      allowRebuilds: false,
      defaultCommandStepTimeout: 5,
      maximumCommandStepTimeout: 50,
      visibility: "public",
      tags: ["a"],
      emoji: ":penguin:",
      color: "#14cc80",
      cloneMirrorUrl: "https://mirror.example/a.git",
      providerSettings: { buildTags: true },
      onDelete: "delete",
    },
    {
      name: "Window",
      repository: "git@github.com:acme/b.git",
      configuration: { steps: ["wait", "wait"] },
      pipelineTemplateUuid: template,
      clusterId: there,
      slug: "window",
      description: "Tests",
      defaultBranch: "trunk",
      branchConfiguration: "trunk",
      skipQueuedBranchBuilds: false,
      skipQueuedBranchBuildsFilter: "trunk",
      cancelRunningBranchBuilds: false,
      cancelRunningBranchBuildsFilter: "trunk",
      allowRebuilds: true,
      defaultCommandStepTimeout: 7,
      maximumCommandStepTimeout: 70,
      visibility: "private",
      tags: ["b"],
      emoji: ":snail:",
      color: "#ff0000",
      cloneMirrorUrl: "https://mirror.example/b.git",
      providerSettings: { buildTags: false },
      onDelete: "archive",
    },
  ],
  PipelineSchedule: (_, { pipelines }) => [
    {
      pipelineId: pipelines[0],
      cronline: "@daily",
      label: "Nightly",
      branch: "main",
      commit: "HEAD",
      message: "night",
      env: { A: "1" },
      enabled: false,
    },
    {
      pipelineId: pipelines[1],
      cronline: "@weekly",
      label: "Weekly",
      branch: "trunk",
      commit: "abc",
      message: "week",
      env: { B: "2" },
      enabled: true,
    },
  ],
  PipelineSettings: ([here, there]) => [
    {
      defaultBranch: "trunk",
      defaultClusterId: here,
      defaultTimeoutInMinutes: 5,
      maximumTimeoutInMinutes: 50,
      scheduledJobExpiryInMinutes: 60,
    },
    {
      defaultBranch: "dev",
      defaultClusterId: there,
      defaultTimeoutInMinutes: 7,
      maximumTimeoutInMinutes: 70,
      scheduledJobExpiryInMinutes: 120,
    },
  ],
  ApiSettings: () => [
    { reachableFrom: "unknown", revokeInactiveTokensAfterDays: 30, restrictUserApiTokenCreation: true },
    { reachableFrom: "192.0.2.7", revokeInactiveTokensAfterDays: 90, restrictUserApiTokenCreation: false },
  ],
  Cluster: () => [
    { name: "Linux", description: "Builds", emoji: ":penguin:", color: "#14CC80", forceDestroy: true },
    { name: "Mac", description: "Tests", emoji: ":snail:", color: "#ff0000", forceDestroy: false },
  ],
  Queue: ([here, there]) => [
    {
      clusterId: here,
      key: "large",
      description: "16 cores",
      retryAgentAffinity: "prefer-warmest",
      hostedAgents: { instanceShape: "LINUX_AMD64_2X4" },
    },
    {
      clusterId: there,
      key: "small",
      description: "4 cores",
      retryAgentAffinity: "prefer-different",
      hostedAgents: { instanceShape: "LINUX_AMD64_4X16" },
    },
  ],
  AgentToken: ([here, there]) => [
    {
      clusterId: here,
      description: "farm",
      allowedIpAddresses: ["10.0.0.0/8"],
      triggers: { month: "May" },
      expiresAt: "2031-01-01T00:00:00Z",
    },
    {
      clusterId: there,
      description: "barn",
      allowedIpAddresses: ["192.0.2.7"],
      triggers: { month: "June" },
      expiresAt: "2032-01-01T00:00:00Z",
      // A token has this or a time.
      expiresIn: 30,
    },
  ],
  PipelineTemplate: () => [
    { name: "Node", configuration: "steps: []", description: "Services", available: true },
    { name: "Go", configuration: { steps: ["wait"] }, description: "Tools", available: false },
  ],
  Team: () => [
    {
      name: "Platform",
      description: "Machines",
      privacy: "secret",
      isDefaultTeam: true,
      defaultMemberRole: "maintainer",
      membersCanCreatePipelines: true,
      membersCanCreateSuites: true,
      membersCanCreateRegistries: true,
      membersCanDestroyRegistries: true,
      membersCanDestroyPackages: true,
    },
    {
      name: "Mobile",
      description: "Apps",
      privacy: "visible",
      isDefaultTeam: false,
      defaultMemberRole: "member",
      membersCanCreatePipelines: false,
      membersCanCreateSuites: false,
      membersCanCreateRegistries: false,
      membersCanDestroyRegistries: false,
      membersCanDestroyPackages: false,
    },
  ],
  Suite: () => [
    {
      name: "Unit",
      defaultBranch: "main",
      applicationName: "shop",
      color: "#f0ccff",
      emoji: ":test_tube:",
      oidcPolicy: "- iss: https://agent.example\n",
    },
    {
      name: "All",
      defaultBranch: "trunk",
      applicationName: "desk",
      color: "#000000",
      emoji: "🧪",
      oidcPolicy: [{ iss: "https://other.example" }],
    },
  ],
};
export const NONE: Around = { teams: [], users: [], pipelines: [], suites: [], template: "" };

export async function around({
  driver,
  colleague,
  emulator,
}: Pick<ServiceOfTest, "driver" | "colleague" | "emulator">): Promise<Around> {
  const ids = async (kind: string, args: (name: string) => Properties) => {
    const made: string[] = [];
    for (const name of ["Here", "There"]) made.push((await driver.create(kind, args(name))).id);
    return made;
  };
  const templates = await ids("PipelineTemplate", (name) => ({ name, configuration: "steps: []" }));
  const teams = await ids("Team", (name) => ({ name: `Team ${name}` }));
  const pipelines = await Promise.all(
    ["one", "two"].map(async (name) => {
      const body = { name, repository: "git@github.com:acme/x.git", configuration: "steps: [wait]" };
      return String((await colleague.sends("POST", "/pipelines", body)).id);
    }),
  );
  // A notification service may be about teams, and then about pipelines with the same ids.
  const { organizationData: data } = emulator;
  const [pipeline] = data.pipelines.list();
  if (pipeline) for (const id of teams) data.pipelines.insert({ ...pipeline, id, slug: id });
  return {
    template: templates[0] ?? "",
    teams,
    suites: await ids("Suite", (name) => ({ name: `Suite ${name}`, defaultBranch: "main" })),
    users: ["Ada", "Bo"].map((name) => emulator.addMember({ name, email: `${name}@example.com` }).id),
    pipelines,
  };
}
