import type { SecondPartId } from "../conformance/second-part.js";
import type { Call } from "./service.js";

/** A call of an operation, and what it is on the wire. */
export interface WireCase {
  readonly call: Call;
  /** What stands in the path for the placeholders, the organization apart. */
  readonly ids: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The response, or the entry of a list; without it, the response has no body. */
  readonly response?: object;
}

const at = "2026-04-01T10:00:00.000Z";
const ada = { id: "u-1", graphql_id: "VXNlcg==", name: "Ada", email: "ada@example.com", created_at: at };

const api = "https://api.example.com/v2/organizations/acme";
const configuration = "steps:\n  - command: make\n";
/** A pipeline in a response, in the forms that were seen: another form of time, unset fields, settings nobody has listed. */
const pipeline = {
  id: "p-1",
  graphql_id: "UGlwZWxpbmU=",
  url: `${api}/pipelines/storefront`,
  web_url: "https://example.com/acme/storefront",
  builds_url: `${api}/pipelines/storefront/builds`,
  badge_url: "https://badge.example.com/0123456789abcdef.svg",
  name: "Storefront",
  slug: "storefront",
  description: null,
  repository: "git@github.com:acme/storefront.git",
  cluster_id: null,
  pipeline_template_uuid: null,
  configuration,
  steps: [{ type: "script", command: "make", agents: { queue: "fast" } }],
  env: {},
  default_branch: "main",
  branch_configuration: null,
  skip_queued_branch_builds: false,
  skip_queued_branch_builds_filter: null,
  cancel_running_branch_builds: false,
  cancel_running_branch_builds_filter: null,
  allow_rebuilds: true,
  visibility: "private",
  tags: null,
  emoji: null,
  color: null,
  clone_mirror_url: null,
  provider: {
    id: "github",
    webhook_url: "https://webhook.example.com/deliver/0123456789abcdef",
    settings: { trigger_mode: "code", build_tags: false, build_merge_group_checks_requested: true },
  },
  created_by: ada,
  created_at: "2026-04-01 10:00:00 UTC",
  archived_at: null,
  scheduled_builds_count: 0,
  running_builds_count: 1,
  scheduled_jobs_count: 0,
  running_jobs_count: 1,
  waiting_jobs_count: 0,
};
const pipelineSettings = {
  name: "Storefront",
  repository: "git@github.com:acme/storefront.git",
  configuration,
  pipeline_template_uuid: null,
  steps: [],
  env: {},
  cluster_id: null,
  slug: "storefront",
  description: "",
  default_branch: "main",
  branch_configuration: "main release/*",
  skip_queued_branch_builds: true,
  skip_queued_branch_builds_filter: "!main",
  cancel_running_branch_builds: true,
  cancel_running_branch_builds_filter: "!main",
  allow_rebuilds: false,
  default_command_step_timeout: 0,
  maximum_command_step_timeout: 60,
  visibility: "public",
  tags: [],
  emoji: ":shop:",
  color: "#A9CCE3",
  clone_mirror_url: null,
  provider_settings: { trigger_mode: "none", build_tags: true },
} as const;
const teams = { "t-1": "build_and_read" } as const;
const schedule = {
  id: "x-1",
  graphql_id: "U2NoZWR1bGU=",
  url: `${api}/pipelines/storefront/schedules/x-1`,
  label: "Nightly",
  cronline: "0 3 * * * Europe/Berlin",
  message: "",
  commit: "HEAD",
  branch: "main",
  env: null,
  enabled: false,
  next_build_at: null,
  failed_message: "The branch is gone",
  failed_at: at,
  created_at: at,
  created_by: ada,
  pipeline: { id: "p-1", slug: "storefront", url: `${api}/pipelines/storefront` },
};
const scheduleSettings = {
  cronline: "@daily",
  label: "Daily",
  message: "Every day",
  commit: "HEAD",
  branch: "main",
  env: { FLAGS: "a=b" },
  enabled: true,
};
const teamPipeline = {
  pipeline_id: "p-1",
  pipeline_url: pipeline.url,
  access_level: "read_only",
  created_at: at,
};
const member = { user_id: "u-1", user_name: "Ada", role: "maintainer", created_at: at };
const teamSuite = {
  suite_id: "s-1",
  suite_url: "https://api.example.com/v2/analytics/organizations/acme/suites/rspec",
  access_level: ["edit", "read"],
  created_at: at,
};
const userActor = { id: "u-1", graphql_id: "VXNlcg==", type: "user", name: "Ada", email: "ada@example.com" };
const maintainer = { id: "m-1", actor: userActor };
/** Teams in the forms that the sources have. */
const teamMaintainer = { id: "m-2", actor: { id: "t-1", type: "team", slug: "platform" } };
const secret = {
  id: "s-1",
  graphql_id: "U2VjcmV0",
  key: "DEPLOY_KEY",
  description: "",
  policy: null,
  url: "https://api.example.com/v2/organizations/acme/clusters/c-1/secrets/s-1",
  cluster_url: "https://api.example.com/v2/organizations/acme/clusters/c-1",
  created_at: at,
  created_by: ada,
  updated_at: at,
  updated_by: null,
  last_read_at: null,
  organization: { id: "o-1", slug: "acme", url: "https://api.example.com/v2/organizations/acme" },
};
const policy = "- pipeline_slug: storefront\n";

const hosted_agents = {
  instance_shape: {
    name: "LINUX_ARM64_4X16",
    machine_type: "linux",
    architecture: "arm64",
    cpu: 4,
    memory: 16,
  },
  platform_settings: { linux: { agent_image_ref: null } },
};
const flags = {
  members_can_create_suites: true,
  members_can_create_registries: false,
  members_can_destroy_registries: false,
  members_can_destroy_packages: true,
};
const teamSettings = {
  name: "Platform",
  description: "",
  privacy: "visible",
  is_default_team: false,
  default_member_role: "member",
  members_can_create_pipelines: false,
} as const;
const suite = { id: "s-1", slug: "rspec", name: "RSpec" };
const policyList = [{ iss: "https://agent.example.com", claims: { pipeline: ["storefront"] } }];

/** What the second part adds to operations of the first: a call, its body, and the fields of its response. */
export const additions: readonly [name: string, call: Call, body: object | undefined, response: object][] = [
  [
    "clusters.create",
    (c) => c.clusters.create({ name: "Linux", maintainers: [{ user: "u-1" }, { team: "t-1" }] }),
    { name: "Linux", maintainers: [{ user: "u-1" }, { team: "t-1" }] },
    {
      id: "c-1",
      name: "Linux",
      maintainers: { users: [maintainer], teams: [teamMaintainer, { id: "m-3", actor: { id: "t-2" } }] },
    },
  ],
  [
    "clusters.update",
    (c) =>
      c.clusters.update("c-1", { hosted_git_mirror_enabled: true, hosted_container_cache_enabled: false }),
    { hosted_git_mirror_enabled: true, hosted_container_cache_enabled: false },
    { id: "c-1", name: "Linux", hosted_git_mirror_enabled: true, hosted_container_cache_enabled: false },
  ],
  [
    "queues.create",
    (c) => c.queues.create("c-1", { key: "arm", hostedAgents: { instanceShape: "LINUX_ARM64_4X16" } }),
    { key: "arm", hostedAgents: { instanceShape: "LINUX_ARM64_4X16" } },
    { id: "q-1", key: "arm", dispatch_paused: false, hosted: true, hosted_agents },
  ],
  [
    "queues.update",
    (c) =>
      c.queues.update("c-1", "q-1", {
        retry_agent_affinity: "prefer-different",
        hostedAgents: { instanceShape: "LINUX_ARM64_8X32", agentImageRef: "ruby:4" },
      }),
    {
      retry_agent_affinity: "prefer-different",
      hostedAgents: { instanceShape: "LINUX_ARM64_8X32", agentImageRef: "ruby:4" },
    },
    { id: "q-1", key: "arm", dispatch_paused: false, retry_agent_affinity: "prefer-different" },
  ],
  [
    "agentTokens.create",
    (c) => c.agentTokens.create("c-1", { description: "office", expires_at: at }),
    { description: "office", expires_at: at },
    { id: "k-1", description: "office", token: "bkct_secret", expires_at: at },
  ],
  [
    "teams.create",
    (c) => c.teams.create({ ...teamSettings, ...flags }),
    { ...teamSettings, ...flags },
    { id: "t-1", name: "Platform", default: false, default_member_role: "member", ...flags },
  ],
  [
    "suites.create",
    (c) => c.suites.create({ name: "RSpec", default_branch: "main", oidc_policy: policyList }),
    { name: "RSpec", default_branch: "main", oidc_policy: policyList },
    { ...suite, organization_id: "o-1", oidc_policy: "- iss: https://agent.example.com\n" },
  ],
  [
    "suites.update",
    (c) => c.suites.update("rspec", { oidc_policy: null, show_api_token: true }),
    { oidc_policy: null, show_api_token: true },
    { ...suite, oidc_policy: null, api_token: "hush" },
  ],
  [
    "accessToken.get",
    (c) => c.accessToken.get(),
    undefined,
    {
      uuid: "a-1",
      scopes: ["read_clusters"],
      description: "Deployments",
      created_at: at,
      expires_at: null,
      user: { name: "Ada", email: "ada@example.com" },
    },
  ],
];

export const cases: Readonly<Record<SecondPartId, WireCase>> = {
  "pipelines.list": {
    call: (c) => c.pipelines.list({ name: "store", repository: "acme/" }).all(),
    ids: [],
    query: { name: "store", repository: "acme/" },
    response: pipeline,
  },
  "pipelines.get": { call: (c) => c.pipelines.get("storefront"), ids: ["storefront"], response: pipeline },
  "pipelines.create": {
    call: (c) => c.pipelines.create({ ...pipelineSettings, teams }),
    ids: [],
    body: { ...pipelineSettings, teams },
    response: pipeline,
  },
  "pipelines.update": {
    call: (c) => c.pipelines.update("storefront", pipelineSettings),
    ids: ["storefront"],
    body: pipelineSettings,
    response: { ...pipeline, tags: ["a"], default_command_step_timeout: 5 },
  },
  "pipelines.delete": { call: (c) => c.pipelines.delete("storefront"), ids: ["storefront"] },
  "pipelines.archive": {
    call: (c) => c.pipelines.archive("storefront"),
    ids: ["storefront"],
    response: { ...pipeline, archived_at: at },
  },
  "pipelines.unarchive": {
    call: (c) => c.pipelines.unarchive("storefront"),
    ids: ["storefront"],
    response: pipeline,
  },
  "pipelines.createWebhook": { call: (c) => c.pipelines.createWebhook("storefront"), ids: ["storefront"] },

  "pipelineSchedules.list": {
    call: (c) => c.pipelineSchedules.list("storefront").all(),
    ids: ["storefront"],
    response: schedule,
  },
  "pipelineSchedules.get": {
    call: (c) => c.pipelineSchedules.get("storefront", "x-1"),
    ids: ["storefront", "x-1"],
    response: { ...schedule, env: {} },
  },
  "pipelineSchedules.create": {
    call: (c) => c.pipelineSchedules.create("storefront", scheduleSettings),
    ids: ["storefront"],
    body: scheduleSettings,
    response: { ...schedule, ...scheduleSettings, next_build_at: at },
  },
  "pipelineSchedules.update": {
    call: (c) => c.pipelineSchedules.update("storefront", "x-1", scheduleSettings),
    ids: ["storefront", "x-1"],
    body: scheduleSettings,
    response: { ...schedule, ...scheduleSettings },
  },
  "pipelineSchedules.delete": {
    call: (c) => c.pipelineSchedules.delete("storefront", "x-1"),
    ids: ["storefront", "x-1"],
  },

  "teamPipelines.list": {
    call: (c) => c.teamPipelines.list("t-1").all(),
    ids: ["t-1"],
    response: teamPipeline,
  },
  "teamPipelines.get": {
    call: (c) => c.teamPipelines.get("t-1", "p-1"),
    ids: ["t-1", "p-1"],
    response: teamPipeline,
  },
  "teamPipelines.create": {
    call: (c) => c.teamPipelines.create("t-1", { pipeline_id: "p-1", access_level: "build_and_read" }),
    ids: ["t-1"],
    body: { pipeline_id: "p-1", access_level: "build_and_read" },
    // The sample of the document has this value, which no request can send.
    response: { ...teamPipeline, access_level: "read" },
  },
  "teamPipelines.update": {
    call: (c) => c.teamPipelines.update("t-1", "p-1", { access_level: "manage_build_and_read" }),
    ids: ["t-1", "p-1"],
    body: { access_level: "manage_build_and_read" },
    response: { ...teamPipeline, access_level: "manage_build_and_read" },
  },
  "teamPipelines.delete": { call: (c) => c.teamPipelines.delete("t-1", "p-1"), ids: ["t-1", "p-1"] },

  "teamMembers.list": { call: (c) => c.teamMembers.list("t-1").all(), ids: ["t-1"], response: member },
  "teamMembers.get": {
    call: (c) => c.teamMembers.get("t-1", "u-1"),
    ids: ["t-1", "u-1"],
    response: member,
  },
  "teamMembers.create": {
    call: (c) => c.teamMembers.create("t-1", { user_id: "u-1", role: "maintainer" }),
    ids: ["t-1"],
    body: { user_id: "u-1", role: "maintainer" },
    response: member,
  },
  "teamMembers.update": {
    call: (c) => c.teamMembers.update("t-1", "u-1", { role: "member" }),
    ids: ["t-1", "u-1"],
    body: { role: "member" },
    response: { ...member, role: "member" },
  },
  "teamMembers.delete": { call: (c) => c.teamMembers.delete("t-1", "u-1"), ids: ["t-1", "u-1"] },

  "teamSuites.list": { call: (c) => c.teamSuites.list("t-1").all(), ids: ["t-1"], response: teamSuite },
  "teamSuites.get": {
    call: (c) => c.teamSuites.get("t-1", "s-1"),
    ids: ["t-1", "s-1"],
    response: teamSuite,
  },
  "teamSuites.create": {
    call: (c) => c.teamSuites.create("t-1", { suite_id: "s-1", access_level: ["edit", "read"] }),
    ids: ["t-1"],
    body: { suite_id: "s-1", access_level: ["edit", "read"] },
    response: teamSuite,
  },
  "teamSuites.update": {
    call: (c) => c.teamSuites.update("t-1", "s-1", { access_level: ["read"] }),
    ids: ["t-1", "s-1"],
    body: { access_level: ["read"] },
    response: { ...teamSuite, access_level: ["read"] },
  },
  "teamSuites.delete": { call: (c) => c.teamSuites.delete("t-1", "s-1"), ids: ["t-1", "s-1"] },

  "clusterMaintainers.list": {
    call: (c) => c.clusterMaintainers.list("c-1").all(),
    ids: ["c-1"],
    response: teamMaintainer,
  },
  "clusterMaintainers.get": {
    call: (c) => c.clusterMaintainers.get("c-1", "m-1"),
    ids: ["c-1", "m-1"],
    response: maintainer,
  },
  "clusterMaintainers.create": {
    call: (c) => c.clusterMaintainers.create("c-1", { team: "t-1" }),
    ids: ["c-1"],
    body: { team: "t-1" },
    response: { id: "m-2", actor: { id: "t-1", name: "Platform" } },
  },
  "clusterMaintainers.delete": {
    call: (c) => c.clusterMaintainers.delete("c-1", "m-1"),
    ids: ["c-1", "m-1"],
  },

  "clusterSecrets.list": { call: (c) => c.clusterSecrets.list("c-1").all(), ids: ["c-1"], response: secret },
  "clusterSecrets.get": {
    call: (c) => c.clusterSecrets.get("c-1", "s-1"),
    ids: ["c-1", "s-1"],
    response: secret,
  },
  "clusterSecrets.create": {
    call: (c) =>
      c.clusterSecrets.create("c-1", { key: "DEPLOY_KEY", value: "hush\n", description: "Deploys", policy }),
    ids: ["c-1"],
    body: { key: "DEPLOY_KEY", value: "hush\n", description: "Deploys", policy },
    response: { ...secret, description: "Deploys", policy },
  },
  "clusterSecrets.update": {
    call: (c) => c.clusterSecrets.update("c-1", "s-1", { description: "", policy }),
    ids: ["c-1", "s-1"],
    body: { description: "", policy },
    response: { ...secret, policy, updated_by: ada },
  },
  "clusterSecrets.updateValue": {
    call: (c) => c.clusterSecrets.updateValue("c-1", "s-1", { value: "hush" }),
    ids: ["c-1", "s-1"],
    body: { value: "hush" },
    response: { ...secret, updated_by: ada },
  },
  "clusterSecrets.delete": { call: (c) => c.clusterSecrets.delete("c-1", "s-1"), ids: ["c-1", "s-1"] },
};
