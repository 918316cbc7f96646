import { expect } from "vitest";
import { NOW, type World } from "../world.js";

/** An operation's request, and what its answer must have at least. Without it there must be no body. */
interface Case {
  readonly path: string;
  readonly body?: unknown;
  readonly expected?: unknown;
}

/** The world's cluster and team. */
const cluster = "/clusters/11111111-1111-4111-8111-111111111111";
const teamId = "66666666-6666-4666-8666-666666666666";
const team = `/teams/${teamId}`;
const suiteId = "77777777-7777-4777-8777-777777777777";
const freeSuiteId = "77777777-7777-4777-8777-777777777778";
const pipelineId = "88888888-8888-4888-8888-888888888888";
const freePipelineId = "88888888-8888-4888-8888-888888888889";
const memberId = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
const freeMemberId = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaab";
const entry = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";

/** Puts in one of everything that part 2 has, and one more for each pair that a case creates. */
export async function plantPart2({ emulator, places }: World): Promise<void> {
  const data = emulator.organizationData;
  const made = { created_at: NOW, created_by: places.user };
  const cluster_id = places.cluster;
  const [suite] = data.suites.list();
  const [user] = data.users.list();
  if (suite === undefined || user === undefined) throw new Error("The seed is not there.");
  for (const [id, name] of [
    [memberId, "Mia"],
    [freeMemberId, "Finn"],
  ] as const)
    data.users.insert({ ...user, id, name, email: `${name}@acme.example` });
  const memberships = { [memberId]: { role: "maintainer", created_at: NOW } } as const;
  data.teams.update(teamId, { member_ids: [places.user, memberId], memberships });
  data.suites.insert({ ...suite, id: suiteId, slug: "shared" });
  data.suites.insert({ ...suite, id: freeSuiteId, slug: "free" });
  const api = emulator.createPipeline({ slug: "api" });
  for (const [id, slug] of [
    [pipelineId, "shared"],
    [freePipelineId, "free"],
  ] as const)
    data.pipelines.insert({ ...api, id, slug, repository: "https://github.com/acme/api.git" });
  data.pipelines.update(freePipelineId, { archived_at: NOW });
  const pair = { id: entry, team_id: teamId, created_at: NOW };
  data.teamPipelines.insert({ ...pair, pipeline_id: pipelineId, access_level: "build_and_read" });
  data.teamSuites.insert({ ...pair, suite_id: suiteId, access_level: ["read", "edit"] });
  data.clusterMaintainers.insert({ id: entry, cluster_id, user_id: memberId, team_id: null });
  data.clusterSecrets.insert({
    id: entry,
    cluster_id,
    key: "API_KEY",
    value: "planted-value",
    description: null,
    policy: null,
    ...made,
    updated_at: NOW,
    updated_by: null,
    last_read_at: null,
  });
  const storefront = data.pipelines.find("slug", "storefront");
  data.pipelineSchedules.insert({
    id: entry,
    pipeline_id: storefront?.id ?? "",
    label: "Nightly",
    cronline: "@daily",
    message: null,
    commit: "HEAD",
    branch: "main",
    env: { DEEP: "yes" },
    enabled: true,
    next_build_at: NOW,
    failed_message: null,
    failed_at: null,
    ...made,
  });
}

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const text = expect.any(String);
const ends = (end: string) => expect.stringMatching(new RegExp(`/v2/(analytics/)?organizations/acme${end}$`));

const settings = {
  description: "Sells things",
  emoji: ":cart:",
  color: "#FF8800",
  default_branch: "trunk",
  branch_configuration: "trunk !old",
  skip_queued_branch_builds: true,
  skip_queued_branch_builds_filter: "!trunk",
  cancel_running_branch_builds: true,
  cancel_running_branch_builds_filter: "!trunk",
  clone_mirror_url: "https://mirror.example/web.git",
  allow_rebuilds: false,
  default_command_step_timeout: 10,
  maximum_command_step_timeout: 60,
  tags: ["shop", ":cart:"],
  visibility: "public",
  slug: "the-shop",
};
const configuration = "steps:\n  - label: Make\n    command: make\n    agents: { queue: fast }\n  - wait\n";
const names = { name: "Web Shop", repository: "git@github.com:acme/web.git" };
const given = { ...names, ...settings, configuration, cluster_id: cluster.slice("/clusters/".length) };
const otherwise = {
  ...given,
  env: { IGNORED: "for YAML" },
  steps: [{ type: "script", command: "ignored beside YAML" }],
  pipeline_template_uuid: null,
  provider_settings: { trigger_mode: "fork", build_tags: true },
  teams: { [teamId]: "read_only" },
};
const shop = {
  ...given,
  graphql_id: text,
  pipeline_template_uuid: null,
  url: ends("/pipelines/the-shop"),
  web_url: text,
  builds_url: ends("/pipelines/the-shop/builds"),
  badge_url: text,
  env: null,
  archived_at: null,
  running_builds_count: 0,
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
const shownSecret = { key: "API_KEY", created_by: { id: uuid, name: text, email: text } };
const member = { user_name: "Mia", role: "maintainer", created_at: NOW };
const teamPipeline = { pipeline_id: pipelineId, pipeline_url: ends("/pipelines/shared"), created_at: NOW };
const teamSuite = { suite_id: suiteId, suite_url: ends("/suites/shared"), created_at: NOW };
const maintainer = { id: entry, actor: { id: memberId, type: "user", name: "Mia", email: text } };

export const cases: Readonly<Record<string, Case>> = {
  "pipelines.list": {
    path: "/pipelines",
    expected: [{ slug: "storefront" }, { slug: "api" }, { slug: "shared" }],
  },
  "pipelines.get": {
    path: "/pipelines/storefront",
    expected: { name: "Storefront", running_builds_count: 1, scheduled_builds_count: 1 },
  },
  "pipelines.create": {
    path: "/pipelines",
    body: otherwise,
    expected: { ...shop, id: uuid, created_at: NOW },
  },
  "pipelines.update": {
    path: "/pipelines/storefront",
    body: otherwise,
    expected: { ...shop, running_builds_count: 1 },
  },
  "pipelines.delete": { path: "/pipelines/shared" },
  "pipelines.archive": { path: "/pipelines/storefront/archive", expected: { archived_at: NOW } },
  "pipelines.unarchive": { path: "/pipelines/free/unarchive", expected: { archived_at: null } },
  "pipelines.createWebhook": { path: "/pipelines/storefront/webhook" },

  "pipelineSchedules.list": { path: "/pipelines/storefront/schedules", expected: [{ id: entry }] },
  "pipelineSchedules.get": {
    path: `/pipelines/storefront/schedules/${entry}`,
    expected: { label: "Nightly", env: { DEEP: "yes" }, pipeline: { slug: "storefront" } },
  },
  "pipelineSchedules.create": {
    path: "/pipelines/storefront/schedules",
    body: schedule,
    expected: {
      ...schedule,
      id: uuid,
      url: expect.stringMatching(/\/pipelines\/storefront\/schedules\/[0-9a-f-]{36}$/),
      next_build_at: null,
      failed_message: null,
      failed_at: null,
      created_by: { name: "Ada Archer" },
      pipeline: { id: uuid, slug: "storefront", url: ends("/pipelines/storefront") },
    },
  },
  "pipelineSchedules.update": {
    path: `/pipelines/storefront/schedules/${entry}`,
    body: schedule,
    expected: { ...schedule, id: entry },
  },
  "pipelineSchedules.delete": { path: `/pipelines/storefront/schedules/${entry}` },

  "teamMembers.list": {
    path: `${team}/members`,
    expected: [{ user_name: "Ada Archer", role: "member" }, member],
  },
  "teamMembers.get": { path: `${team}/members/${memberId}`, expected: member },
  "teamMembers.create": {
    path: `${team}/members`,
    body: { user_id: freeMemberId, role: "member" },
    expected: { user_id: freeMemberId, user_name: "Finn", role: "member", created_at: NOW },
  },
  "teamMembers.update": {
    path: `${team}/members/${memberId}`,
    body: { role: "member" },
    expected: { ...member, role: "member" },
  },
  "teamMembers.delete": { path: `${team}/members/${memberId}` },

  "teamPipelines.list": { path: `${team}/pipelines`, expected: [teamPipeline] },
  "teamPipelines.get": {
    path: `${team}/pipelines/${pipelineId}`,
    expected: { ...teamPipeline, access_level: "build_and_read" },
  },
  "teamPipelines.create": {
    path: `${team}/pipelines`,
    body: { pipeline_id: freePipelineId, access_level: "read_only" },
    expected: { pipeline_id: freePipelineId, access_level: "read_only" },
  },
  "teamPipelines.update": {
    path: `${team}/pipelines/${pipelineId}`,
    body: { access_level: "manage_build_and_read" },
    expected: { ...teamPipeline, access_level: "manage_build_and_read" },
  },
  "teamPipelines.delete": { path: `${team}/pipelines/${pipelineId}` },

  "teamSuites.list": { path: `${team}/suites`, expected: [teamSuite] },
  "teamSuites.get": { path: `${team}/suites/${suiteId}`, expected: { access_level: ["read", "edit"] } },
  "teamSuites.create": {
    path: `${team}/suites`,
    body: { suite_id: freeSuiteId, access_level: ["edit", "read"] },
    expected: { suite_id: freeSuiteId, access_level: ["edit", "read"] },
  },
  "teamSuites.update": {
    path: `${team}/suites/${suiteId}`,
    body: { access_level: ["read"] },
    expected: { ...teamSuite, access_level: ["read"] },
  },
  "teamSuites.delete": { path: `${team}/suites/${suiteId}` },

  "clusterMaintainers.list": { path: `${cluster}/maintainers`, expected: [maintainer] },
  "clusterMaintainers.get": { path: `${cluster}/maintainers/${entry}`, expected: maintainer },
  "clusterMaintainers.create": {
    path: `${cluster}/maintainers`,
    body: { team: teamId },
    expected: { id: uuid, actor: { id: teamId, graphql_id: text, type: "team", slug: "platform" } },
  },
  "clusterMaintainers.delete": { path: `${cluster}/maintainers/${entry}` },

  "clusterSecrets.list": { path: `${cluster}/secrets`, expected: [shownSecret] },
  "clusterSecrets.get": { path: `${cluster}/secrets/${entry}`, expected: shownSecret },
  "clusterSecrets.create": {
    path: `${cluster}/secrets`,
    body: { key: "OTHER", value: "v", ...secret },
    expected: { key: "OTHER", ...secret, updated_by: null },
  },
  "clusterSecrets.update": {
    path: `${cluster}/secrets/${entry}`,
    body: secret,
    expected: { ...secret, ...shownSecret, updated_by: { name: "Ada Archer" } },
  },
  "clusterSecrets.updateValue": {
    path: `${cluster}/secrets/${entry}/value`,
    body: { value: "next" },
    expected: { ...shownSecret, updated_by: { name: "Ada Archer" } },
  },
  "clusterSecrets.delete": { path: `${cluster}/secrets/${entry}` },
};

export function caseOf(id: string): Case {
  const found = cases[id];
  if (found === undefined) throw new Error(`There is no case for ${id}.`);
  return found;
}
