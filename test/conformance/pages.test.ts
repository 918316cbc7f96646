import { describe, expect, test } from "vitest";
import type { BuildPipelineClient, List } from "../../src/client/index.js";
import type { Emulator } from "../../src/emulator/index.js";
import { documentedOperations } from "./operations.js";
import { type Places, type World, worldForAll } from "./world.js";

const COUNT = 205;

interface LongList {
  /** Adds entries until the list has 205, and returns what identifies each of them, in the list's order. */
  readonly fill: (emulator: Emulator, places: Places) => readonly string[];
  readonly list: (client: BuildPipelineClient, places: Places) => List<object>;
}

/** Until a collection has 205 records, one more like its first. */
function grow<T extends { readonly id: string }>(
  collection: { list(): T[]; insert(record: T): T },
  change: (record: T, index: number) => T,
  belongs: (record: T) => boolean = () => true,
): readonly string[] {
  const own = () => collection.list().filter(belongs);
  const [first] = own();
  if (first === undefined) throw new Error("There is nothing to make more of.");
  for (let index = own().length; index < COUNT; index++)
    collection.insert(change({ ...first, id: crypto.randomUUID() }, index));
  return own().map(({ id }) => id);
}

const fillBuilds = ({ organizationData: { builds } }: Emulator) =>
  grow(builds, (build, index) => ({ ...build, number: index + 1, jobs: [] })).toReversed();

const lists: Readonly<Record<string, LongList>> = {
  "clusters.list": {
    fill: ({ organizationData }) => grow(organizationData.clusters, (cluster) => cluster),
    list: (client) => client.clusters.list(),
  },
  "queues.list": {
    fill: ({ organizationData }) =>
      grow(organizationData.queues, (queue, index) => ({ ...queue, key: `q${index}` })),
    list: (client, { cluster }) => client.queues.list(cluster),
  },
  "agentTokens.list": {
    fill: ({ organizationData }) => grow(organizationData.agentTokens, (token) => token),
    list: (client, { cluster }) => client.agentTokens.list(cluster),
  },
  "pipelineTemplates.list": {
    fill: ({ organizationData }) => grow(organizationData.pipelineTemplates, (template) => template),
    list: (client) => client.pipelineTemplates.list(),
  },
  "teams.list": {
    fill: ({ organizationData }) =>
      grow(organizationData.teams, (team, index) => ({ ...team, slug: `t${index}` })),
    list: (client) => client.teams.list(),
  },
  "suites.list": {
    fill: ({ organizationData }) =>
      grow(organizationData.suites, (suite, index) => ({ ...suite, slug: `s${index}` })),
    list: (client) => client.suites.list(),
  },
  "runs.list": {
    fill: ({ organizationData }) => grow(organizationData.runs, (run) => run).toReversed(),
    list: (client, { suite }) => client.runs.list(suite),
  },
  "agents.list": {
    fill: ({ organizationData }) =>
      grow(
        organizationData.agents,
        (agent) => ({ ...agent, job_id: null }),
        ({ connection_state }) => connection_state === "connected",
      ),
    list: (client) => client.agents.list(),
  },
  "organizations.list": {
    fill: ({ organizationData }) =>
      grow(organizationData.organizations, (record, index) => ({ ...record, slug: `o${index}` })),
    list: (client) => client.organizations.list(),
  },
  "members.list": {
    fill: ({ organizationData }) => grow(organizationData.users, (user) => user),
    list: (client) => client.members.list(),
  },
  "builds.listAll": { fill: fillBuilds, list: (client) => client.builds.listAll() },
  "builds.list": { fill: fillBuilds, list: (client) => client.builds.list() },
  "builds.listForPipeline": {
    fill: fillBuilds,
    list: (client, { pipeline }) => client.builds.listForPipeline(pipeline),
  },
};

const identity = (entry: object) => Reflect.get(entry, "id") ?? Reflect.get(entry, "uuid");

let world: World;
worldForAll((started) => {
  world = started;
});

test("There is a long list for every list of the document", () => {
  const documented = documentedOperations.filter(({ list }) => list !== undefined).map(({ id }) => id);
  expect(Object.keys(lists).sort()).toEqual(documented.sort());
});

describe.each(Object.entries(lists))("%s with 205 entries", (id, { fill, list }) => {
  test("is read to its end: every entry once, in order, in three pages of a hundred", async () => {
    const expected = fill(world.emulator, world.places);
    expect(expected).toHaveLength(COUNT);
    world.forget();
    const pages: number[] = [];
    const entries: object[] = [];
    for await (const page of list(world.client, world.places).pages()) {
      pages.push(page.length);
      entries.push(...page);
    }
    expect(pages).toEqual([100, 100, 5]);
    expect(entries.map(identity)).toEqual(expected);
    expect(world.emulator.requests.map(({ operation }) => operation)).toEqual([id, id, id]);
    expect(world.answers().map(({ link }) => link?.includes('rel="next"'))).toEqual([true, true, false]);
  });
});
