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
    call: (client) => client.pipelines.list({ name: "front", repository: "git" }).all(),
    query: { name: "front", repository: "git" },
    answer: [{ slug: "storefront" }],
  }),
  "pipelines.get": ({ pipeline }) => ({
    call: (client) => client.pipelines.get(pipeline),
    answer: { name: "Storefront", running_builds_count: 1, scheduled_builds_count: 1 },
  }),
  "pipelines.create": ({ cluster, team }) => {
    const body = { ...settings, cluster_id: cluster, teams: { [team]: "read_only" as const } };
    return {
      call: (client) => client.pipelines.create(body),
      body,
      answer: { ...shop, cluster_id: cluster, id: uuid, created_at: NOW, running_builds_count: 0 },
    };
  },
  "pipelines.update": ({ cluster, pipeline }) => {
    const body = { ...settings, cluster_id: cluster };
    return {
      call: (client) => client.pipelines.update(pipeline, body),
      body,
      answer: { ...shop, cluster_id: cluster, running_builds_count: 1 },
    };
  },
  "pipelines.delete": ({ pipeline }) => ({
    before: ({ builds }) => builds.list().forEach(({ id }) => void builds.delete(id)),
    call: (client) => client.pipelines.delete(pipeline),
  }),
  "pipelines.archive": ({ pipeline }) => ({
    call: (client) => client.pipelines.archive(pipeline),
    answer: { archived_at: NOW },
  }),
  "pipelines.unarchive": ({ pipeline, pipelineId }) => ({
    before: ({ pipelines }) => pipelines.update(pipelineId, { archived_at: NOW }),
    call: (client) => client.pipelines.unarchive(pipeline),
    answer: { archived_at: null },
  }),
  "pipelines.createWebhook": ({ pipeline }) => ({
    call: (client) => client.pipelines.createWebhook(pipeline),
  }),
  "pipelines.githubWebhooks.get": ({ pipeline, pipelineId, user }) => ({
    before: ({ pipelines }) =>
      pipelines.update(pipelineId, { github_webhooks_disabled: { at: NOW, by: user } }),
    call: (client) => client.pipelines.githubWebhooks.get(pipeline),
    answer: { ...stopped, url: ends("/pipelines/storefront/github-webhooks") },
  }),
  "pipelines.githubWebhooks.enable": ({ pipeline, pipelineId, user }) => ({
    before: ({ pipelines }) =>
      pipelines.update(pipelineId, { github_webhooks_disabled: { at: NOW, by: user } }),
    call: (client) => client.pipelines.githubWebhooks.enable(pipeline),
    answer: { enabled: true, disabled_at: null, disabled_by: null },
  }),
  "pipelines.githubWebhooks.disable": ({ pipeline }) => ({
    call: (client) => client.pipelines.githubWebhooks.disable(pipeline),
    answer: stopped,
  }),

  "pipelineSchedules.list": ({ pipeline, entry }) => ({
    call: (client) => client.pipelineSchedules.list(pipeline).all(),
    answer: [{ id: entry }],
  }),
  "pipelineSchedules.get": ({ pipeline, entry }) => ({
    call: (client) => client.pipelineSchedules.get(pipeline, entry),
    answer: { label: "Nightly", env: { DEEP: "yes" }, pipeline: { slug: pipeline } },
  }),
  "pipelineSchedules.create": ({ pipeline }) => ({
    call: (client) => client.pipelineSchedules.create(pipeline, schedule),
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
  "pipelineSchedules.update": ({ pipeline, entry }) => ({
    call: (client) => client.pipelineSchedules.update(pipeline, entry, schedule),
    body: schedule,
    answer: { ...schedule, id: entry },
  }),
  "pipelineSchedules.delete": ({ pipeline, entry }) => ({
    call: (client) => client.pipelineSchedules.delete(pipeline, entry),
  }),

  "teamMembers.list": ({ team, user }) => ({
    call: (client) => client.teamMembers.list(team).all(),
    answer: [{ user_id: user, user_name: "Ada Archer", role: "member" }],
  }),
  "teamMembers.get": ({ team, user }) => ({
    call: (client) => client.teamMembers.get(team, user),
    answer: { user_id: user, user_name: "Ada Archer", role: "member" },
  }),
  "teamMembers.create": ({ team, otherUser }) => {
    const body = { user_id: otherUser, role: "maintainer" } as const;
    return {
      call: (client) => client.teamMembers.create(team, body),
      body,
      answer: { ...body, user_name: "Ben Baker", created_at: NOW },
    };
  },
  "teamMembers.update": ({ team, user }) => ({
    call: (client) => client.teamMembers.update(team, user, { role: "maintainer" }),
    body: { role: "maintainer" },
    answer: { user_id: user, role: "maintainer" },
  }),
  "teamMembers.delete": ({ team, user }) => ({ call: (client) => client.teamMembers.delete(team, user) }),

  "teamPipelines.list": ({ team, pipelineId }) => ({
    call: (client) => client.teamPipelines.list(team).all(),
    answer: [{ ...teamPipeline, pipeline_id: pipelineId }],
  }),
  "teamPipelines.get": ({ team, pipelineId }) => ({
    call: (client) => client.teamPipelines.get(team, pipelineId),
    answer: { ...teamPipeline, access_level: "build_and_read" },
  }),
  "teamPipelines.create": ({ team, pipelineId, entry }) => {
    const body = { pipeline_id: pipelineId, access_level: "read_only" } as const;
    return {
      before: ({ teamPipelines }) => teamPipelines.delete(entry),
      call: (client) => client.teamPipelines.create(team, body),
      body,
      answer: { ...teamPipeline, ...body },
    };
  },
  "teamPipelines.update": ({ team, pipelineId }) => ({
    call: (client) =>
      client.teamPipelines.update(team, pipelineId, { access_level: "manage_build_and_read" }),
    body: { access_level: "manage_build_and_read" },
    answer: { ...teamPipeline, access_level: "manage_build_and_read" },
  }),
  "teamPipelines.delete": ({ team, pipelineId }) => ({
    call: (client) => client.teamPipelines.delete(team, pipelineId),
  }),

  "teamSuites.list": ({ team, suiteId }) => ({
    call: (client) => client.teamSuites.list(team).all(),
    answer: [{ ...teamSuite, suite_id: suiteId }],
  }),
  "teamSuites.get": ({ team, suiteId }) => ({
    call: (client) => client.teamSuites.get(team, suiteId),
    answer: { ...teamSuite, access_level: ["read", "edit"] },
  }),
  "teamSuites.create": ({ team, suiteId, entry }) => {
    const body = { suite_id: suiteId, access_level: ["edit", "read"] } as const;
    return {
      before: ({ teamSuites }) => teamSuites.delete(entry),
      call: (client) => client.teamSuites.create(team, body),
      body,
      answer: { ...teamSuite, ...body },
    };
  },
  "teamSuites.update": ({ team, suiteId }) => ({
    call: (client) => client.teamSuites.update(team, suiteId, { access_level: ["read"] }),
    body: { access_level: ["read"] },
    answer: { ...teamSuite, access_level: ["read"] },
  }),
  "teamSuites.delete": ({ team, suiteId }) => ({ call: (client) => client.teamSuites.delete(team, suiteId) }),

  "clusterMaintainers.list": ({ cluster, entry, otherUser }) => ({
    call: (client) => client.clusterMaintainers.list(cluster).all(),
    answer: [{ id: entry, actor: { id: otherUser } }],
  }),
  "clusterMaintainers.get": ({ cluster, entry, otherUser }) => ({
    call: (client) => client.clusterMaintainers.get(cluster, entry),
    answer: { id: entry, actor: { id: otherUser, type: "user", name: "Ben Baker", email: text } },
  }),
  "clusterMaintainers.create": ({ cluster, team }) => ({
    call: (client) => client.clusterMaintainers.create(cluster, { team }),
    body: { team },
    answer: { id: uuid, actor: { id: team, graphql_id: text, type: "team", slug: "platform" } },
  }),
  "clusterMaintainers.delete": ({ cluster, entry }) => ({
    call: (client) => client.clusterMaintainers.delete(cluster, entry),
  }),

  "clusterSecrets.list": ({ cluster }) => ({
    call: (client) => client.clusterSecrets.list(cluster).all(),
    answer: [shownSecret],
    lacks: ["value"],
  }),
  "clusterSecrets.get": ({ cluster, entry }) => ({
    call: (client) => client.clusterSecrets.get(cluster, entry),
    answer: shownSecret,
    lacks: ["value"],
  }),
  "clusterSecrets.create": ({ cluster }) => ({
    call: (client) => client.clusterSecrets.create(cluster, { key: "OTHER", value: "v", ...secret }),
    body: { key: "OTHER", value: "v", ...secret },
    answer: { key: "OTHER", ...secret, updated_by: null },
    lacks: ["value"],
  }),
  "clusterSecrets.update": ({ cluster, entry }) => ({
    call: (client) => client.clusterSecrets.update(cluster, entry, secret),
    body: secret,
    answer: { ...shownSecret, ...secret, updated_by: ada },
    lacks: ["value"],
  }),
  "clusterSecrets.updateValue": ({ cluster, entry }) => ({
    call: (client) => client.clusterSecrets.updateValue(cluster, entry, { value: "next" }),
    body: { value: "next" },
    answer: { ...shownSecret, updated_by: ada },
    lacks: ["value"],
  }),
  "clusterSecrets.delete": ({ cluster, entry }) => ({
    call: (client) => client.clusterSecrets.delete(cluster, entry),
  }),

  "notificationServices.list": ({ entry }) => ({
    call: (client) => client.notificationServices.list().all(),
    answer: [{ id: entry, ...webhook }],
  }),
  "notificationServices.get": ({ entry, pipelineId }) => ({
    call: (client) => client.notificationServices.get(entry),
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
      call: (client) => client.notificationServices.create(body),
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
  "notificationServices.update": ({ entry, cluster }) => {
    const body = { settings: { tls_verify: false }, scope_uuids: [cluster], ...service };
    return {
      call: (client) => client.notificationServices.update(entry, body),
      body,
      answer: { ...service, ...body, settings: { tls_verify: false, version: 3, token: "planted-token" } },
    };
  },
  "notificationServices.delete": ({ entry }) => ({
    call: (client) => client.notificationServices.delete(entry),
  }),
  "notificationServices.enable": ({ entry }) => ({
    before: ({ notificationServices }) => notificationServices.update(entry, { enabled: false }),
    call: (client) => client.notificationServices.enable(entry),
    answer: { enabled: true },
  }),
  "notificationServices.disable": ({ entry }) => ({
    call: (client) => client.notificationServices.disable(entry),
    answer: { enabled: false },
  }),

  "organizationRules.list": ({ entry }) => ({
    call: (client) => client.organizationRules.list().all(),
    answer: [{ uuid: entry, ...rule }],
    lacks: ["conditions", "description"],
  }),
  "organizationRules.get": ({ entry, pipelineId }) => ({
    call: (client) => client.organizationRules.get(entry),
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
      call: (client) => client.organizationRules.create(body),
      body,
      answer: { ...rule, uuid, source_uuid: pipelineId, target_uuid: pipelineId, action: "trigger_build" },
      lacks: ["conditions", "description"],
    };
  },
  "organizationRules.delete": ({ entry }) => ({ call: (client) => client.organizationRules.delete(entry) }),
  "pipelineSettings.get": ({ cluster }) => ({
    before: ({ organizations }) =>
      organizations.update(organizations.list()[0]?.id ?? "", {
        pipeline_settings: { default_cluster_id: cluster },
      }),
    call: (client) => client.pipelineSettings.get(),
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
    return { call: (client) => client.pipelineSettings.update(body), body, answer: body };
  },
  "pipelineSettings.enableHostedAgentsSsh": ({ user }) => ({
    call: (client) => client.pipelineSettings.enableHostedAgentsSsh(),
    answer: { hosted_agents_terminal_access: turnedOn(user) },
  }),
  "pipelineSettings.disableHostedAgentsSsh": () => ({
    call: (client) => client.pipelineSettings.disableHostedAgentsSsh(),
    answer: { hosted_agents_terminal_access: turnedOff },
  }),
  "pipelineSettings.enablePublicPipelines": ({ user }) => ({
    call: (client) => client.pipelineSettings.enablePublicPipelines(),
    answer: { public_pipeline_creation: turnedOn(user) },
  }),
  "pipelineSettings.disablePublicPipelines": () => ({
    call: (client) => client.pipelineSettings.disablePublicPipelines(),
    answer: { public_pipeline_creation: turnedOff },
  }),

  "apiSettings.get": () => ({
    call: (client) => client.apiSettings.get(),
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
    return { call: (client) => client.apiSettings.update(body), body, answer: body };
  },

  "invitations.list": ({ entry }) => ({
    before: ({ invitations }) => {
      const [pending] = invitations.list();
      if (pending) invitations.insert({ ...pending, id: pending.id.replace(/^./, "f"), state: "revoked" });
    },
    call: (client) => client.invitations.list().all(),
    answer: [{ id: entry, state: "pending", email: "cy@example.com" }],
  }),
  "invitations.get": ({ entry, user, team }) => ({
    before: ({ invitations }) =>
      invitations.update(entry, { state: "accepted", accepted_at: NOW, accepted_by: user }),
    call: (client) => client.invitations.get(entry),
    answer: {
      ...{ id: entry, url: ends(`/invitations/${entry}`), role: "member", sso_mode: "required" },
      ...{ state: "accepted", accepted_at: NOW, accepted_by: { id: user, ...ada }, created_by: ada },
      ...{ teams: [{ id: team, slug: text }], revoked_at: null, revoked_by: null, expired_at: null },
    },
  }),
  "auditEvents.list": ({ entry }) => ({
    call: (client) => client.auditEvents.list().all(),
    answer: [{ uuid: entry, type: "OrganizationUpdatedEvent" }],
  }),
  "auditEvents.get": ({ entry, user }) => ({
    call: (client) => client.auditEvents.get(entry),
    answer: {
      ...{ uuid: entry, url: ends(`/audit_events/${entry}`), occurred_at: NOW, data: { name: "Acme" } },
      actor: { type: "User", uuid: user, name: "Ada Archer" },
      subject: { type: "Organization", name: "Acme" },
      context: { type: "web", request_ip: "192.0.2.17" },
    },
  }),
};
