import { expect, test } from "vitest";
import { BuildPipelineError } from "../../src/client/index.js";
import { defaultVariations, type Variations } from "../../src/emulator/index.js";
import { asObject, type Json } from "./description.js";
import { builds, COMMIT, NIGHT_SHIFT, NOW, WEB_SHOP, World } from "./world.js";

/** What the client or plain requests see under each value of a variation; the compiler demands every value of a union. */
interface Observation<Value extends Variations[keyof Variations]> {
  readonly see: (world: World) => Promise<unknown>;
  readonly under: { readonly [Each in `${Value}`]: unknown };
}

/** A call's failure by its class and status; its result when it succeeds. */
async function outcome<T>(call: Promise<T>): Promise<T | string> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof BuildPipelineError) return `${error.name} ${Reflect.get(error, "status")}`;
    throw error;
  }
}

/** A field of an answer; "absent" where it is missing. */
const field = (entity: object, name: string): unknown =>
  Object.hasOwn(entity, name) ? Reflect.get(entity, name) : "absent";

const sent = async (world: World, method: string, path: string, body?: unknown): Promise<Json> =>
  asObject((await world.send(method, path, body)).body);

const status = async (world: World, method: string, path: string, body?: unknown): Promise<number> =>
  (await world.send(method, path, body)).status;

const cluster = ({ client }: World, body: object) => client.clusters.create({ name: "Mac", ...body });

const notified = (world: World, provider: string, settings: object, more: object = {}) =>
  sent(world, "POST", "/services", { provider, settings, ...more });

const observations: { readonly [Name in keyof Variations]: Observation<Variations[Name]> } = {
  pauseNoteField: {
    see: async ({ client, places, emulator }) => {
      const params = { cluster_id: places.cluster, queue_id: places.queue };
      const body = { dispatch_paused_note: "left", note: "right" };
      emulator.perform("queues.pauseDispatch", { params, body });
      return (await client.queues.get(places.cluster, places.queue)).dispatch_paused_note;
    },
    under: { dispatch_paused_note: "left", note: "right", both: "left" },
  },
  suiteTeamsField: {
    see: async ({ client, places, emulator }) => {
      const { suites, teamSuites } = emulator.organizationData;
      const body = { name: "S", default_branch: "main" };
      await client.suites.create({ ...body, team_ids: [places.team] });
      emulator.perform("suites.create", { body: { ...body, teams_ids: [places.team] } });
      return suites.list().map(({ id }) => teamSuites.count("suite_id", id));
    },
    under: { team_ids: [0, 1, 0], teams_ids: [0, 0, 1], both: [0, 1, 1] },
  },
  suiteTeamsRequired: {
    see: async ({ client }) => outcome(client.suites.create({ name: "S", default_branch: "main" })),
    under: { false: expect.objectContaining({ slug: "s" }), true: "ValidationError 422" },
  },
  suiteReadReturnsCreateFields: {
    see: async ({ client, places }) => {
      const shown = [await client.suites.get(places.suite), ...(await client.suites.list().all())];
      return shown.map((suite) => field(suite, "application_name"));
    },
    under: {
      false: ["absent", "absent"],
      true: ["Storefront", "Storefront"],
      single: ["Storefront", "absent"],
    },
  },
  largestPage: {
    see: async ({ client }) => {
      for (const name of ["One", "Two", "Three"]) await client.teams.create({ ...NIGHT_SHIFT, name });
      const sizes: number[] = [];
      for await (const page of client.teams.list().pages()) sizes.push(page.length);
      return Math.max(...sizes) > 2;
    },
    under: { "2": false, "100": true },
  },
  listLag: {
    see: async ({ client }) => {
      const { id } = await client.teams.create({ ...NIGHT_SHIFT, name: "Late" });
      const lists = [await client.teams.list().all(), await client.teams.list().all()];
      lists.push(await client.teams.list().all(), [await client.teams.get(String(id))]);
      return lists.map((teams) => teams.some(({ name }) => name === "Late"));
    },
    under: { "0": [true, true, true, true], "1": [false, true, true, true], "2": [false, false, true, true] },
  },
  showApiTokenOnRead: {
    // The client never asks a read for the secret, whatever the service would give.
    see: async ({ client, places }) => field(await client.suites.get(places.suite), "api_token"),
    under: { false: "absent", true: "absent" },
  },
  suiteSlugOnRename: {
    see: async ({ client, places }) => (await client.suites.update(places.suite, { name: "New name" })).slug,
    under: { kept: "storefront-tests", changed: "new-name" },
  },
  suiteErrorBody: {
    see: async ({ client }) => {
      const refused = client.suites.create({ name: "", default_branch: "main" });
      return refused.catch((error: unknown) => field(Object(error), "serviceMessage"));
    },
    under: {
      message: "Validation failed: Name can't be blank",
      errors: expect.stringContaining("Validation failed: Name can't be blank"),
      empty: "",
      text: "Validation failed: Name can't be blank",
    },
  },
  teamWriteResponse: {
    see: async ({ client }) => {
      const { id, name } = await client.teams.create(NIGHT_SHIFT);
      return [typeof id, name];
    },
    under: { full: ["string", "Night shift"], submitted: ["undefined", "Night shift"] },
  },
  teamReturnsWritableFields: {
    see: async ({ client, places }) => field(await client.teams.get(places.team), "default_member_role"),
    under: { false: "absent", true: "member" },
  },
  teamDescriptionRequired: {
    see: async ({ client }) => {
      const { description: _, ...terse } = NIGHT_SHIFT;
      // Published clients leave an empty description out; the type of this one does not let it be.
      return typeof (await outcome(client.teams.create(Object(terse))));
    },
    under: { false: "object", true: "string" },
  },
  teamPermissionsRequired: {
    see: async ({ client }) => typeof (await outcome(client.teams.create(NIGHT_SHIFT))),
    under: { false: "object", true: "string" },
  },
  teamUpdate: {
    see: async ({ client, places }) => {
      // Published clients send what changed; the type of this one does not let it be.
      const updated = await outcome(client.teams.update(places.team, Object({ description: "Nights" })));
      return typeof updated;
    },
    under: { partial: "object", whole: "string" },
  },
  teamSlugOnRename: {
    see: async ({ client, places }) => (await client.teams.update(places.team, NIGHT_SHIFT)).slug,
    under: { kept: "platform", changed: "night-shift" },
  },
  teamScope: {
    see: async (world) => {
      const reads = async (scope: string) => {
        const client = world.as(world.emulator.createAccessToken({ scopes: [scope] }));
        return typeof (await outcome(client.teams.get(world.places.team))) === "object";
      };
      return { read_teams: await reads("read_teams"), view_teams: await reads("view_teams") };
    },
    under: {
      either: { read_teams: true, view_teams: true },
      read_teams: { read_teams: true, view_teams: false },
      view_teams: { read_teams: false, view_teams: true },
    },
  },
  clearDefaultQueue: {
    see: async ({ client, places }) => {
      await client.clusters.update(places.cluster, { default_queue_id: places.queue });
      await outcome(client.clusters.update(places.cluster, { default_queue_id: null }));
      return (await client.clusters.get(places.cluster)).default_queue_id;
    },
    under: { allowed: null, refused: expect.any(String) },
  },
  deleteDefaultQueue: {
    see: async ({ client, places }) => {
      await client.clusters.update(places.cluster, { default_queue_id: places.queue });
      const deleted = await outcome(client.queues.delete(places.cluster, places.queue));
      return [deleted, (await client.clusters.get(places.cluster)).default_queue_id];
    },
    under: { allowed: [undefined, null], refused: ["ValidationError 422", expect.any(String)] },
  },
  deleteQueueWithAgents: {
    see: async ({ client, places, emulator }) => {
      emulator.connectAgent({ queueId: places.queue });
      return outcome(client.queues.delete(places.cluster, places.queue));
    },
    under: { allowed: undefined, refused: "ValidationError 422" },
  },
  unsetText: {
    see: async (world) => field(await cluster(world, {}), "description"),
    under: { null: null, "": "", absent: "absent" },
  },
  allowedAddressesUnset: {
    see: async ({ client, places }) =>
      field(await client.agentTokens.create(places.cluster, { description: "x" }), "allowed_ip_addresses"),
    under: { null: null, "": "", absent: "absent" },
  },
  allowedAddressesForm: {
    see: async ({ client, places }) =>
      (await client.agentTokens.get(places.cluster, places.token)).allowed_ip_addresses,
    under: { string: "192.0.2.0/24", array: ["192.0.2.0/24"] },
  },
  allowedAddresses: {
    see: async ({ client, places }) => {
      const allowed_ip_addresses = ["198.51.100.7/24", "192.0.2.1"];
      const body = { description: "x", allowed_ip_addresses };
      return (await client.agentTokens.create(places.cluster, body)).allowed_ip_addresses;
    },
    under: {
      kept: "198.51.100.7/24 192.0.2.1",
      canonical: "198.51.100.0/24 192.0.2.1/32",
      sorted: "192.0.2.1 198.51.100.7/24",
    },
  },
  agentTokenExpiresAt: {
    see: async ({ client, places }) =>
      field(await client.agentTokens.get(places.cluster, places.token), "expires_at"),
    under: { absent: "absent", shown: null },
  },
  textEnds: {
    see: async (world) => (await cluster(world, { description: " Mac \n" })).description,
    under: { kept: " Mac \n", trimmed: "Mac" },
  },
  colorCase: {
    see: async (world) => (await cluster(world, { color: "#aBcDeF" })).color,
    under: { kept: "#aBcDeF", lower: "#abcdef", upper: "#ABCDEF" },
  },
  emojiForm: {
    see: async (world) => [
      (await cluster(world, { emoji: ":mac:" })).emoji,
      (await cluster(world, { emoji: "mac" })).emoji,
    ],
    under: { kept: [":mac:", "mac"], colons: [":mac:", ":mac:"], bare: ["mac", "mac"] },
  },
  yamlText: {
    see: async ({ client }) =>
      (await client.pipelineTemplates.create({ name: "T", configuration: "\nsteps:   [] # none" }))
        .configuration,
    under: {
      kept: "\nsteps:   [] # none",
      trimmed: "steps:   [] # none",
      "final-newline": "\nsteps:   [] # none\n",
      reformatted: expect.stringMatching(/^\n?steps: \[\] # none\n$/),
    },
  },
  cancelState: {
    see: async ({ client, places }) => {
      const { state } = await client.builds.cancel(places.pipeline, builds.running);
      return [state, (await client.builds.get(places.pipeline, builds.running)).state];
    },
    under: { canceled: ["canceled", "canceled"], canceling: ["canceling", "canceled"] },
  },
  waitingJobQueue: {
    see: async ({ client, places, emulator }) => {
      await client.clusters.update(places.cluster, { default_queue_id: places.queue });
      emulator.createPipeline({ slug: "api", clusterId: places.cluster });
      const { jobs } = await client.builds.create("api", { commit: COMMIT, branch: "main" });
      return jobs?.map((job) => job.cluster_queue_id === places.queue);
    },
    under: { absent: [false], shown: [true] },
  },
  pullRequestUnset: {
    see: async ({ client, places }) =>
      field(await client.builds.get(places.pipeline, builds.passed), "pull_request"),
    under: { null: null, empty: {}, absent: "absent" },
  },
  broadBuildLists: {
    see: async ({ client }) => {
      const shapes = [await client.builds.listAll().all(), await client.builds.list().all()];
      return shapes.map(([build]) => field(Object(build?.pipeline), "default_branch"));
    },
    under: { full: ["main", "main"], reduced: ["absent", "absent"] },
  },
  webhookUrlVisible: {
    see: async ({ client, places }) =>
      (await client.builds.list(places.pipeline).all())[0]?.pipeline?.provider?.webhook_url,
    under: { true: expect.stringMatching(/^http/), false: "" },
  },
  embeddedUserGraphqlId: {
    see: async ({ client, places }) =>
      typeof (await client.clusters.get(places.cluster)).created_by?.graphql_id,
    under: { true: "string", false: "undefined" },
  },
  agentPriority: {
    see: async ({ client }) => (await client.agents.list({ name: "builder-1" }).all())[0]?.priority,
    under: { number: 5, string: "5" },
  },
  lastJobFinishedAt: {
    see: async ({ client, emulator }) => {
      emulator.moveBuild({ pipeline: "storefront", number: builds.running }, "passed");
      return (await client.agents.list({ name: "builder-1" }).all())[0]?.last_job_finished_at;
    },
    under: { timestamp: NOW, epoch: Date.parse(NOW) / 1000 },
  },
  agentFilter: {
    see: async ({ client }) => (await client.agents.list({ name: "builder" }).all()).length,
    under: { exact: 0, contains: 2 },
  },
  linkHeaderOnSinglePage: {
    see: async ({ client, traffic }) => [
      (await client.clusters.list().all()).length,
      traffic.answers.at(-1)?.link,
    ],
    under: { absent: [1, undefined], empty: [1, ""] },
  },
  linkRelations: {
    see: async (world) => {
      for (let index = 0; index < 200; index++) world.emulator.connectAgent();
      const entries = await world.client.agents.list().all();
      return [entries.length, world.traffic.answers[1]?.link?.match(/rel="\w+"/g)?.length];
    },
    under: { all: [202, 4], "next-only": [202, 1] },
  },
  undocumentedPages: {
    see: async ({ client, emulator, traffic }) => {
      for (let index = 0; index < 119; index++)
        emulator.addMember({ name: "M", email: `${index}@x.example` });
      return [(await client.members.list().all()).length, traffic.answers.length];
    },
    under: { never: [121, 1], "on-request": [121, 2], always: [121, 2] },
  },
  missingScope: {
    see: async (world) => outcome(world.as(world.emulator.createAccessToken({ scopes: [] })).agents.get("x")),
    under: { "403": "PermissionError 403", "404": "NotFoundError 404" },
  },
  enterprisePlan: {
    see: async ({ client }) => outcome(client.pipelineTemplates.list().all()),
    under: { true: [expect.objectContaining({ name: "Base" })], false: "PermissionError 403" },
  },
  newerApi: {
    see: async (world) => {
      const { cluster, queue } = world.places;
      const queues = `/clusters/${cluster}/queues`;
      const shown = [
        await sent(world, "GET", `/clusters/${cluster}`),
        await sent(world, "GET", `${queues}/${queue}`),
      ];
      const created = await sent(world, "POST", queues, { key: "x", retry_agent_affinity: "no such word" });
      const fields = shown.flatMap((entity) => Object.keys(entity));
      return [
        await status(world, "GET", "/pipelines"),
        await status(world, "GET", `/clusters/${cluster}/secrets`),
        ["maintainers", "retry_agent_affinity"].filter((name) => fields.includes(name)),
        typeof created.id,
      ];
    },
    under: {
      true: [200, 200, ["maintainers", "retry_agent_affinity"], "undefined"],
      false: [404, 404, [], "string"],
    },
  },
  largestSecret: {
    see: (world) => {
      const body = { key: "LONG", value: "x".repeat(8193) };
      return status(world, "POST", `/clusters/${world.places.cluster}/secrets`, body);
    },
    under: { "8192": 422, "32768": 201 },
  },
  deletePipelineWithBuilds: {
    see: async (world) => {
      const deleted = await status(world, "DELETE", "/pipelines/storefront");
      return [deleted, world.emulator.organizationData.builds.size];
    },
    under: { refused: [422, 6], allowed: [204, 0] },
  },
  deleteClusterWithPipelines: {
    see: async (world) => {
      const { cluster } = world.places;
      const { id } = world.emulator.createPipeline({ slug: "api", clusterId: cluster });
      const deleted = await status(world, "DELETE", `/clusters/${cluster}`);
      return [deleted, world.emulator.organizationData.pipelines.get(id)?.cluster_id];
    },
    under: { refused: [422, "11111111-1111-4111-8111-111111111111"], allowed: [204, null] },
  },
  archivedPipelinesInList: {
    see: async (world) => {
      await world.send("POST", "/pipelines/storefront/archive");
      return [(await world.send("GET", "/pipelines")).body].flat().length;
    },
    under: { false: 0, true: 1 },
  },
  oldPipelineSlug: {
    see: async (world) => {
      await world.send("PATCH", "/pipelines/storefront", { name: "Shop" });
      const { status, body } = await world.send("GET", `/pipelines/storefront/builds/${builds.passed}`);
      return [status, Object(body).url ?? null];
    },
    under: {
      missing: [404, null],
      redirected: [301, expect.stringMatching(/pipelines\/shop\/builds\/1$/)],
      resolved: [200, expect.stringMatching(/pipelines\/shop\/builds\/1$/)],
    },
  },
  clusterOfNewPipeline: {
    see: async (world) => {
      const { status, body } = await world.send("POST", "/pipelines", WEB_SHOP);
      return [status, Object(body).cluster_id];
    },
    under: {
      null: [201, null],
      default: [201, "11111111-1111-4111-8111-111111111111"],
      refused: [422, undefined],
    },
  },
  pipelineTeamsOnUpdate: {
    see: async (world) => {
      const { team } = world.places;
      const body = { teams: { [team]: "read_only" } };
      const updated = await status(world, "PATCH", "/pipelines/storefront", body);
      return [updated, [(await world.send("GET", `/teams/${team}/pipelines`)).body].flat().length];
    },
    under: { ignored: [200, 0], applied: [200, 1] },
  },
  githubWebhooksAvailable: {
    see: async ({ client, places }) => outcome(client.pipelines.githubWebhooks.get(places.pipeline)),
    under: { false: "NotFoundError 404", true: expect.objectContaining({ enabled: true }) },
  },
  suiteEditAlone: {
    see: (world) => {
      const [suite] = world.emulator.organizationData.suites.list();
      const body = { suite_id: suite?.id, access_level: ["edit"] };
      return status(world, "POST", `/teams/${world.places.team}/suites`, body);
    },
    under: { refused: 422, allowed: 201 },
  },
  teamFlagsLeftOut: {
    see: async (world) => {
      const flags = { members_can_create_suites: true, members_can_destroy_packages: true };
      const { id } = await sent(world, "POST", "/teams", { ...NIGHT_SHIFT, ...flags });
      await world.send("PATCH", `/teams/${id}`, { ...NIGHT_SHIFT, members_can_create_suites: true });
      const team = world.emulator.organizationData.teams.get(String(id));
      return [team?.members_can_create_suites, team?.members_can_destroy_packages];
    },
    under: { reset: [true, false], kept: [true, true] },
  },
  scheduleEnvUnset: {
    see: async (world) =>
      (await sent(world, "POST", "/pipelines/storefront/schedules", { cronline: "@daily" })).env,
    under: { null: null, empty: {} },
  },
  lastCursorLink: {
    see: async (world) => field(asObject((await sent(world, "GET", "/services")).links), "next"),
    under: { null: null, absent: "absent" },
  },
  maskedSettings: {
    see: async (world) =>
      (await notified(world, "datadog_pipeline_visibility", { api_key: "0123456789abcdef" })).settings,
    under: {
      ending: { api_key: "XXXXXXXXXXXXcdef", datadog_site: "datadoghq.com" },
      whole: { api_key: "XXXXXXXXXXXXXXXX", datadog_site: "datadoghq.com" },
    },
  },
  buildStatesUpdate: {
    see: async (world) => {
      const { id } = await notified(world, "slack", { url: "https://hooks.slack.com/services/T/B/x" });
      const build_states = { build_passed: false };
      return asObject((await sent(world, "PATCH", `/services/${id}`, { build_states })).build_states)
        .build_failed;
    },
    under: { merged: true, replaced: undefined },
  },
  duplicateRules: {
    see: async (world) => {
      const { pipeline: source_pipeline, pipelineId: target_pipeline } = world.places;
      const value = { source_pipeline, target_pipeline };
      const body = { type: "pipeline.trigger_build.pipeline", value };
      return [await status(world, "POST", "/rules", body), await status(world, "POST", "/rules", body)];
    },
    under: { refused: [201, 422], allowed: [201, 201] },
  },
  deletedInScope: {
    see: async (world) => {
      const { id } = await world.client.clusters.create({ name: "Gone" });
      const scope = { scope: "some_clusters", scope_uuids: [id] };
      const service = await notified(world, "webhook", { url: "https://x.example" }, scope);
      await world.client.clusters.delete(id);
      const { scope_uuids } = await world.client.notificationServices.get(String(service.id));
      return [scope_uuids, [id]].map((ids) => ids?.length);
    },
    under: { kept: [1, 1], removed: [0, 1] },
  },
};

/** The value that a key of `under` spells. */
const readValue = (spelled: string): unknown =>
  /^(null|true|false|\d+)$/.test(spelled) ? JSON.parse(spelled) : spelled;

const names = Object.keys(defaultVariations);

test("Every variation of the emulator is seen over HTTP, under its default and at least one other value", () => {
  expect(Object.keys(observations).sort()).toEqual(names.sort());
  for (const [name, { under }] of Object.entries(observations)) {
    const values = Object.keys(under).map(readValue);
    expect([name, values]).toEqual([name, expect.arrayContaining([Reflect.get(defaultVariations, name)])]);
    expect([name, values.length > 1]).toEqual([name, true]);
  }
});

const runs = Object.entries(observations).flatMap(([name, { see, under }]) =>
  Object.entries<unknown>(under).map(([spelled, expected]) => ({ name, spelled, see, expected })),
);

test.each(runs)("$name: $spelled", async ({ name, spelled, see, expected }) => {
  // A name of the variations with one of its own values: the type of `observations` says so.
  const variations = { [name]: readValue(spelled) } as Partial<Variations>;
  const world = await World.start({ variations });
  try {
    expect(await see(world)).toEqual(expected);
    expect(world.answers().length).toBeGreaterThan(0);
  } finally {
    await world.close();
  }
});
