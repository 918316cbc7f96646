import { describe, expect, test } from "vitest";
import { plain } from "../../stories/histories/engine/backend.js";
import { kindOf, type Made, minimal, serviceForEach } from "../../support/driver.js";

const service = serviceForEach();

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
const inCapitals = (text: string) => text.replace(UUID, (uuid) => uuid.toUpperCase());

/** Returns arguments in which every id of another object is written in capitals. */
function withCapitals(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(inCapitals(JSON.stringify(args)));
}

/** Creates a cluster, a queue and a team, and returns what a program gives for a kind, with ids in capitals. */
async function given(kind: string): Promise<Record<string, unknown>> {
  const cluster = await service.driver.create("Cluster", { name: "Around" });
  const queue = await service.driver.create("Queue", { clusterId: cluster.id, key: "around" });
  const team = await service.driver.create("Team", { name: "Around" });
  const args = minimal(cluster.id, queue.id)[kind];
  return withCapitals({ ...args, ...(kind === "Suite" && { teamIds: [team.id] }) });
}

const exists = (kind: string, id: string): boolean => {
  const { clusters, queues, agentTokens, pipelineTemplates, teams, suites, pipelines, clusterSecrets } =
    service.emulator.organizationData;
  if (kind === "Pipeline") return pipelines.get(id.toLowerCase())?.archived_at === null;
  if (kind === "ClusterDefaultQueue") return Boolean(clusters.get(id.toLowerCase())?.default_queue_id);
  return [clusters, queues, agentTokens, pipelineTemplates, teams, suites, clusterSecrets].some(
    (collection) => collection.get(id.toLowerCase()) !== undefined,
  );
};

const KINDS = Object.keys(minimal("", ""));

describe.each(KINDS)("An id of a %s in capitals is the same id", (kind) => {
  test("in arguments: nothing changes, a refresh finds no drift, and a destroy deletes the object", async () => {
    const made = await service.driver.create(kind, await given(kind));
    for (const run of [service.driver, service.newRun()]) {
      expect(await run.plan(made)).toEqual({ changes: false });
      const { props: outs = {}, inputs = made.inputs, id } = await run.read(made);
      expect(id).toBe(made.id);
      expect(plain(inputs)).toEqual(plain(made.inputs));
      expect(await run.plan({ ...made, outs })).toEqual({ changes: false });
    }
    const destroy = service.newRun();
    await destroy.delete(made);
    expect(destroy.warnings).toEqual([]);
    expect(exists(kind, made.id)).toBe(false);
  });

  test("that the program writes in another case than before", async () => {
    const made = await service.driver.create(kind, await given(kind));
    const news = JSON.parse(JSON.stringify(made.inputs).toLowerCase());
    const ids = Object.entries(made.inputs).filter(([, value]) => /[0-9A-F]{8}-/.test(String(value)));
    const change = Object.fromEntries(ids.map(([name]) => [name, news[name.toLowerCase()]]));
    expect(await service.newRun().diff(made, change)).toEqual({ changes: false });
  });

  test("in `.get`, of which each later refresh finds the object", async () => {
    const { id, inputs } = await service.driver.create(kind, await given(kind));
    const { parent } = kindOf(kind);
    const place = parent && { [parent.argument]: inputs[parent.argument] };
    const got = await service.newRun().read({ kind, id: id.toUpperCase(), outs: { ...place } });
    // The program has the id as it gave it, and the state must have the same.
    expect(got.id).toBe(id.toUpperCase());
    for (const run of [service.newRun(), service.newRun()]) {
      const again = await run.read({ kind, id: id.toUpperCase(), outs: got.props ?? {} });
      // Without inputs, the engine keeps those in state.
      expect({ inputs: got.inputs, ...again }).toEqual(got);
      expect(run.warnings).toEqual([]);
    }
  });

  test("in a state that has it in capitals, whose refreshes and destroy mean the same object", async () => {
    const { id, ...made } = await service.driver.create(kind, await given(kind));
    const stated: Made = { ...made, id: id.toUpperCase() };
    expect(await service.newRun().plan(stated)).toEqual({ changes: false });
    const run = service.newRun();
    expect((await run.read(stated)).id).toBe(stated.id);
    await run.delete(stated);
    expect(run.warnings).toEqual([]);
    expect(exists(kind, id)).toBe(false);
  });
});

test.each(KINDS.filter((kind) => kindOf(kind).importing))(
  "The option import of a %s takes an id in capitals",
  async (kind) => {
    const made = await service.driver.create(kind, await given(kind));
    const place = made.inputs[kindOf(kind).parent?.argument ?? ""];
    const name = [place, made.id.toUpperCase()].filter(Boolean).join("/");
    const { organization: _, ...args } = made.inputs;
    const teamsAre = kind === "Team" && { defaultMemberRole: "member", membersCanCreatePipelines: false };
    const { teamIds: __, ...declared } = args;
    const imported = await service.newRun().create(kind, { ...declared, ...teamsAre, import: name });
    expect(imported.id).toBe(made.id);
    expect(await service.newRun().plan(imported)).toEqual({ changes: false });
  },
);

test("A cluster in capitals has its queues: nothing is deleted with it that belongs to others", async () => {
  const cluster = await service.driver.create("Cluster", { name: "Linux" });
  const clusterId = cluster.id.toUpperCase();
  const queue = await service.driver.create("Queue", { clusterId, key: "own" });
  const run = service.newRun();
  await run.delete(queue);
  await run.delete({ ...cluster, id: clusterId });
  expect(exists("Cluster", cluster.id)).toBe(false);
});
