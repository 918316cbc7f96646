import { describe, expect, test } from "vitest";
import type { BuildPipelineClient, List } from "../../src/client/index.js";
import type { Emulator } from "../../src/emulator/index.js";
import { plantAccess } from "./cases-of-access.js";
import { documentedOperations } from "./operations.js";
import type { WireAnswer } from "./traffic.js";
import { type Places, World } from "./world.js";

const COUNT = 205;

type Data = Emulator["organizationData"];
type LongList = [
  /** Adds entries until the list has 205, and returns what identifies each of them, in the list's order. */
  fill: (data: Data) => readonly string[],
  list: (client: BuildPipelineClient, places: Places) => List<object>,
];

/** Until a collection has 205 records, one more like its first. */
function grow<T extends { readonly id: string }>(
  collection: { list(): T[]; insert(record: T): T },
  change: (record: T, index: number) => T = (record) => record,
  belongs: (record: T) => boolean = () => true,
): readonly string[] {
  const own = () => collection.list().filter(belongs);
  const [first] = own();
  if (first === undefined) throw new Error("There is nothing to make more of.");
  for (let index = own().length; index < COUNT; index++)
    collection.insert(change({ ...first, id: crypto.randomUUID() }, index));
  return own().map(({ id }) => id);
}

/** Pairs the world's team with each of 205 objects. */
function pairedWith<
  Field extends string,
  T extends { readonly id: string } & Readonly<Record<Field, string>>,
>(ids: readonly string[], field: Field, pairs: Parameters<typeof grow<T>>[0]): readonly string[] {
  grow(pairs, (pair, index) => ({ ...pair, [field]: ids[index] }));
  return ids;
}

const withSlug = <T extends object>(record: T, index: number) => ({ ...record, slug: `s${index}` });
const isConnected = (agent: { connection_state: string }) => agent.connection_state === "connected";
const fillBuilds = ({ builds }: Data) =>
  grow(builds, (build, index) => ({ ...build, number: index + 1, jobs: [] })).toReversed();

const lists: Readonly<Record<string, LongList>> = {
  "clusters.list": [({ clusters }) => grow(clusters), (client) => client.clusters.list()],
  "queues.list": [
    ({ queues }) => grow(queues, (queue, index) => ({ ...queue, key: `q${index}` })),
    (client, { cluster }) => client.queues.list(cluster),
  ],
  "agentTokens.list": [
    ({ agentTokens }) => grow(agentTokens),
    (client, { cluster }) => client.agentTokens.list(cluster),
  ],
  "pipelineTemplates.list": [
    ({ pipelineTemplates }) => grow(pipelineTemplates),
    (client) => client.pipelineTemplates.list(),
  ],
  "teams.list": [({ teams }) => grow(teams, withSlug), (client) => client.teams.list()],
  "suites.list": [({ suites }) => grow(suites, withSlug), (client) => client.suites.list()],
  "runs.list": [({ runs }) => grow(runs).toReversed(), (client, { suite }) => client.runs.list(suite)],
  "agents.list": [
    ({ agents }) => grow(agents, (agent) => ({ ...agent, job_id: null }), isConnected),
    (client) => client.agents.list(),
  ],
  "organizations.list": [
    ({ organizations }) => grow(organizations, withSlug),
    (client) => client.organizations.list(),
  ],
  "members.list": [({ users }) => grow(users), (client) => client.members.list()],
  "builds.listAll": [fillBuilds, (client) => client.builds.listAll()],
  "builds.list": [fillBuilds, (client) => client.builds.list()],
  "builds.listForPipeline": [fillBuilds, (client, { pipeline }) => client.builds.listForPipeline(pipeline)],
  "pipelines.list": [({ pipelines }) => grow(pipelines, withSlug), (client) => client.pipelines.list()],
  "pipelineSchedules.list": [
    ({ pipelineSchedules }) => grow(pipelineSchedules).toReversed(),
    (client, { pipeline }) => client.pipelineSchedules.list(pipeline),
  ],
  "teamMembers.list": [
    ({ teams, users }) => {
      const member_ids = [...grow(users)];
      for (const { id } of teams.list()) teams.update(id, { member_ids });
      return member_ids;
    },
    (client, { team }) => client.teamMembers.list(team),
  ],
  "teamPipelines.list": [
    ({ pipelines, teamPipelines }) => pairedWith(grow(pipelines, withSlug), "pipeline_id", teamPipelines),
    (client, { team }) => client.teamPipelines.list(team),
  ],
  "teamSuites.list": [
    ({ suites, teamSuites }) => pairedWith(grow(suites, withSlug), "suite_id", teamSuites),
    (client, { team }) => client.teamSuites.list(team),
  ],
  "clusterMaintainers.list": [
    ({ clusterMaintainers }) => grow(clusterMaintainers),
    (client, { cluster }) => client.clusterMaintainers.list(cluster),
  ],
  "clusterSecrets.list": [
    ({ clusterSecrets }) => grow(clusterSecrets),
    (client, { cluster }) => client.clusterSecrets.list(cluster),
  ],
  "notificationServices.list": [
    ({ notificationServices }) => grow(notificationServices),
    (client) => client.notificationServices.list(),
  ],
  "invitations.list": [
    ({ invitations }) => grow(invitations).toReversed(),
    (client) => client.invitations.list(),
  ],
  "auditEvents.list": [
    ({ auditEvents }) => grow(auditEvents).toReversed(),
    (client) => client.auditEvents.list(),
  ],
  "organizationRules.list": [
    ({ organizationRules }) => grow(organizationRules),
    (client) => client.organizationRules.list(),
  ],
};

const identity = (entry: object) =>
  ["id", "uuid", "user_id", "pipeline_id", "suite_id"].map((name) => Reflect.get(entry, name)).find(Boolean);

const world = World.forAll(plantAccess);

test("There is a long list for every documented list", () => {
  const documented = documentedOperations.filter(({ list }) => list !== undefined).map(({ id }) => id);
  expect(Object.keys(lists).sort()).toEqual(documented.sort());
});

describe.each(Object.entries(lists))("%s with 205 entries", (id, [fill, list]) => {
  test("is read to its end: every entry once, in order, in three pages of a hundred", async () => {
    const expected = fill(world.emulator.organizationData);
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
    const isFollowed = ({ link, body }: WireAnswer) =>
      Array.isArray(body) ? link?.includes('rel="next"') : "next" in Object(Object(body).links);
    expect(world.answers().map(isFollowed)).toEqual([true, true, false]);
  });
});
