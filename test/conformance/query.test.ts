import { describe, expect, test } from "vitest";
import type { BuildPipelineClient, BuildQuery } from "../../src/client/index.js";
import { documentedOperations } from "./operations.js";
import { builds, NOW, type World, worldForAll } from "./world.js";

const before = (hours: number) => new Date(Date.parse(NOW) - hours * 3_600_000);
const text = (hours: number) => before(hours).toISOString();

interface BuildCase {
  readonly query: BuildQuery;
  /** The query on the wire, decoded. */
  readonly sent: string;
  /** Numbers of the builds that answer. */
  readonly found: readonly number[];
}

/** Ages of the seed's builds 1 to 6 in hours: 30, 26, 25, 5, 1, 0.5. Build 7 is Zoe's, made now, with a job that is retried. */
const buildCases: Readonly<Record<string, readonly BuildCase[]>> = {
  branch: [
    { query: { branch: "checkout" }, sent: "branch=checkout", found: [3, 2] },
    {
      query: { branch: ["checkout", "search"] },
      sent: "branch[]=checkout&branch[]=search",
      found: [6, 3, 2],
    },
  ],
  commit: [
    { query: { commit: "f".repeat(40) }, sent: `commit=${"f".repeat(40)}`, found: [7] },
    { query: { commit: "fffffff" }, sent: "commit=fffffff", found: [] },
  ],
  created_from: [
    { query: { created_from: before(5) }, sent: `created_from=${text(5)}`, found: [7, 6, 5, 4] },
    { query: { created_from: text(1) }, sent: `created_from=${text(1)}`, found: [7, 6, 5] },
  ],
  created_to: [
    { query: { created_to: before(25) }, sent: `created_to=${text(25)}`, found: [2, 1] },
    { query: { created_to: text(24) }, sent: `created_to=${text(24)}`, found: [3, 2, 1] },
  ],
  creator: [{ query: { creator: "zoe@example.com" }, sent: "creator=zoe@example.com", found: [7] }],
  finished_from: [
    { query: { finished_from: before(25) }, sent: `finished_from=${text(25)}`, found: [4, 3] },
    { query: { finished_from: text(4) }, sent: `finished_from=${text(4)}`, found: [] },
  ],
  include_retried_jobs: [
    {
      query: { include_retried_jobs: true, branch: "next" },
      sent: "branch=next&include_retried_jobs=true",
      found: [7],
    },
  ],
  meta_data: [
    { query: { meta_data: { release: "1.3" } }, sent: "meta_data[release]=1.3", found: [4] },
    {
      query: { meta_data: { release: "9", "key with = and ]": "x" } },
      sent: "meta_data[release]=9&meta_data[key with = and ]]=x",
      found: [7],
    },
  ],
  state: [
    { query: { state: "running" }, sent: "state=running", found: [7, 5] },
    { query: { state: ["failed", "canceled"] }, sent: "state[]=failed&state[]=canceled", found: [3, 2] },
    { query: { state: "blocked" }, sent: "state=blocked", found: [4] },
    { query: { state: "finished" }, sent: "state=finished", found: [4, 3, 2, 1] },
  ],
};

const buildLists = {
  "builds.listAll": (client: BuildPipelineClient, query: BuildQuery) => client.builds.listAll(query).all(),
  "builds.list": (client: BuildPipelineClient, query: BuildQuery) => client.builds.list(query).all(),
  "builds.listForPipeline": (client: BuildPipelineClient, query: BuildQuery) =>
    client.builds.list("storefront", query).all(),
} as const;

/** One query parameter by itself, and the ids it leaves. */
interface Filter {
  readonly call: (world: World) => Promise<readonly { id: string }[]>;
  readonly sent: (world: World) => string;
  readonly found: (world: World) => readonly string[];
}

const filters: Readonly<Record<string, Filter>> = {
  "teams.list user_id": {
    call: ({ client, places }) => client.teams.list({ user_id: places.user }).all(),
    sent: ({ places }) => `user_id=${places.user}`,
    found: ({ places }) => [places.team],
  },
  "runs.list build_id": {
    call: ({ client, places }) => client.runs.list(places.suite, { build_id: places.buildId }).all(),
    sent: ({ places }) => `build_id=${places.buildId}`,
    found: ({ places }) => [places.run],
  },
  "agents.list name": {
    call: ({ client }) => client.agents.list({ name: "builder-2" }).all(),
    sent: () => "name=builder-2",
    found: ({ places }) => [places.agent],
  },
  "agents.list hostname": {
    call: ({ client }) => client.agents.list({ hostname: "builder-2.internal" }).all(),
    sent: () => "hostname=builder-2.internal",
    found: ({ places }) => [places.agent],
  },
  "agents.list version": {
    call: ({ client }) => client.agents.list({ version: "4.0.0" }).all(),
    sent: () => "version=4.0.0",
    found: ({ emulator }) =>
      emulator.organizationData.agents
        .list()
        .filter(({ version }) => version === "4.0.0")
        .map(({ id }) => id),
  },
};

let world: World;
worldForAll(
  (started) => {
    world = started;
  },
  async ({ client, emulator, places }) => {
    await client.builds.create(places.pipeline, {
      commit: "f".repeat(40),
      branch: "next",
      author: { name: "Zoe", email: "zoe@example.com" },
      meta_data: { release: "9", "key with = and ]": "x" },
    });
    emulator.connectAgent({ name: "new", version: "4.0.0" });
    const { organizationData: data } = emulator;
    const team = data.teams.get(places.team);
    if (team !== undefined)
      data.teams.insert({ ...team, id: crypto.randomUUID(), slug: "b", member_ids: [] });
    const jobs = data.builds.list().at(-1)?.jobs ?? [];
    const [job] = jobs;
    if (job === undefined) throw new Error("The new build has no jobs.");
    emulator.moveJob(job.id, "failed");
    emulator.retryJob(job.id);
  },
);

const sentQuery = () => decodeURIComponent((world.emulator.requests[0]?.query ?? "").replaceAll("+", " "));

test("There is a case for every query parameter of the document", () => {
  const tested = [
    ...Object.keys(buildLists).flatMap((id) => Object.keys(buildCases).map((name) => `${id} ${name}`)),
    ...Object.keys(filters),
    "builds.get include_retried_jobs",
  ];
  const documented = documentedOperations.flatMap(({ id, query = [] }) =>
    query.map((name) => `${id} ${name}`),
  );
  expect(tested.sort()).toEqual(documented.sort());
});

describe.each(Object.entries(buildLists))("%s", (_, list) => {
  test("without parameters gives every build, newest first", async () => {
    expect((await list(world.client, {})).map(({ number }) => number)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(sentQuery()).toBe("per_page=100");
  });

  test.each(Object.values(buildCases).flat())("with $sent gives $found", async ({ query, sent, found }) => {
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

test.each(Object.entries(filters))("%s leaves only what it names", async (name, { call, sent, found }) => {
  const result = await call(world);
  expect(result.map(({ id }) => id)).toEqual(found(world));
  expect(result).toHaveLength(1);
  expect(sentQuery()).toBe(`${sent(world)}&per_page=100`);
  expect(world.emulator.requests[0]?.operation).toBe(name.split(" ")[0]);
  world.answers();
});
