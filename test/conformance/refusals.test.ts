import { describe, expect, test } from "vitest";
import { scopes } from "../../src/emulator/index.js";
import { plantAccess } from "./cases-of-access.js";
import { NOW, WEB_SHOP, World } from "./world.js";

const team = "/teams/66666666-6666-4666-8666-666666666666";
const cluster = "/clusters/11111111-1111-4111-8111-111111111111";
const maintainers = `${cluster}/maintainers`;
const memberId = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
const pipelineId = "88888888-8888-4888-8888-888888888888";
const archivedId = "88888888-8888-4888-8888-888888888889";
const suiteId = "77777777-7777-4777-8777-777777777777";
const nobody = "99999999-9999-4999-8999-999999999999";
const missing = 'Step configuration is missing, expected `steps: { yaml: "..." }`';

/** Adds a maintainer of the team and of the cluster, a pipeline of the team, and two others, one archived. */
const world = World.forAll(async (planted) => {
  await plantAccess(planted);
  const { users, teams, pipelines, teamPipelines, teamSuites, suites, clusterMaintainers } =
    planted.emulator.organizationData;
  const { user, team: team_id, cluster: cluster_id } = planted.places;
  for (const ada of users.list().slice(0, 1)) users.insert({ ...ada, id: memberId, name: "Mia" });
  const memberships = { [memberId]: { role: "maintainer", created_at: NOW } } as const;
  teams.update(team_id, { member_ids: [user, memberId], memberships });
  clusterMaintainers.insert({ id: memberId, cluster_id, user_id: memberId, team_id: null });
  const api = planted.emulator.createPipeline({ slug: "api" });
  const repository = "https://github.com/acme/api.git";
  pipelines.insert({ ...api, id: pipelineId, slug: "shared", repository });
  pipelines.insert({ ...api, id: archivedId, slug: "free", repository, archived_at: NOW });
  const pair = { id: pipelineId, team_id, created_at: NOW };
  teamPipelines.insert({ ...pair, pipeline_id: pipelineId, access_level: "build_and_read" });
  for (const suite of suites.list()) suites.insert({ ...suite, id: suiteId, slug: "shared" });
  teamSuites.insert({ ...pair, suite_id: suiteId, access_level: ["read", "edit"] });
});

const field = (name: string, code: unknown, value: unknown = expect.anything()) => ({
  message: "Validation Failed",
  errors: [{ field: name, code, value }],
});
const created = (fields: object) => ["POST", "/pipelines", { ...WEB_SHOP, ...fields }] as const;
const shop = (fields: object) => ["PATCH", "/pipelines/storefront", fields] as const;
const planted = "/services/bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";
const noticed = (provider: string, settings: object, more: object = {}) =>
  ["POST", "/services", { provider, settings, ...more }] as const;
const ruled = (value: object, type = "pipeline.trigger_build.pipeline") =>
  ["POST", "/rules", { type, value: { source_pipeline: "api", target_pipeline: "api", ...value } }] as const;
const queue = (fields: object) => ["POST", `${cluster}/queues`, { key: "h", ...fields }] as const;
const scheduled = (fields: object) =>
  ["POST", "/pipelines/storefront/schedules", { cronline: "@daily", ...fields }] as const;

/** What a pipeline may not have: of what, the value, the reason, and the value that the response has in its place. */
const fields: readonly (readonly [field: string, value: unknown, code: unknown, shown?: unknown])[] = [
  ["name", " ", "can't be blank"],
  ["repository", undefined, "can't be blank", null],
  ["configuration", undefined, missing, null],
  ["configuration", " ", missing],
  ["configuration", "steps: [", expect.stringMatching(/^is not valid YAML/)],
  ["slug", "api", "has already been taken", "api"],
  ["slug", "a_b", "can only contain letters, numbers and hyphens"],
  ["slug", "a".repeat(101), "is too long (maximum is 100 characters)"],
  ["name", "Storefront", "has already been taken", "storefront"],
  ["name", "FREE", "has already been taken", "free"],
  ["tags", ["a", "a"], "must be unique"],
  ["tags", [..."abcdefghijk"], "must be at most 10"],
  ["tags", ["a".repeat(129)], "must have at most 128 characters each"],
  ["color", "red", "must be a hex color code"],
  ["visibility", "secret", "must be one of private, public"],
  ["cluster_id", nobody, "must be a cluster of this organization"],
  ["pipeline_template_uuid", nobody, "must be a template of this organization"],
  ["teams", { [nobody]: "read_only" }, "must be teams"],
  ["provider_settings", { build_tags: "yes" }, "build_tags is invalid"],
  ["provider_settings", { trigger_mode: "Code" }, "trigger_mode is invalid"],
  ["clone_mirror_url", "https://me:s@mirror.example/x", "can't have credentials, a query or a fragment"],
];

type Sent = readonly [method: string, path: string, body?: object];

const url = "https://x.example";
const access = "Access level";
const isThere = "has already been added to this team";
const one = "Exactly one of user and team must be given";
const build = { commit: "HEAD", branch: "main" };

/** Requests whose validation fails, and the reasons. */
const invalid: readonly (readonly [Sent, reason: string])[] = [
  [scheduled({ cronline: "" }), "Cronline can't be blank"],
  [scheduled({ cronline: "@fortnightly" }), "Cronline is not a valid cron expression"],
  [scheduled({ cronline: "0 3 * *" }), "Cronline is not a valid cron expression"],
  [scheduled({ cronline: "~ 3 * * *" }), "Cronline is not a valid cron expression"],
  [scheduled({ label: "" }), "Label can't be blank"],
  [scheduled({ branch: " " }), "Branch can't be blank"],
  [scheduled({ env: { A: 1 } }), "Env must have strings as values"],

  [["POST", `${team}/members`, { user_id: memberId, role: "member" }], `User ${isThere}`],
  [
    ["POST", `${team}/pipelines`, { pipeline_id: pipelineId, access_level: "read_only" }],
    `Pipeline ${isThere}`,
  ],
  [
    ["POST", `${team}/pipelines`, { pipeline_id: nobody, access_level: "read_only" }],
    "Pipeline must be a pipeline of this organization",
  ],
  [
    ["PATCH", `${team}/pipelines/${pipelineId}`, { access_level: "read" }],
    `${access} must be one of read_only, build_and_read, manage_build_and_read`,
  ],
  [["POST", `${team}/suites`, { suite_id: suiteId, access_level: ["read"] }], `Suite ${isThere}`],
  [
    ["POST", `${team}/suites`, { suite_id: nobody, access_level: ["read"] }],
    "Suite must be a suite of this organization",
  ],
  [["PATCH", `${team}/suites/${suiteId}`, { access_level: ["edit"] }], `${access} must include read`],
  [["PATCH", `${team}/suites/${suiteId}`, { access_level: "read" }], `${access} must be an array`],
  [["PATCH", `${team}/suites/${suiteId}`, { access_level: [] }], `${access} can't be blank`],

  [["POST", maintainers, {}], one],
  [["POST", maintainers, { user: memberId, team: team.slice("/teams/".length) }], one],
  [["POST", maintainers, { user: memberId }], "User is already a maintainer of this cluster"],
  [["POST", maintainers, { user: nobody }], "User must be a member of this organization"],
  [["POST", maintainers, { team: nobody }], "Team must be a team of this organization"],
  [["POST", "/clusters", { name: "x", maintainers: [{}] }], one],

  [noticed("other", {}), "Provider is not known"],
  [noticed("linear", {}), "Linear must be connected in the web interface"],
  [noticed("webhook", {}), "Settings url can't be blank"],
  [noticed("webhook", { url, key: 1 }), "Settings key is not known"],
  [noticed("webhook", { url, version: 2 }), "Settings version can't be lowered"],
  [
    noticed("aws_event_bridge", { aws_region: "us-east-1", aws_account_id: "XXXXXXXX9012" }),
    "Settings aws_account_id must have 12 digits",
  ],
  [noticed("webhook", { url }, { scope_uuids: [pipelineId] }), "Scope uuids must be empty with all"],
  [
    noticed("webhook", { url }, { scope: "some_teams", scope_uuids: [pipelineId] }),
    "Scope uuids must be teams of this organization",
  ],
  [noticed("webhook", { url }, { enabled: false }), "Body has a field that can't be written"],
  [["PATCH", planted, { provider: "slack" }], "Provider can't be changed"],

  [["PUT", cluster, { hosted_git_mirror_enabled: true }], "Cluster must have hosted agents"],
  [["PUT", cluster, { hosted_git_mirror_enabled: "yes" }], "Hosted git mirror enabled must be true or false"],
  [queue({ hostedAgents: { instanceShape: "MACOS_M2_4X7" } }), "Instance shape is not included in the list"],
  [queue({ hostedAgents: {} }), "Instance shape can't be blank"],
  [
    queue({ retry_agent_affinity: "warm" }),
    "Retry agent affinity must be one of prefer-warmest, prefer-different",
  ],
];

/** Requests that the service refuses in other words. */
const others: readonly (readonly [Sent, message: string])[] = [
  [created({ teams: { [nobody]: "admin" } }), "Validation Failed"],
  [["PATCH", "/pipelines/free", { description: "x" }], "Cannot update an archived pipeline"],
  [["POST", "/pipelines/free/archive"], "Pipeline could not be archived."],
  [["POST", "/pipelines/shared/unarchive"], "Pipeline could not be unarchived."],
  [["POST", "/pipelines/api/webhook"], "Auto-creating webhooks is not supported for your repository."],
  [["DELETE", "/pipelines/storefront"], "Pipeline can't be deleted while it has running builds"],
  [["POST", "/pipelines/free/builds", build], "Cannot create a build of an archived pipeline"],

  [ruled({}, "pipeline.other.pipeline"), "Rule type is unknown"],
  [ruled({ source_pipeline: "" }), "pipeline.trigger_build.pipeline: missing source_pipeline"],
  [ruled({ target_pipeline: "" }), "pipeline.trigger_build.pipeline: missing target_pipeline"],
  [ruled({ target_pipeline: nobody }), "pipeline.trigger_build.pipeline: target_pipeline not found"],
  [
    ruled({ conditions: ["source.nonexistent_condition == 1"] }),
    "pipeline.trigger_build.pipeline: conditional is invalid:\n`source.nonexistent_condition` is not a variable",
  ],
];

const refusals: readonly (readonly [Sent, body: object])[] = [
  ...fields.map(
    ([name, value, code, shown]) => [created({ [name]: value }), field(name, code, shown)] as const,
  ),
  [shop({ steps: [] }), field("steps", "can't be set for a pipeline with a YAML configuration", null)],
  [shop({ name: "API" }), field("name", "has already been taken", "api")],
  ...invalid.map(([sent, reason]) => [sent, { message: `Validation failed: ${reason}` }] as const),
  [
    ["POST", "/teams", { ...Object(null), name: "x", members_can_create_suites: "yes" }],
    { message: expect.stringContaining("Members can create suites must be true or false") },
  ],
  ...others.map(([sent, message]) => [sent, { message }] as const),
];

describe("is refused", () => {
  test.each(refusals)("%j", async ([method, path, body], expected) => {
    const before = JSON.stringify(world.emulator.snapshot());
    const answer = await world.send(method, path, body);
    expect([answer.status, answer.body]).toMatchObject([422, expected]);
    expect(JSON.stringify(world.emulator.snapshot())).toBe(before);
    world.answers();
  });

  test("a second webhook, and one where the repository's host has none", async () => {
    expect((await world.send("POST", "/pipelines/storefront/webhook")).status).toBe(201);
    const { status, body } = await world.send("POST", "/pipelines/storefront/webhook");
    const message = "Webhooks could not be created for your repository.";
    expect([status, body]).toEqual([422, { message }]);
  });

  test("a cluster where the organization has none", async () => {
    world.emulator.organizationData.clusters.delete(cluster.slice("/clusters/".length));
    const { body } = await world.send(...created({ cluster_id: cluster.slice("/clusters/".length) }));
    const code = "Clusters has not been activated for your organization";
    expect(body).toMatchObject(field("cluster_id", code));
  });

  test("another machine or architecture of a hosted queue, and an image on its own", async () => {
    const queues = `${cluster}/queues`;
    const hosted = async (key: string, instanceShape: string) => {
      const body = { key, hostedAgents: { instanceShape, agentImageRef: "ignored" } };
      return Object((await world.send("POST", queues, body)).body);
    };
    const linux = await hosted("linux", "LINUX_AMD64_2X4");
    expect(linux).toMatchObject({
      hosted: true,
      hosted_agents: {
        instance_shape: {
          machine_type: "linux",
          architecture: "amd64",
          cpu: 2,
          memory: 4,
          name: "LINUX_AMD64_2X4",
        },
        platform_settings: { linux: { agent_image_ref: null } },
      },
    });
    expect(linux).not.toHaveProperty("retry_agent_affinity");
    const change = async (id: string, hostedAgents: object) => {
      const { status, body } = await world.send("PUT", `${queues}/${id}`, { hostedAgents });
      return [status, Object(body).message ?? Object(body).hosted_agents];
    };
    const refused = (shape: string) => [
      422,
      `Validation failed: Instance shape cannot be changed to ${shape}`,
    ];
    expect(await change(linux.id, { agentImageRef: "alpine" })).toEqual(refused(""));
    expect(await change(linux.id, { instanceShape: "LINUX_ARM64_2X4" })).toEqual(refused("LINUX_ARM64_2X4"));
    expect(await change(world.places.queue, { instanceShape: "LINUX_AMD64_2X4" })).toEqual(
      refused("LINUX_AMD64_2X4"),
    );
    expect(
      await change(linux.id, { instanceShape: "LINUX_AMD64_4X16", agentImageRef: "alpine" }),
    ).toMatchObject([
      200,
      { instance_shape: { cpu: 4 }, platform_settings: { linux: { agent_image_ref: "alpine" } } },
    ]);
    const mac = await hosted("mac", "MACOS_ARM64_M4_6X28");
    const image = { instanceShape: "MACOS_ARM64_M4_6X28", agentImageRef: "x" };
    const message = "Validation failed: Agent image ref cannot be configured for hosted mac queues";
    expect(await change(mac.id, image)).toEqual([422, message]);
    expect((await world.send("PUT", cluster, { hosted_git_mirror_enabled: true })).body).toMatchObject({
      hosted_git_mirror_enabled: true,
      hosted_container_cache_enabled: false,
    });
    world.answers();
  });

  test("a user who is no administrator and has no full access", async () => {
    const token = { scopes: [...scopes], userId: memberId, admin: false };
    const asMember = world.emulator.createAccessToken(token);
    const answers = [
      await world.send("PATCH", "/pipelines/shared", { description: "x" }, asMember),
      await world.send("POST", "/pipelines/shared/archive", undefined, asMember),
      await world.send("DELETE", "/pipelines/shared", undefined, asMember),
      await world.send("POST", "/pipelines/shared/schedules", { cronline: "@daily" }, asMember),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([403, { message: "Forbidden" }]);
    const pair = `${team}/pipelines/${pipelineId}`;
    await world.send("PATCH", pair, { access_level: "manage_build_and_read" }, asMember);
    const changed = await world.send("PATCH", "/pipelines/shared", { description: "x" }, asMember);
    expect([changed.status, Object(changed.body).description]).toEqual([200, "x"]);
    const visible = await world.send("PATCH", "/pipelines/shared", { visibility: "private" }, asMember);
    expect(visible.body).toMatchObject(field("visibility", "can only be changed by admins"));
    world.answers();
  });
});
