import type { Emulator } from "../../src/emulator/index.js";
import type { Colleague } from "../support/colleague.js";
import type { Classes } from "./backends.js";

type Values = Readonly<Record<string, unknown>>;

/** A resource of one type in a program that has one of each, and its object on the service. */
export interface Subject {
  /** The resource type, and the resource's name in the program. */
  readonly kind: keyof Classes;
  readonly args: Values;
  /** What `get` needs beside an id. */
  readonly within?: Values;
  /** What the service has after that, in its own spelling. */
  readonly onService: Values;
  /** An argument, another value of it, and what that must do. */
  readonly change: readonly [argument: string, to: unknown, expect: "update" | "replace"];
  /** What a colleague changes by hand, and the arguments that differ then. */
  readonly drift?: { readonly of: readonly string[]; readonly body: Values };
  /** Where the object is, below the organization. */
  readonly path: (id: string, slug: string) => string;
  readonly updateMethod: "PUT" | "PATCH";
  /** A setting of something else: nobody can delete it. */
  readonly isLasting?: true;
}

/** Makes what the resources need around them, each type its own, and describes one resource of each type. */
export async function everyKind(colleague: Colleague, emulator: Emulator): Promise<readonly Subject[]> {
  const made = async (path: string, body: object) => String((await colleague.sends("POST", path, body)).id);
  const cluster = (name: string) => made("/clusters", { name });
  const ofQueues = await cluster("Queues");
  const ofTokens = await cluster("Tokens");
  const withDefault = await cluster("With a default queue");
  const small = await made(`/clusters/${withDefault}/queues`, { key: "small" });
  const large = await made(`/clusters/${withDefault}/queues`, { key: "large" });
  const withSecrets = await cluster("Secrets");
  const steps = {
    repository: "https://git.example/around.git",
    configuration: "steps: []\n",
    cluster_id: ofQueues,
  };
  const around = await made("/pipelines", { name: "Around", ...steps });
  // Only a list that shows what is archived proves that a pipeline is gone.
  await made("/pipelines", { name: "Old", ...steps });
  await colleague.sends("POST", "/pipelines/old/archive", {});
  const suite = await made("/suites", { name: "Around", default_branch: "main" });
  const team = await made("/teams", TEAM);
  const user = emulator.addMember({ name: "Ben Baker", email: "ben@example.com" }).id;
  const inTeam = (kind: string) => (id: string) => `/teams/${id.replace("/", `/${kind}/`)}`;
  const template = {
    name: "Node",
    configuration: "steps:\n  - command: make test # the tests\n",
    description: "Node services",
    available: true,
  };
  const byHand = { name: "By hand", description: "by hand" };
  return [
    {
      kind: "Cluster",
      args: { name: "Linux", description: "Builds", emoji: ":penguin:", color: "#14CC80" },
      onService: { name: "Linux", description: "Builds", emoji: ":penguin:" },
      change: ["name", "Linux 2", "update"],
      drift: {
        of: ["name", "description", "emoji", "color"],
        body: { ...byHand, emoji: ":hand:", color: "#000000" },
      },
      path: (id) => `/clusters/${id}`,
      updateMethod: "PUT",
    },
    {
      kind: "Queue",
      args: { clusterId: ofQueues, key: "linux-large", description: "16 cores" },
      within: { clusterId: ofQueues },
      onService: { key: "linux-large", description: "16 cores", dispatch_paused: false },
      change: ["clusterId", await cluster("Other queues"), "replace"],
      drift: { of: ["description"], body: { description: "by hand" } },
      path: (id) => `/clusters/${ofQueues}/queues/${id}`,
      updateMethod: "PUT",
    },
    {
      kind: "ClusterDefaultQueue",
      args: { clusterId: withDefault, queueId: small },
      onService: { default_queue_id: small },
      change: ["queueId", large, "update"],
      path: () => `/clusters/${withDefault}`,
      updateMethod: "PUT",
      isLasting: true,
    },
    {
      kind: "AgentToken",
      args: {
        clusterId: ofTokens,
        description: "build farm",
        allowedIpAddresses: ["10.20.0.0/16", "192.0.2.7"],
      },
      within: { clusterId: ofTokens },
      onService: { description: "build farm", allowed_ip_addresses: "10.20.0.0/16 192.0.2.7" },
      change: ["clusterId", await cluster("Other tokens"), "replace"],
      drift: {
        of: ["description", "allowedIpAddresses"],
        body: { description: "by hand", allowed_ip_addresses: "0.0.0.0/0" },
      },
      path: (id) => `/clusters/${ofTokens}/tokens/${id}`,
      updateMethod: "PUT",
    },
    {
      kind: "PipelineTemplate",
      args: template,
      onService: template,
      change: ["name", "Go", "update"],
      drift: {
        of: ["name", "configuration", "description", "available"],
        body: { ...byHand, configuration: "steps:\n  - command: rm -rf build\n", available: false },
      },
      path: (id) => `/pipeline-templates/${id}`,
      updateMethod: "PATCH",
    },
    {
      kind: "Team",
      args: {
        name: "Platform",
        description: "Owns the machines",
        privacy: "visible",
        isDefaultTeam: true,
        defaultMemberRole: "maintainer",
        membersCanCreatePipelines: true,
      },
      onService: {
        name: "Platform",
        description: "Owns the machines",
        privacy: "visible",
        default: true,
      },
      change: ["name", "Platforms", "update"],
      drift: {
        of: ["name", "description", "privacy", "isDefaultTeam"],
        body: {
          ...byHand,
          privacy: "secret",
          is_default_team: false,
          default_member_role: "maintainer",
          members_can_create_pipelines: true,
        },
      },
      path: (id) => `/teams/${id}`,
      updateMethod: "PATCH",
    },
    {
      kind: "Suite",
      args: {
        name: "Unit tests",
        defaultBranch: "main",
        applicationName: "shop",
        color: "#f0ccff",
        emoji: ":test_tube:",
      },
      onService: { name: "Unit tests", default_branch: "main" },
      change: ["name", "All tests", "update"],
      drift: { of: ["name", "defaultBranch"], body: { name: "By hand", default_branch: "by-hand" } },
      path: (_, slug) => `/suites/${slug}`,
      updateMethod: "PATCH",
    },
    {
      kind: "Pipeline",
      args: {
        name: "Storefront",
        repository: "https://git.example/storefront.git",
        clusterId: ofQueues,
        description: "The shop",
        tags: ["web"],
        onDelete: "delete",
      },
      onService: { name: "Storefront", description: "The shop", tags: ["web"], cluster_id: ofQueues },
      change: ["name", "Shop", "update"],
      drift: { of: ["description", "tags"], body: { description: "by hand", tags: [] } },
      path: (_, slug) => `/pipelines/${slug}`,
      updateMethod: "PATCH",
    },
    {
      kind: "PipelineSchedule",
      args: { pipelineId: around, cronline: "0 3 * * *", message: "Nightly", env: { FULL: "true" } },
      within: { pipelineId: around },
      onService: { cronline: "0 3 * * *", message: "Nightly", env: { FULL: "true" } },
      change: ["cronline", "@daily", "update"],
      drift: { of: ["message"], body: { message: "by hand" } },
      path: (id) => `/pipelines/around/schedules/${id}`,
      updateMethod: "PATCH",
    },
    {
      kind: "TeamMember",
      args: { teamId: team, userId: user, role: "maintainer" },
      onService: { role: "maintainer" },
      change: ["role", "member", "update"],
      drift: { of: ["role"], body: { role: "member" } },
      path: inTeam("members"),
      updateMethod: "PATCH",
    },
    {
      kind: "TeamPipeline",
      args: { teamId: team, pipelineId: around, accessLevel: "read_only" },
      onService: { access_level: "read_only" },
      change: ["accessLevel", "build_and_read", "update"],
      drift: { of: ["accessLevel"], body: { access_level: "manage_build_and_read" } },
      path: inTeam("pipelines"),
      updateMethod: "PATCH",
    },
    {
      kind: "TeamSuite",
      args: { teamId: team, suiteId: suite, accessLevel: ["read"] },
      onService: { access_level: ["read"] },
      change: ["accessLevel", ["read", "edit"], "update"],
      drift: { of: ["accessLevel"], body: { access_level: ["read", "edit"] } },
      path: inTeam("suites"),
      updateMethod: "PATCH",
    },
    {
      kind: "ClusterMaintainer",
      args: { clusterId: withSecrets, teamId: team },
      within: { clusterId: withSecrets },
      onService: { actor: { id: team } },
      change: ["teamId", await made("/teams", { ...TEAM, name: "Another" }), "replace"],
      path: (id) => `/clusters/${withSecrets}/maintainers/${id}`,
      updateMethod: "PUT",
    },
    {
      kind: "PipelineSettings",
      args: { defaultBranch: "trunk", maximumTimeoutInMinutes: 60 },
      onService: { default_branch: "trunk", maximum_timeout_in_minutes: 60 },
      change: ["defaultBranch", "dev", "update"],
      drift: { of: ["defaultBranch"], body: { default_branch: "by-hand" } },
      path: () => "/pipeline-settings",
      updateMethod: "PATCH",
      isLasting: true,
    },
    {
      kind: "ApiSettings",
      args: { allowedIpAddresses: [], restrictUserApiTokenCreation: true },
      onService: { allowed_ip_addresses: null, restrict_user_api_token_creation: true },
      change: ["restrictUserApiTokenCreation", false, "update"],
      drift: { of: ["restrictUserApiTokenCreation"], body: { restrict_user_api_token_creation: false } },
      path: () => "/api-settings",
      updateMethod: "PATCH",
      isLasting: true,
    },
    {
      kind: "ClusterSecret",
      args: {
        clusterId: withSecrets,
        key: "DEPLOY_KEY",
        value: "a-value-that-nobody-shows",
        description: "Deploys",
      },
      within: { clusterId: withSecrets },
      onService: { key: "DEPLOY_KEY", description: "Deploys" },
      change: ["description", "Deploys the shop", "update"],
      drift: { of: ["description"], body: { description: "by hand" } },
      path: (id) => `/clusters/${withSecrets}/secrets/${id}`,
      updateMethod: "PUT",
    },
    {
      kind: "OrganizationRule",
      args: { type: "pipeline.trigger_build.pipeline", sourcePipelineId: around, targetPipelineId: around },
      onService: { type: "pipeline.trigger_build.pipeline", source_uuid: around, target_uuid: around },
      change: ["type", "pipeline.artifacts_read.pipeline", "replace"],
      path: (id) => `/rules/${id}`,
      updateMethod: "PUT",
    },
    {
      kind: "NotificationService",
      args: {
        provider: "webhook",
        scope: "some_teams",
        scopeIds: [team],
        settings: { url: "https://ci.example.com/events", events: ["build.finished"] },
        secretSettings: { token: "a-token-that-nobody-sees" },
        description: "Dashboards",
      },
      onService: { description: "Dashboards", scope: "some_teams", scope_uuids: [team] },
      change: ["description", "All dashboards", "update"],
      drift: { of: ["description"], body: { description: "by hand" } },
      path: (id) => `/services/${id}`,
      updateMethod: "PATCH",
    },
  ];
}

const TEAM = {
  name: "Around",
  description: "",
  privacy: "visible",
  is_default_team: false,
  default_member_role: "member",
  members_can_create_pipelines: false,
};

/** Returns the objects of every resource type that the service has, as it stores them. */
export function objectsOf({ organizationData }: Emulator): readonly object[] {
  const { agentTokens, clusters, pipelineTemplates, queues, suites, teams, ...others } = organizationData;
  const {
    clusterMaintainers,
    clusterSecrets,
    notificationServices,
    organizationRules,
    pipelines,
    pipelineSchedules,
  } = others;
  const collections = [
    ...[agentTokens, clusters, pipelineTemplates, queues, suites, teams],
    ...[
      clusterMaintainers,
      clusterSecrets,
      notificationServices,
      organizationRules,
      pipelines,
      pipelineSchedules,
    ],
  ];
  return collections.flatMap((collection): readonly object[] => collection.list());
}
