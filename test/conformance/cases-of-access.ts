import { expect } from "vitest";
import { shownSettings } from "./operations.js";
import { type Cases, NOW, type OfGroup, type World } from "./world.js";

/** Puts in one of each thing below; every other member, pipeline and suite is still without access. */
export async function plantAccess({ emulator, places }: World): Promise<void> {
  const data = emulator.organizationData;
  const made = { created_at: NOW, created_by: places.user };
  const {
    cluster: cluster_id,
    team: team_id,
    entry: id,
    pipelineId: pipeline_id,
    suiteId: suite_id,
  } = places;
  const pair = { id, team_id, created_at: NOW };
  data.teamPipelines.insert({ ...pair, pipeline_id, access_level: "build_and_read" });
  data.teamSuites.insert({ ...pair, suite_id, access_level: ["read", "edit"] });
  data.clusterMaintainers.insert({ id, cluster_id, user_id: places.otherUser, team_id: null });
  data.clusterSecrets.insert({
    ...{ id, cluster_id, ...made, key: "API_KEY", value: "planted-value", description: null, policy: null },
    ...{ updated_at: NOW, updated_by: null, last_read_at: null },
  });
  data.notificationServices.insert({
    ...{ id, ...made, graphql_id: null, provider: "webhook", description: "Dashboards", enabled: true },
    ...{ scope: "some_projects", scope_uuids: [pipeline_id], branch_configuration: "" },
    build_states: { build_passed: true },
    stored_settings: { url: "https://dash.example.com/events", token: "planted-token", version: 3 },
  });
  data.organizationRules.insert({
    ...{ id, ...made, type: "pipeline.artifacts_read.pipeline", source_uuid: pipeline_id },
    ...{ target_uuid: pipeline_id, conditions: ["source.build.branch == 'main'"], description: "Hidden" },
  });
  data.invitations.insert({
    ...{ id, email: "cy@example.com", state: "pending", role: "member", sso_mode: "required" },
    ...{ teams: [team_id], ...made, accepted_at: null, accepted_by: null },
    ...{ revoked_at: null, revoked_by: null, expired_at: null },
  });
  data.auditEvents.insert({
    ...{ id, type: "OrganizationUpdatedEvent", occurred_at: NOW },
    actor: { type: "User", uuid: places.user, name: "Ada Archer" },
    subject: { type: "Organization", uuid: id, name: "Acme" },
    ...{ context: { type: "web", request_ip: "192.0.2.17" }, data: { name: "Acme" } },
  });
  data.pipelineSchedules.insert({
    ...{ id, pipeline_id, ...made, label: "Nightly", cronline: "@daily", message: null, commit: "HEAD" },
    ...{ branch: "main", env: { DEEP: "yes" }, enabled: true },
    ...{ next_build_at: NOW, failed_message: null, failed_at: null },
  });
}

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const text = expect.any(String);
const ends = (end: string) => expect.stringMatching(new RegExp(`/v2/(analytics/)?organizations/acme${end}$`));
const ada = { name: "Ada Archer", email: text };

const shown = { name: "Web Shop", repository: "git@github.com:acme/web.git", ...shownSettings } as const;
const settings = {
  ...shown,
  env: { IGNORED: "for YAML" },
  steps: [{ type: "script", command: "ignored beside YAML" }],
  provider_settings: { trigger_mode: "fork", build_tags: true },
} as const;
const shop = {
  ...shown,
  graphql_id: text,
  url: ends("/pipelines/the-shop"),
  web_url: text,
  builds_url: ends("/pipelines/the-shop/builds"),
  badge_url: text,
  env: null,
  archived_at: null,
  provider: {
    id: "github",
    webhook_url: expect.stringMatching(/^http/),
    settings: { trigger_mode: "fork", build_tags: true, build_branches: true, repository: "acme/web" },
  },
  steps: [
    { type: "script", name: "Make", command: "make", agent_query_rules: ["queue=fast"] },
    { type: "waiter" },
  ],
};
const turnedOn = (id: string) => ({ enabled: true, enabled_at: NOW, enabled_by: { id, name: "Ada Archer" } });
const turnedOff = { enabled: false, enabled_at: null, enabled_by: null };
const stopped = { enabled: false, disabled_at: NOW, disabled_by: "Ada Archer" };
const schedule = {
  label: "Weekly",
  cronline: "0 3 * * 1 Europe/Berlin",
  message: "Deep tests",
  commit: "0123abc",
  branch: "next",
  env: { DEEP: "a=b" },
  enabled: false,
};
const secret = { description: "For uploads", policy: "- pipeline_slug: storefront\n" };
const shownSecret = { key: "API_KEY", created_by: { id: uuid, ...ada } };
const service = {
  scope: "some_clusters",
  description: "Traces",
  branch_configuration: "main",
  build_states: { build_failed: false },
};
const tracing = {
  endpoint: "https://otel.example.com",
  headers: { "x-key": "secret" },
  resource_attributes: { Env: "ci" },
};
const rule = {
  ...{ url: text, graphql_id: text, organization_uuid: uuid, effect: "allow", created_by: ada },
  ...{ source_type: "pipeline", target_type: "pipeline" },
};
const webhook = {
  provider: { id: "webhook", name: "Webhook" },
  url: text,
  graphql_id: null,
  created_by: ada,
};
const teamPipeline = { pipeline_url: ends("/pipelines/storefront"), created_at: NOW };
const teamSuite = { suite_url: ends("/suites/storefront-tests"), created_at: NOW };

/** What runs in clusters, when, and who may do what with it. */
export const casesOfAccess: Cases<
  OfGroup<
    | "pipelines"
    | "pipelineSchedules"
    | "teamMembers"
    | "teamPipelines"
    | "teamSuites"
    | "clusterMaintainers"
    | "clusterSecrets"
    | "notificationServices"
    | "organizationRules"
    | "pipelineSettings"
    | "apiSettings"
    | "invitations"
    | "auditEvents"
  >
> = {
  "pipelines.list": () => ({
    query: { name: "front", repository: "git" },
    answer: [{ slug: "storefront" }],
  }),
  "pipelines.get": () => ({
    answer: { name: "Storefront", running_builds_count: 1, scheduled_builds_count: 1 },
  }),
  "pipelines.create": ({ cluster, team }) => {
    const body = { ...settings, cluster_id: cluster, teams: { [team]: "read_only" as const } };
    return {
      body,
      answer: { ...shop, cluster_id: cluster, id: uuid, created_at: NOW, running_builds_count: 0 },
    };
  },
  "pipelines.update": ({ cluster }) => {
    const body = { ...settings, cluster_id: cluster };
    return { body, answer: { ...shop, cluster_id: cluster, running_builds_count: 1 } };
  },
  "pipelines.delete": () => ({
    before: ({ builds }) => builds.list().forEach(({ id }) => void builds.delete(id)),
  }),
  "pipelines.archive": () => ({ answer: { archived_at: NOW } }),
  "pipelines.unarchive": ({ pipelineId }) => ({
    before: ({ pipelines }) => pipelines.update(pipelineId, { archived_at: NOW }),
    answer: { archived_at: null },
  }),
  "pipelines.githubWebhooks.get": ({ pipelineId, user }) => ({
    before: ({ pipelines }) =>
      pipelines.update(pipelineId, { github_webhooks_disabled: { at: NOW, by: user } }),
    answer: { ...stopped, url: ends("/pipelines/storefront/github-webhooks") },
  }),
  "pipelines.githubWebhooks.enable": ({ pipelineId, user }) => ({
    before: ({ pipelines }) =>
      pipelines.update(pipelineId, { github_webhooks_disabled: { at: NOW, by: user } }),
    answer: { enabled: true, disabled_at: null, disabled_by: null },
  }),
  "pipelines.githubWebhooks.disable": () => ({ answer: stopped }),

  "pipelineSchedules.list": ({ entry }) => ({ answer: [{ id: entry }] }),
  "pipelineSchedules.get": ({ pipeline }) => ({
    answer: { label: "Nightly", env: { DEEP: "yes" }, pipeline: { slug: pipeline } },
  }),
  "pipelineSchedules.create": ({ pipeline }) => ({
    body: schedule,
    answer: {
      ...schedule,
      id: uuid,
      url: expect.stringMatching(/\/pipelines\/storefront\/schedules\/[0-9a-f-]{36}$/),
      next_build_at: null,
      failed_message: null,
      failed_at: null,
      created_by: ada,
      pipeline: { id: uuid, slug: pipeline, url: ends("/pipelines/storefront") },
    },
  }),
  "pipelineSchedules.update": ({ entry }) => ({ body: schedule, answer: { ...schedule, id: entry } }),

  "teamMembers.list": ({ user }) => ({
    answer: [{ user_id: user, user_name: "Ada Archer", role: "member" }],
  }),
  "teamMembers.get": ({ user }) => ({ answer: { user_id: user, user_name: "Ada Archer", role: "member" } }),
  "teamMembers.create": ({ otherUser }) => {
    const body = { user_id: otherUser, role: "maintainer" } as const;
    return { body, answer: { ...body, user_name: "Ben Baker", created_at: NOW } };
  },
  "teamMembers.update": ({ user }) => ({
    body: { role: "maintainer" },
    answer: { user_id: user, role: "maintainer" },
  }),

  "teamPipelines.list": ({ pipelineId }) => ({ answer: [{ ...teamPipeline, pipeline_id: pipelineId }] }),
  "teamPipelines.get": () => ({ answer: { ...teamPipeline, access_level: "build_and_read" } }),
  "teamPipelines.create": ({ pipelineId, entry }) => {
    const body = { pipeline_id: pipelineId, access_level: "read_only" } as const;
    return {
      before: ({ teamPipelines }) => teamPipelines.delete(entry),
      body,
      answer: { ...teamPipeline, ...body },
    };
  },
  "teamPipelines.update": () => ({
    body: { access_level: "manage_build_and_read" },
    answer: { ...teamPipeline, access_level: "manage_build_and_read" },
  }),

  "teamSuites.list": ({ suiteId }) => ({ answer: [{ ...teamSuite, suite_id: suiteId }] }),
  "teamSuites.get": () => ({ answer: { ...teamSuite, access_level: ["read", "edit"] } }),
  "teamSuites.create": ({ suiteId, entry }) => {
    const body = { suite_id: suiteId, access_level: ["edit", "read"] } as const;
    return {
      before: ({ teamSuites }) => teamSuites.delete(entry),
      body,
      answer: { ...teamSuite, ...body },
    };
  },
  "teamSuites.update": () => ({
    body: { access_level: ["read"] },
    answer: { ...teamSuite, access_level: ["read"] },
  }),

  "clusterMaintainers.list": ({ entry, otherUser }) => ({
    answer: [{ id: entry, actor: { id: otherUser } }],
  }),
  "clusterMaintainers.get": ({ entry, otherUser }) => ({
    answer: { id: entry, actor: { id: otherUser, type: "user", name: "Ben Baker", email: text } },
  }),
  "clusterMaintainers.create": ({ team }) => ({
    body: { team },
    answer: { id: uuid, actor: { id: team, graphql_id: text, type: "team", slug: "platform" } },
  }),

  "clusterSecrets.list": () => ({ answer: [shownSecret], lacks: ["value"] }),
  "clusterSecrets.get": () => ({ answer: shownSecret, lacks: ["value"] }),
  "clusterSecrets.create": () => ({
    body: { key: "OTHER", value: "v", ...secret },
    answer: { key: "OTHER", ...secret, updated_by: null },
    lacks: ["value"],
  }),
  "clusterSecrets.update": () => ({
    body: secret,
    answer: { ...shownSecret, ...secret, updated_by: ada },
    lacks: ["value"],
  }),
  "clusterSecrets.updateValue": () => ({
    body: { value: "next" },
    answer: { ...shownSecret, updated_by: ada },
    lacks: ["value"],
  }),

  "notificationServices.list": ({ entry }) => ({ answer: [{ id: entry, ...webhook }] }),
  "notificationServices.get": ({ pipelineId }) => ({
    answer: { ...webhook, scope_uuids: [pipelineId], settings: { token: "planted-token" } },
  }),
  "notificationServices.create": ({ cluster }) => {
    const body = {
      provider: "open_telemetry_tracing",
      settings: tracing,
      scope_uuids: [cluster],
      ...service,
    };
    return {
      body,
      answer: {
        ...service,
        provider: { id: "open_telemetry_tracing" },
        id: uuid,
        enabled: true,
        scope_uuids: [cluster],
        build_states: { build_failed: false, build_passed: true },
        settings: {
          endpoint: tracing.endpoint,
          service_name: "buildkite",
          resource_attributes: { Env: "ci" },
        },
        created_by: ada,
      },
      lacks: ["settings.headers"],
    };
  },
  "notificationServices.update": ({ cluster }) => {
    const body = { settings: { tls_verify: false }, scope_uuids: [cluster], ...service };
    return {
      body,
      answer: { ...service, ...body, settings: { tls_verify: false, version: 3, token: "planted-token" } },
    };
  },
  "notificationServices.enable": ({ entry }) => ({
    before: ({ notificationServices }) => notificationServices.update(entry, { enabled: false }),
    answer: { enabled: true },
  }),
  "notificationServices.disable": () => ({ answer: { enabled: false } }),

  "organizationRules.list": ({ entry }) => ({
    answer: [{ uuid: entry, ...rule }],
    lacks: ["conditions", "description"],
  }),
  "organizationRules.get": ({ pipelineId }) => ({
    answer: { ...rule, source_uuid: pipelineId, action: "artifacts_read" },
    lacks: ["conditions", "description"],
  }),
  "organizationRules.create": ({ pipeline, pipelineId }) => {
    const conditions = ["source.build.branch == 'main'"];
    const body = {
      type: "pipeline.trigger_build.pipeline",
      value: { source_pipeline: pipeline, target_pipeline: pipelineId, conditions },
      description: "Deploys",
    };
    return {
      body,
      answer: { ...rule, uuid, source_uuid: pipelineId, target_uuid: pipelineId, action: "trigger_build" },
      lacks: ["conditions", "description"],
    };
  },
  "pipelineSettings.get": ({ cluster }) => ({
    before: ({ organizations }) =>
      organizations.update(organizations.list()[0]?.id ?? "", {
        pipeline_settings: { default_cluster_id: cluster },
      }),
    answer: {
      default_branch: "main",
      default_cluster_id: cluster,
      default_timeout_in_minutes: null,
      scheduled_job_expiry_in_minutes: null,
      url: ends("/pipeline-settings"),
    },
  }),
  "pipelineSettings.update": ({ cluster }) => {
    const body = {
      default_branch: "trunk",
      default_cluster_id: cluster,
      default_timeout_in_minutes: 10,
      maximum_timeout_in_minutes: 60,
      scheduled_job_expiry_in_minutes: 1440,
    };
    return { body, answer: body };
  },
  "pipelineSettings.enableHostedAgentsSsh": ({ user }) => ({
    answer: { hosted_agents_terminal_access: turnedOn(user) },
  }),
  "pipelineSettings.disableHostedAgentsSsh": () => ({ answer: { hosted_agents_terminal_access: turnedOff } }),
  "pipelineSettings.enablePublicPipelines": ({ user }) => ({
    answer: { public_pipeline_creation: turnedOn(user) },
  }),
  "pipelineSettings.disablePublicPipelines": () => ({ answer: { public_pipeline_creation: turnedOff } }),

  "apiSettings.get": () => ({
    answer: {
      allowed_ip_addresses: null,
      revoke_inactive_tokens_after_days: null,
      restrict_user_api_token_creation: false,
      features: { api_ip_allow_list: true, inactive_api_token_revocation: true },
      url: ends("/api-settings"),
    },
  }),
  "apiSettings.update": () => {
    const body = {
      allowed_ip_addresses: "192.0.2.0/24 198.51.100.7",
      revoke_inactive_tokens_after_days: 90,
      restrict_user_api_token_creation: true,
    };
    return { body, answer: body };
  },

  "invitations.list": ({ entry }) => ({
    before: ({ invitations }) => {
      const [pending] = invitations.list();
      if (pending) invitations.insert({ ...pending, id: pending.id.replace(/^./, "f"), state: "revoked" });
    },
    answer: [{ id: entry, state: "pending", email: "cy@example.com" }],
  }),
  "invitations.get": ({ entry, user, team }) => ({
    before: ({ invitations }) =>
      invitations.update(entry, { state: "accepted", accepted_at: NOW, accepted_by: user }),
    answer: {
      ...{ id: entry, url: ends(`/invitations/${entry}`), role: "member", sso_mode: "required" },
      ...{ state: "accepted", accepted_at: NOW, accepted_by: { id: user, ...ada }, created_by: ada },
      ...{ teams: [{ id: team, slug: text }], revoked_at: null, revoked_by: null, expired_at: null },
    },
  }),
  "auditEvents.list": ({ entry }) => ({ answer: [{ uuid: entry, type: "OrganizationUpdatedEvent" }] }),
  "auditEvents.get": ({ entry, user }) => ({
    answer: {
      ...{ uuid: entry, url: ends(`/audit_events/${entry}`), occurred_at: NOW, data: { name: "Acme" } },
      actor: { type: "User", uuid: user, name: "Ada Archer" },
      subject: { type: "Organization", name: "Acme" },
      context: { type: "web", request_ip: "192.0.2.17" },
    },
  }),
};
