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
  readonly clusters: readonly string[];
  readonly teams: readonly string[];
  readonly users: readonly string[];
  readonly pipelines: readonly string[];
  readonly suites: readonly string[];
  readonly template: string;
}

const LEFT_OUT = Symbol("left out");

/** Two values of every argument that can change after a creation. Pausing has separate requests, and separate tests. */
const VALUES: Readonly<
  Record<string, (around: Around) => Readonly<Record<string, readonly [unknown, unknown]>>>
> = {
  ClusterSecret: ({ clusters: [here, there] }) => ({
    clusterId: [here, there],
    key: ["A", "B"],
    value: ["a", "b"],
    description: ["First", "Second"],
    policy: ["- build_branch: main\n", [{ build_branch: "x" }]],
    triggers: [{ n: 1 }, { n: 2 }],
  }),
  OrganizationRule: ({ pipelines }) => ({
    type: ["pipeline.trigger_build.pipeline", "pipeline.artifacts_read.pipeline"],
    sourcePipelineId: [pipelines[0], pipelines[1]],
    targetPipelineId: [pipelines[1], pipelines[0]],
    conditions: [["source.build.branch == 'a'"], ["source.build.branch == 'b'"]],
  }),
  NotificationService: ({ teams }) => ({
    provider: ["webhook", "slack"],
    // `around` gives pipelines the ids of the teams.
    scope: ["some_teams", "some_projects"],
    scopeIds: [[teams[0]], [teams[1]]],
    settings: [{ url: "https://a.example/events" }, { url: "https://b.example/events" }],
    secretSettings: [{ token: "a" }, { token: "b" }],
    description: ["First", "Second"],
    branchConfiguration: ["main", "x"],
    triggers: [{ n: 1 }, { n: 2 }],
  }),
  TeamMember: ({ teams, users }) => ({
    teamId: [teams[0], teams[1]],
    userId: [users[0], users[1]],
    role: ["maintainer", "member"],
  }),
  TeamPipeline: ({ teams, pipelines }) => ({
    teamId: [teams[0], teams[1]],
    pipelineId: [pipelines[0], pipelines[1]],
    accessLevel: ["read_only", "build_and_read"],
  }),
  TeamSuite: ({ teams, suites }) => ({
    teamId: [teams[0], teams[1]],
    suiteId: [suites[0], suites[1]],
    accessLevel: [["read"], ["edit", "read"]],
  }),
  ClusterMaintainer: ({ clusters: [here, there], users, teams }) => ({
    clusterId: [here, there],
    userId: [users[0], users[1]],
    teamId: [LEFT_OUT, teams[0]],
  }),
  Pipeline: ({ clusters: [here, there], template }) => ({
    name: ["Storefront", "Window"],
    repository: ["git@github.com:acme/a.git", "git@github.com:acme/b.git"],
    configuration: ["steps: [wait]\n", { steps: ["wait", "wait"] }],
    pipelineTemplateUuid: [LEFT_OUT, template],
    clusterId: [here, there],
    slug: ["shop", "window"],
    description: ["Builds", "Tests"],
    defaultBranch: ["main", "trunk"],
    branchConfiguration: ["main", "trunk"],
    skipQueuedBranchBuilds: [true, false],
    skipQueuedBranchBuildsFilter: ["!main", "trunk"],
    cancelRunningBranchBuilds: [true, false],
    cancelRunningBranchBuildsFilter: ["!main", "trunk"],
    allowRebuilds: [false, true],
    defaultCommandStepTimeout: [5, 7],
    maximumCommandStepTimeout: [50, 70],
    visibility: ["public", "private"],
    tags: [["a"], ["b"]],
    emoji: [":penguin:", ":snail:"],
    color: ["#14cc80", "#ff0000"],
    cloneMirrorUrl: ["https://mirror.example/a.git", "https://mirror.example/b.git"],
    providerSettings: [{ buildTags: true }, { buildTags: false }],
    onDelete: ["delete", "archive"],
  }),
  PipelineSchedule: ({ pipelines }) => ({
    pipelineId: [pipelines[0], pipelines[1]],
    cronline: ["@daily", "@weekly"],
    label: ["Nightly", "Weekly"],
    branch: ["main", "trunk"],
    commit: ["HEAD", "abc"],
    message: ["night", "week"],
    env: [{ A: "1" }, { B: "2" }],
    enabled: [false, true],
  }),
  PipelineSettings: ({ clusters: [here, there] }) => ({
    defaultBranch: ["trunk", "dev"],
    defaultClusterId: [here, there],
    defaultTimeoutInMinutes: [5, 7],
    maximumTimeoutInMinutes: [50, 70],
    scheduledJobExpiryInMinutes: [60, 120],
  }),
  ApiSettings: () => ({
    reachableFrom: ["unknown", "192.0.2.7"],
    revokeInactiveTokensAfterDays: [30, 90],
    restrictUserApiTokenCreation: [true, false],
  }),
  Cluster: () => ({
    name: ["Linux", "Mac"],
    description: ["Builds", "Tests"],
    emoji: [":penguin:", ":snail:"],
    color: ["#14CC80", "#ff0000"],
    forceDestroy: [true, false],
  }),
  Queue: ({ clusters: [here, there] }) => ({
    clusterId: [here, there],
    key: ["large", "small"],
    description: ["16 cores", "4 cores"],
    retryAgentAffinity: ["prefer-warmest", "prefer-different"],
    hostedAgents: [{ instanceShape: "LINUX_AMD64_2X4" }, { instanceShape: "LINUX_AMD64_4X16" }],
  }),
  AgentToken: ({ clusters: [here, there] }) => ({
    clusterId: [here, there],
    description: ["farm", "barn"],
    allowedIpAddresses: [["10.0.0.0/8"], ["192.0.2.7"]],
    triggers: [{ month: "May" }, { month: "June" }],
    expiresAt: ["2031-01-01T00:00:00Z", "2032-01-01T00:00:00Z"],
    // A token has this or a time.
    expiresIn: [LEFT_OUT, 30],
  }),
  PipelineTemplate: () => ({
    name: ["Node", "Go"],
    configuration: ["steps: []", { steps: ["wait"] }],
    description: ["Services", "Tools"],
    available: [true, false],
  }),
  Team: () => ({
    name: ["Platform", "Mobile"],
    description: ["Machines", "Apps"],
    privacy: ["secret", "visible"],
    isDefaultTeam: [true, false],
    defaultMemberRole: ["maintainer", "member"],
    membersCanCreatePipelines: [true, false],
    membersCanCreateSuites: [true, false],
    membersCanCreateRegistries: [true, false],
    membersCanDestroyRegistries: [true, false],
    membersCanDestroyPackages: [true, false],
  }),
  Suite: () => ({
    name: ["Unit", "All"],
    defaultBranch: ["main", "trunk"],
    applicationName: ["shop", "desk"],
    color: ["#f0ccff", "#000000"],
    emoji: [":test_tube:", "🧪"],
    oidcPolicy: ["- iss: https://agent.example\n", [{ iss: "https://other.example" }]],
  }),
};

/** The kinds that have values. */
export const VALUED = Object.keys(VALUES);

const NONE: Around = { clusters: [], teams: [], users: [], pipelines: [], suites: [], template: "" };

/** Arguments of a kind twice, with another value of each. Without anything around, they refer to nothing. */
export function valuesOf(kind: string, world = NONE): readonly [Properties, Properties] {
  const pairs = Object.entries(VALUES[kind]?.(world) ?? {});
  const side = (turn: 0 | 1) =>
    Object.fromEntries(
      pairs.flatMap(([name, { [turn]: value }]) => (value === LEFT_OUT ? [] : [[name, value]])),
    );
  return [side(0), side(1)];
}

/** The same in a service, which has what they refer to then. */
export const valuesIn = async (service: Parameters<typeof around>[0], kind: string) =>
  valuesOf(kind, await around(service));

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
  const clusters = await ids("Cluster", (name) => ({ name }));
  const templates = await ids("PipelineTemplate", (name) => ({ name, configuration: "steps: []" }));
  const teams = await ids("Team", (name) => ({ name: `Team ${name}` }));
  const pipelines = await Promise.all(
    ["one", "two"].map(async (name) => {
      const body = { name, repository: "git@github.com:acme/x.git", configuration: "steps: [wait]" };
      return colleague.makes("/pipelines", body);
    }),
  );
  // A notification service may be about teams, and then about pipelines with the same ids.
  const { organizationData: data } = emulator;
  const [pipeline] = data.pipelines.list();
  if (pipeline) for (const id of teams) data.pipelines.insert({ ...pipeline, id, slug: id });
  return {
    clusters,
    template: templates[0] ?? "",
    teams,
    suites: await ids("Suite", (name) => ({ name: `Suite ${name}`, defaultBranch: "main" })),
    users: ["Ada", "Bo"].map((name) => emulator.addMember({ name, email: `${name}@example.com` }).id),
    pipelines,
  };
}
