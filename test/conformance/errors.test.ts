import { describe, expect, test } from "vitest";
import {
  AuthenticationError,
  BadRequestError,
  BuildPipelineClient,
  NotFoundError,
  RateLimitError,
  ValidationError,
} from "../../src/client/index.js";
import { caseFor, cases } from "./all-cases.js";
import { plantAccess } from "./cases-of-access.js";
import { documentedOperations, type OperationId } from "./operations.js";
import { builds, COMMIT, failureOf, NIGHT_SHIFT, type Places, World } from "./world.js";

const NOWHERE = "99999999-9999-4999-8999-999999999999";
const nameless = { ...NIGHT_SHIFT, name: " " };
const isUuid = /^[0-9a-f-]{36}$/;
/** Returns places that have the same form, and where nothing is. */
function nothingThere(places: Places): Places {
  const entries = Object.entries<string>({ ...places });
  const nowhere = entries.map(([name, place]) => [name, isUuid.test(place) ? NOWHERE : "nowhere"]);
  return { ...places, ...Object.fromEntries(nowhere) };
}

/** The body that provokes an error, or what else does. */
type Provocation = object | ((world: World) => Promise<unknown>);

const provocations: Readonly<Record<string, Provocation>> = {
  "clusters.create 422 Validation failed: …": { name: "" },
  "clusters.update 422 Validation failed: …": { color: "red" },
  "clusters.delete 422 reason": refused("clusters.delete"),
  "queues.create 422 Validation failed: …": { key: "fast" },
  "queues.update 422 Validation failed: …": { description: 3 },
  "queues.delete 422 reason": async ({ client, places }) => {
    await client.clusters.update(places.cluster, { default_queue_id: places.queue });
    return client.queues.delete(places.cluster, places.queue);
  },
  "queues.pauseDispatch 422 Cluster queue is already paused": ({ client, places }) =>
    client.queues.pauseDispatch(places.cluster, places.pausedQueue),
  "queues.resumeDispatch 422 Cluster queue is not paused": ({ client, places }) =>
    client.queues.resumeDispatch(places.cluster, places.queue),
  "agentTokens.create 422 Validation failed: …": { description: "x", allowed_ip_addresses: "300.0.0.1/8" },
  "agentTokens.update 422 Validation failed: …": { description: "" },
  "agentTokens.delete 422 reason": refused("agentTokens.delete"),
  "pipelineTemplates.create 422 Validation failed: …": { name: "x", configuration: "steps: [" },
  "pipelineTemplates.update 422 Validation failed: …": { name: "" },
  "pipelineTemplates.delete 422 reason": ({ client, places, emulator }) => {
    emulator.createPipeline({ slug: "uses-it", pipelineTemplateId: places.template });
    return client.pipelineTemplates.delete(places.template);
  },
  "teams.create 422 Validation failed: …": nameless,
  "teams.update 422 Validation failed: …": nameless,
  "teams.delete 422 reason": refused("teams.delete"),
  "agents.stop 400 Can only stop connected agents": ({ client, places }) =>
    client.agents.stop(places.disconnectedAgent),
  "builds.create 422 Validation Failed": { commit: "", branch: "main" },
  "builds.create 422 reason": ({ client, emulator }) => {
    emulator.createPipeline({ slug: "picky", branchConfiguration: "main" });
    return client.builds.create("picky", { commit: COMMIT, branch: "other" });
  },
  "builds.cancel 422 reason": ({ client, places }) => client.builds.cancel(places.pipeline, builds.passed),
  "pipelines.create 422 Validation Failed": { name: "", repository: "git@github.com:acme/x.git" },
  "pipelines.update 422 Validation Failed": { color: "red" },
  "pipelines.archive 422 Pipeline could not be archived.": twice("pipelines.archive"),
  "pipelines.unarchive 422 Pipeline could not be unarchived.": ({ client, places }) =>
    client.pipelines.unarchive(places.pipeline),
  "pipelines.createWebhook 422 Auto-creating webhooks is not supported for your repository.": (world) => {
    const { id } = world.emulator.createPipeline({ slug: "elsewhere" });
    world.emulator.organizationData.pipelines.update(id, { repository: "https://git.example/x.git" });
    return world.client.pipelines.createWebhook("elsewhere");
  },
  "pipelines.createWebhook 422 Webhooks could not be created for your repository.":
    twice("pipelines.createWebhook"),
  "pipelineSchedules.create 422 Validation failed: …": { cronline: "@fortnightly" },
  "pipelineSchedules.update 422 Validation failed: …": { cronline: "" },
  "teamMembers.create 422 Validation failed: …": ({ client, places }) =>
    client.teamMembers.create(places.team, { user_id: places.user, role: "member" }),
  "teamMembers.update 422 Validation failed: …": { role: "owner" },
  "teamMembers.delete 422 reason": refused("teamMembers.delete"),
  "teamPipelines.create 422 Validation failed: …": twice("teamPipelines.create"),
  "teamPipelines.update 422 Validation failed: …": { access_level: "read" },
  "teamPipelines.delete 422 reason": refused("teamPipelines.delete"),
  "teamSuites.create 422 Validation failed: …": twice("teamSuites.create"),
  "pipelineSettings.update 422 Validation failed: …": { default_cluster_id: NOWHERE },
  "apiSettings.update 422 Validation failed: …": { revoke_inactive_tokens_after_days: 7 },
  "teamSuites.update 422 Validation failed: …": { access_level: ["edit"] },
  "teamSuites.delete 422 reason": refused("teamSuites.delete"),
  "clusterMaintainers.create 422 Validation failed: …": {},
  "clusterMaintainers.delete 422 Validation failed: …": refused(
    "clusterMaintainers.delete",
    "Validation failed: it is the last one",
  ),
  "notificationServices.create 422 Validation failed: …": { provider: "webhook", settings: {} },
  "notificationServices.update 422 Validation failed: …": { settings: { version: 2 } },
  "notificationServices.delete 422 reason": refused("notificationServices.delete"),
  "organizationRules.create 422 reason": {
    type: "other",
    value: { source_pipeline: "", target_pipeline: "" },
  },
  "organizationRules.delete 422 reason": refused("organizationRules.delete"),
};

/** Has the service refuse an operation for a reason of its own, which nothing here gives rise to. */
function refused(operation: OperationId, message = "It is needed elsewhere") {
  return (world: World) => {
    world.emulator.fault({ operation, action: { status: 422, body: { message } } });
    return world.call(cases[operation](world.places));
  };
}

function twice(operation: OperationId) {
  return async (world: World) => {
    const one = cases[operation](world.places);
    await world.call(one);
    return one.call(world.client);
  };
}

const world = World.forAll(plantAccess);

const documented = documentedOperations.flatMap((row) =>
  (row.errors ?? []).map((error) => ({ name: `${row.id} ${error.status} ${error.message}`, row, error })),
);

test("There is a provocation for every documented error, and none for anything else", () => {
  expect(Object.keys(provocations).sort()).toEqual(documented.map(({ name }) => name).sort());
});

test.each(documented)("$name", async ({ name, row, error }) => {
  const provocation = provocations[name] ?? {};
  const failure = await failureOf(
    typeof provocation === "function"
      ? provocation(world)
      : world.call(caseFor(row, world.places, { body: provocation })),
  );
  expect(failure).toBeInstanceOf(error.status === 400 ? BadRequestError : ValidationError);
  expect(failure).toMatchObject({ status: error.status, method: row.method, attempts: 1 });
  const message = String(Object(failure).serviceMessage);
  if (error.message === "reason") expect(message).toMatch(/^(?!Validation failed)./i);
  else if (error.message.endsWith(" …")) expect(message).toMatch(/^Validation failed: ./);
  else if (error.message !== "Validation Failed") expect(message).toBe(error.message);
  else {
    expect(message).toContain("Validation Failed");
    expect(failure).toMatchObject({ errors: [{ field: expect.stringMatching(/^[a-z]+$/) }] });
  }
  expect(Object(failure).message).toContain(message);
  expect(world.answers().at(-1)).toMatchObject({ status: error.status });
});

describe.each(documentedOperations)("$id", (row) => {
  const caseIn = (places: Places) => cases[row.id](places);

  test("is refused to an unknown access token", async () => {
    const failure = await failureOf(world.call(caseIn(world.places), world.as("bpua_unknown")));
    expect(failure).toBeInstanceOf(AuthenticationError);
    expect(failure).toMatchObject({ status: 401, method: row.method });
    expect(world.answers()).toHaveLength(1);
  });

  test("says that the limit is reached, whose it is and when it ends", async () => {
    const action = { rateLimited: { scope: "user", resetSeconds: 42 } } as const;
    world.emulator.fault({ operation: row.id, action });
    const failure = await failureOf(world.call(caseIn(world.places)));
    expect(failure).toBeInstanceOf(RateLimitError);
    expect(failure).toMatchObject({ status: 429, scope: "user", limit: 50, reset: 42 });
    world.answers();
  });
});

const named = documentedOperations.filter(({ path }) => /\{(?!org_slug)/.test(path));
test.each(named)("$id of what is not there is a 404", async (row) => {
  const failure = await failureOf(cases[row.id](nothingThere(world.places)).call(world.client));
  expect(failure).toBeInstanceOf(NotFoundError);
  expect(failure).toMatchObject({ status: 404, serviceMessage: expect.stringMatching(/^No .+ found$/) });
  expect(world.answers()).toHaveLength(1);
});

const ofOrganization = documentedOperations.filter(({ path }) => path.includes("{org_slug}"));
test.each(ofOrganization)("$id of another organization is a 404", async (row) => {
  const { url: baseUrl, accessToken } = world.emulator;
  const { dispatcher } = world.traffic;
  const client = new BuildPipelineClient({ baseUrl, accessToken, organization: "other", dispatcher });
  const failure = await failureOf(cases[row.id](world.places).call(client));
  expect(failure).toBeInstanceOf(NotFoundError);
  expect(failure).toMatchObject({ serviceMessage: "No organization found" });
  expect(world.answers()).toHaveLength(1);
});
