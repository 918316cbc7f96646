import { describe, expect, test } from "vitest";
import type { BuildPipelineClient, BuildQuery } from "../../src/client/index.js";
import { documentedOperations, type Row } from "./operations.js";
import { builds, NOW, type Places, WEB_SHOP, World } from "./world.js";

const before = (hours: number) => new Date(Date.parse(NOW) - hours * 3_600_000);
const text = (hours: number) => before(hours).toISOString();

const oddMetaData = { release: "9", "key with = and ]": "x" };

/**
 * Queries, what they are on the wire, decoded, and the numbers of the builds that answer. Ages of the seed's builds 1
 * to 6 in hours: 30, 26, 25, 5, 1, 0.5. Build 7 is Zoe's, made now, with a job that is retried.
 */
const buildCases: readonly [query: BuildQuery, sent: string, found: readonly number[]][] = [
  [{ branch: "checkout" }, "branch=checkout", [3, 2]],
  [{ branch: ["checkout", "search"] }, "branch[]=checkout&branch[]=search", [6, 3, 2]],
  [{ commit: "f".repeat(40) }, `commit=${"f".repeat(40)}`, [7]],
  [{ commit: "fffffff" }, "commit=fffffff", []],
  [{ created_from: before(5) }, `created_from=${text(5)}`, [7, 6, 5, 4]],
  [{ created_from: text(1) }, `created_from=${text(1)}`, [7, 6, 5]],
  [{ created_to: before(25) }, `created_to=${text(25)}`, [2, 1]],
  [{ created_to: text(24) }, `created_to=${text(24)}`, [3, 2, 1]],
  [{ creator: "zoe@example.com" }, "creator=zoe@example.com", [7]],
  [{ finished_from: before(25) }, `finished_from=${text(25)}`, [4, 3]],
  [{ finished_from: text(4) }, `finished_from=${text(4)}`, []],
  [{ include_retried_jobs: true, branch: "next" }, "branch=next&include_retried_jobs=true", [7]],
  [{ meta_data: { release: "1.3" } }, "meta_data[release]=1.3", [4]],
  [{ meta_data: oddMetaData }, "meta_data[release]=9&meta_data[key with = and ]]=x", [7]],
  [{ state: "running" }, "state=running", [7, 5]],
  [{ state: ["failed", "canceled"] }, "state[]=failed&state[]=canceled", [3, 2]],
  [{ state: "blocked" }, "state=blocked", [4]],
  [{ state: "finished" }, "state=finished", [4, 3, 2, 1]],
];

const buildLists = {
  "builds.listAll": (client: BuildPipelineClient, query: BuildQuery) => client.builds.listAll(query).all(),
  "builds.list": (client: BuildPipelineClient, query: BuildQuery) => client.builds.list(query).all(),
  "builds.listForPipeline": (client: BuildPipelineClient, query: BuildQuery) =>
    client.builds.list("storefront", query).all(),
} as const;

type Listed = Promise<readonly { id: string }[]>;

/** One query parameter by itself, its value, and the only object that it leaves. */
const filters: Readonly<
  Record<string, (places: Places) => [string, (client: BuildPipelineClient) => Listed, string]>
> = {
  "teams.list user_id": ({ user, team }) => [user, (c) => c.teams.list({ user_id: user }).all(), team],
  "runs.list build_id": ({ buildId, suite, run }) => [
    buildId,
    (c) => c.runs.list(suite, { build_id: buildId }).all(),
    run,
  ],
  "agents.list name": ({ agent }) => ["builder-2", (c) => c.agents.list({ name: "builder-2" }).all(), agent],
  "agents.list hostname": ({ agent }) => [
    "builder-2.internal",
    (c) => c.agents.list({ hostname: "builder-2.internal" }).all(),
    agent,
  ],
  "pipelines.list name": () => ["SHOP", (c) => c.pipelines.list({ name: "SHOP" }).all(), shop],
  "pipelines.list repository": () => [
    "acme/web",
    (c) => c.pipelines.list({ repository: "acme/web" }).all(),
    shop,
  ],
  "agents.list version": () => ["4.0.0", (c) => c.agents.list({ version: "4.0.0" }).all(), newAgent],
};

let newAgent = "";
let shop = "";
const world = World.forAll(async ({ client, emulator, places }) => {
  const author = { name: "Zoe", email: "zoe@example.com" };
  const build = { commit: "f".repeat(40), branch: "next", author, meta_data: oddMetaData };
  const { jobs } = await client.builds.create(places.pipeline, build);
  newAgent = emulator.connectAgent({ name: "new", version: "4.0.0" }).id;
  shop = (await client.pipelines.create(WEB_SHOP)).id;
  const { teams } = emulator.organizationData;
  for (const team of teams.list())
    teams.insert({ ...team, id: crypto.randomUUID(), slug: "b", member_ids: [] });
  const id = String(jobs?.[0]?.id);
  emulator.moveJob(id, "failed");
  emulator.retryJob(id);
});

const sentQuery = () => decodeURIComponent((world.emulator.requests[0]?.query ?? "").replaceAll("+", " "));

test("There is a case for every documented query parameter", () => {
  const parameters = [...new Set(buildCases.flatMap(([query]) => Object.keys(query)))];
  const ofBuilds = Object.keys(buildLists).flatMap((id) => parameters.map((name) => `${id} ${name}`));
  const tested = [...ofBuilds, ...Object.keys(filters), "builds.get include_retried_jobs"];
  const named = ({ id, query = [] }: Row) => query.map((name) => `${id} ${name}`);
  expect(tested.sort()).toEqual(documentedOperations.flatMap(named).sort());
});

describe.each(Object.entries(buildLists))("%s", (_, list) => {
  test("without parameters gives every build, newest first", async () => {
    expect((await list(world.client, {})).map(({ number }) => number)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(sentQuery()).toBe("per_page=100");
  });

  test.each(buildCases)("with %j, sent as %s, gives %j", async (query, sent, found) => {
    const result = await list(world.client, query);
    expect(result.map(({ number }) => number)).toEqual(found);
    expect(sentQuery()).toBe(`${sent}&per_page=100`);
    world.answers();
  });

  test("combines parameters", async () => {
    const query = { branch: "main", state: ["passed", "running"], created_from: before(6) };
    expect((await list(world.client, query)).map(({ number }) => number)).toEqual([5, 4]);
  });

  test("shows the executions of a job that were retried only when asked", async () => {
    const jobs = async (query: BuildQuery) => (await list(world.client, query))[0]?.jobs;
    expect(await jobs({})).toHaveLength(2);
    expect(await jobs({ include_retried_jobs: true })).toHaveLength(3);
    expect(await jobs({ include_retried_jobs: false })).toHaveLength(2);
    world.answers();
  });
});

test("builds.get shows the executions of a job that were retried only when asked", async () => {
  const jobs = async (query: { include_retried_jobs?: boolean }) =>
    (await world.client.builds.get("storefront", 7, query)).jobs?.map(({ retried }) => retried);
  expect(await jobs({})).toEqual([false, false]);
  expect(await jobs({ include_retried_jobs: true })).toEqual([true, false, false]);
  expect(await jobs({ include_retried_jobs: false })).toEqual([false, false]);
  expect(world.emulator.requests.map(({ query }) => query)).toEqual(["", "include_retried_jobs=true", ""]);
  world.answers();
});

test("builds are addressed by number: the states of the seed's builds are what the cases above rely on", async () => {
  for (const [state, number] of Object.entries(builds)) {
    const build = await world.client.builds.get("storefront", number);
    expect(build.blocked === true ? "blocked" : build.state).toBe(state);
  }
});

test.each(Object.entries(filters))("%s leaves only what it names", async (name, filter) => {
  const [value, call, id] = filter(world.places);
  const [operation, parameter] = name.split(" ");
  expect((await call(world.client)).map((found) => found.id)).toEqual([id]);
  expect(sentQuery()).toBe(`${parameter}=${value}&per_page=100`);
  expect(world.emulator.requests[0]?.operation).toBe(operation);
  world.answers();
});
