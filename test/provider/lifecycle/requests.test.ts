import { readFileSync } from "node:fs";
import type { Dispatcher } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../src/emulator/index.js";
import { Simulation } from "../../client/simulation.js";
import { DynamicBackend } from "../../stories/histories/engine/dynamic-backend.js";
import { ModelEngine } from "../../stories/histories/model-engine.js";
import type { Declared } from "../../stories/histories/program.js";
import { isWhole, someOf } from "../../support/cases.js";
import { Driver, type Made, SimulatedClock } from "../../support/driver.js";

/** How many resources the engine reads at once on a machine with two cores. */
const AT_ONCE = 8;

interface Resource {
  readonly kind: "Cluster" | "Queue" | "AgentToken";
  readonly id: string;
  readonly clusterId: string;
  readonly name: string;
}

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
});

/** A service with the real limits, on a clock that moves only while everybody waits. */
async function service(limits: "real" | "off" = "real", slowness = 1) {
  const time = new Simulation();
  const emulator = await startEmulator({ seed: false, limits, clock: time.date });
  running.push(emulator, time);
  const network = { dispatcher: slow(time, slowness), timeoutMs: 30_000 };
  /** The provider in a run of its own. */
  const own = () => Driver.for(emulator, {}, time, network);
  return { emulator, time, own, driver: own() };
}

/** A network on which requests take from 30 to 70 milliseconds, or some times as long, and overtake each other. */
function slow(time: Simulation, times = 1): Dispatcher {
  let count = 0;
  return time.dispatcher.compose((dispatch) => (options, handler) => {
    count += 1;
    void time.sleep((30 + ((count * 7) % 41)) * times).then(() => dispatch(options, handler));
    return true;
  });
}

/** Clusters with queues and tokens, in the order of the state: a cluster, then what is in it. */
function fill(
  { organizationData: data }: Emulator,
  clusters: number,
  { queues, tokens } = { queues: 800, tokens: 100 },
): Resource[] {
  const made = { created_at: "2030-01-01T00:00:00.000Z", created_by: data.users.list()[0]?.id ?? "" };
  const unpaused = { dispatch_paused: false, dispatch_paused_by: null };
  const paused = { ...unpaused, dispatch_paused_at: null, dispatch_paused_note: null };
  const resources: Resource[] = [];
  for (let index = 0; index < clusters; index++) {
    const clusterId = crypto.randomUUID();
    const inside = () => ({ id: crypto.randomUUID(), cluster_id: clusterId, ...made });
    const name = `Cluster ${index}`;
    const unset = { description: null, emoji: null, color: null, default_queue_id: null };
    data.clusters.insert({ id: clusterId, name, ...unset, ...made });
    resources.push({ kind: "Cluster", id: clusterId, clusterId, name });
    for (let queue = index; queue < queues; queue += clusters) {
      const record = { ...inside(), key: `queue-${queue}`, description: null, ...paused };
      data.queues.insert(record);
      resources.push({ kind: "Queue", id: record.id, clusterId, name: record.key });
    }
    for (let token = index; token < tokens; token += clusters) {
      const secret = { allowed_ip_addresses: null, token: `secret-${token}` };
      const record = { ...inside(), description: `Token ${token}`, ...secret };
      data.agentTokens.insert(record);
      resources.push({ kind: "AgentToken", id: record.id, clusterId, name: record.description });
    }
  }
  return resources;
}

/** Reads each resource as the engine does: a few at once, in their order. */
async function refresh(
  driver: Driver,
  { organization }: Emulator,
  resources: readonly Resource[],
  atOnce = AT_ONCE,
): Promise<void> {
  const rest = resources.values();
  const worker = async () => {
    for (const { kind, id, clusterId, name } of rest) {
      const provider = await driver.kind(kind);
      const { props } = await provider.read(id, { organization, clusterId });
      expect([props?.name, props?.key, props?.description]).toContain(name);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** The same resources as a program may have them made: kind by kind, in turns through the clusters. */
function kindByKind(resources: readonly Resource[]): Resource[] {
  const turn = new Map<string, number>();
  const placed = resources.map((resource) => {
    const place = `${resource.kind} ${resource.clusterId}`;
    turn.set(place, (turn.get(place) ?? 0) + 1);
    return { resource, kind: resource.kind, turn: turn.get(place) ?? 0 };
  });
  placed.sort((a, b) => a.kind.localeCompare(b.kind) || a.turn - b.turn);
  return placed.map(({ resource }) => resource);
}

describe.runIf(isWhole)("a refresh of 5,000 resources under the real limits", () => {
  test("sends as many requests as one of 1,000 in as many clusters, and takes as long", async () => {
    const minutes = async (sizes: { queues: number; tokens: number }) => {
      const { emulator, driver, time } = await service();
      const resources = fill(emulator, 100, sizes);
      const begun = time.now();
      await refresh(driver, emulator, resources);
      expect(emulator.requests.filter(({ status }) => status !== 200)).toEqual([]);
      return { requests: emulator.requests.length, minutes: (time.now() - begun) / 60_000 };
    };
    const small = await minutes({ queues: 800, tokens: 100 });
    const large = await minutes({ queues: 4_500, tokens: 400 });
    expect(large.requests).toBe(small.requests);
    expect(large.minutes).toBeLessThan(small.minutes * 1.25);
  });
});

describe("a refresh of 1,000 resources under the real limits", () => {
  test.each(
    someOf([
      { clusters: 100, atMost: 204, order: "cluster by cluster" },
      { clusters: 100, atMost: 204, order: "kind by kind" },
      { clusters: 16, atMost: 36, order: "cluster by cluster" },
    ]),
  )("$clusters clusters, $order: at most $atMost requests, none refused", async (example) => {
    const { emulator, driver } = await service();
    const resources = fill(emulator, example.clusters);
    await refresh(driver, emulator, example.order === "kind by kind" ? kindByKind(resources) : resources);
    expect(emulator.requests.filter(({ status }) => status !== 200)).toEqual([]);
    expect(emulator.requests.length).toBeLessThanOrEqual(example.atMost);
  });
});

test("A refresh with more reads at once is as fast as its lists, and sends no more requests", async () => {
  const run = async (atOnce: number) => {
    const { emulator, driver, time } = await service("off");
    const resources = fill(emulator, 100);
    const begun = time.now();
    await refresh(driver, emulator, resources, atOnce);
    return { requests: emulator.requests.length, seconds: (time.now() - begun) / 1000 };
  };
  const few = await run(8);
  const many = await run(32);
  expect(many.requests).toBeLessThanOrEqual(few.requests);
  // 201 lists of 50 ms, eight in parallel.
  expect(many.seconds).toBeLessThan(((201 * 0.05) / 8) * 1.15);
});

/** 20 clusters, each with seven queues and two tokens. */
function organization(): Declared[] {
  const program: Declared[] = [];
  for (let index = 0; index < 20; index++) {
    const cluster = `cluster-${index}`;
    const clusterId = { idOf: cluster };
    program.push({ name: cluster, kind: "Cluster", args: { name: `Cluster ${index}` } });
    for (let queue = 0; queue < 7; queue++)
      program.push({ name: `${cluster}-${queue}`, kind: "Queue", args: { clusterId, key: `q${queue}` } });
    for (const description of [`${cluster}-a`, `${cluster}-b`])
      program.push({ name: description, kind: "AgentToken", args: { clusterId, description } });
  }
  return program;
}

describe("200 resources in 20 clusters", () => {
  test("are previewed with 2 requests, created with 202, refreshed with 41, destroyed with 260; unchanged, 1", async () => {
    const clock = new SimulatedClock();
    const emulator = await startEmulator({ seed: false, clock: () => new Date(clock.now()) });
    running.push(emulator);
    const engine = new ModelEngine(() => new DynamicBackend(Driver.for(emulator, {}, clock)));
    const requestsOf = async (command: Promise<{ succeeded: boolean }>) => {
      emulator.clearRequests();
      expect(await command).toMatchObject({ succeeded: true, errors: [] });
      return emulator.requests.length;
    };
    const program = organization();
    expect({
      preview: await requestsOf(engine.preview(program)),
      creation: await requestsOf(engine.up(program)),
      unchanged: await requestsOf(engine.up(program)),
      refresh: await requestsOf(engine.refresh()),
      destruction: await requestsOf(engine.destroy()),
    }).toEqual({ preview: 2, creation: 202, unchanged: 1, refresh: 41, destruction: 260 });
  });
});

/** How many pipelines a team has. */
const OF_TEAM = 20;

/** Pipelines, each with a schedule and a team: one by a deployment, and copies of what it made, so that many are made quickly. */
async function pipelines(driver: Driver, { organizationData: data }: Emulator, count: number) {
  const steps = { repository: "git@github.com:acme/shop.git", configuration: "steps: [wait]" };
  const shop = await driver.create("Pipeline", { name: "Shop", ...steps });
  const nightly = await driver.create("PipelineSchedule", { pipelineId: shop.id, cronline: "@daily" });
  const owners = await driver.create("Team", { name: "Owners" });
  const allowed = { teamId: owners.id, pipelineId: shop.id, accessLevel: "read_only" };
  const access = await driver.create("TeamPipeline", allowed);
  const resources = { pipelines: [shop], schedules: [nightly], accesses: [access] };
  const [pipeline] = data.pipelines.list();
  const [schedule] = data.pipelineSchedules.list();
  const [team] = data.teams.list();
  const [pair] = data.teamPipelines.list();
  let teamId = owners.id;
  for (let index = 1; index < count && pipeline && schedule && team && pair; index++) {
    const slug = `shop-${index}`;
    const { id } = data.pipelines.insert({ ...pipeline, id: crypto.randomUUID(), slug });
    const its = data.pipelineSchedules.insert({ ...schedule, id: crypto.randomUUID(), pipeline_id: id });
    resources.pipelines.push({ ...shop, id, outs: { ...shop.outs, slug } });
    const outs = { ...nightly.outs, pipelineId: id, pipelineSlug: slug };
    resources.schedules.push({ ...nightly, id: its.id, outs });
    if (index % OF_TEAM === 0)
      teamId = data.teams.insert({ ...team, id: crypto.randomUUID(), slug, name: slug }).id;
    data.teamPipelines.insert({ ...pair, id: crypto.randomUUID(), team_id: teamId, pipeline_id: id });
    const pairOuts = { ...access.outs, teamId, pipelineId: id };
    resources.accesses.push({ ...access, id: `${teamId}/${id}`, outs: pairOuts });
  }
  return resources;
}

/** Refreshes resources in a run of its own. @returns how often each operation was sent */
async function operationsOf(
  emulator: Emulator,
  resources: readonly Made[],
  driver: Driver = Driver.for(emulator),
) {
  emulator.clearRequests();
  const rest = resources.values();
  const worker = async () => {
    for (const each of rest) expect(await driver.read(each)).toMatchObject({ id: each.id });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect([...driver.warnings, ...driver.observed]).toEqual([]);
  const sent: Record<string, number> = {};
  for (const { operation = "none" } of emulator.requests) sent[operation] = (sent[operation] ?? 0) + 1;
  return sent;
}

describe("A refresh of pipelines", () => {
  test.runIf(isWhole)("reads 1,000 of them by 10 lists of 100, and none by itself", async () => {
    const { emulator, driver } = await service("off");
    const made = await pipelines(driver, emulator, 1_000);
    expect(await operationsOf(emulator, made.pipelines)).toEqual({
      "pipelines.list": 10,
      "accessToken.get": 1,
    });
  });

  test("with a schedule each lists the schedules of each of 200 once, and sends nothing more for each", async () => {
    const { emulator, driver } = await service("off");
    const made = await pipelines(driver, emulator, 200);
    expect(await operationsOf(emulator, [...made.pipelines, ...made.schedules])).toEqual({
      "pipelines.list": 2,
      "accessToken.get": 1,
      "pipelineSchedules.list": 200,
    });
    const lists = emulator.requests.filter(({ operation }) => operation === "pipelineSchedules.list");
    expect(new Set(lists.map(({ path }) => path)).size).toBe(200);
  });
});

describe("A refresh that takes longer than ten seconds", () => {
  test("reads each list once, with 300 pipelines, their schedules and teams in turns, and half a second for a request", async () => {
    const { emulator, driver, time, own } = await service("off", 10);
    const made = await pipelines(driver, emulator, 300);
    // Neighbors have other teams.
    const teams = 300 / OF_TEAM;
    const inTurns = (index: number) => (index % teams) * OF_TEAM + Math.floor(index / teams);
    const resources = made.pipelines.flatMap((pipeline, index) => [
      pipeline,
      ...made.schedules.slice(index, index + 1),
      ...made.accesses.slice(inTurns(index), inTurns(index) + 1),
    ]);
    const begun = time.now();
    const sent = await operationsOf(emulator, resources, own());
    expect(time.now() - begun).toBeGreaterThan(15_000);
    expect(sent).toEqual({
      "pipelines.list": 3,
      "accessToken.get": 1,
      "pipelineSchedules.list": 300,
      "teamPipelines.list": teams,
    });
  });

  test("reads a list once whose twelve pages take twelve seconds", async () => {
    const { emulator, driver, own } = await service("off", 20);
    const made = await pipelines(driver, emulator, 1_200);
    const sent = await operationsOf(emulator, made.pipelines, own());
    expect(sent).toEqual({ "pipelines.list": 12, "accessToken.get": 1 });
  });
});

/** New pipelines of a program. */
function newPipelines(names: readonly string[]): Declared[] {
  const steps = { repository: "git@github.com:acme/new.git", configuration: "steps: [wait]", clusterId: "" };
  return names.map((name) => ({ name, kind: "Pipeline", args: { name, ...steps } }));
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);

describe.runIf(isWhole)("In an organization of 5,000 pipelines", () => {
  const organization = async () => {
    const { emulator, driver } = await service("off");
    return { emulator, ...(await pipelines(driver, emulator, 5_000)) };
  };

  test("one more costs a preview 4 requests and its creation 5, and 200 more cost at most twice the list", async () => {
    const { emulator } = await organization();
    const engine = new ModelEngine(() => new DynamicBackend(Driver.for(emulator, {}, new SimulatedClock())));
    const one = newPipelines(["New"]);
    for (const { command, atMost } of [
      { command: () => engine.preview(one), atMost: 4 },
      { command: () => engine.up(one), atMost: 5 },
      { command: () => engine.up(one), atMost: 1 },
      { command: () => engine.preview([...one, ...newPipelines(numbered("More", 200))]), atMost: 103 },
    ]) {
      emulator.clearRequests();
      expect(await command()).toMatchObject({ succeeded: true, errors: [] });
      expect(emulator.requests.length).toBeLessThanOrEqual(atMost);
    }
  });

  test("a refresh of 20, and of 20 schedules, costs at most 42 requests", async () => {
    const made = await organization();
    // The last page of the list has them.
    const resources = [...made.pipelines.slice(-20), ...made.schedules.slice(-20)];
    const sent = await operationsOf(made.emulator, resources);
    expect(Object.values(sent).reduce((sum, times) => sum + times, 0)).toBeLessThanOrEqual(42);
  });
});

/** A table whose first column names commands, and whose last ones are for 1,000 and 5,000 pipelines. */
const FIGURES = readFileSync("docs/internals/benchmarks/organizations.csv", "utf8");

describe.runIf(isWhole)("In an organization where each pipeline has a schedule and a team", () => {
  test.each([
    { size: 1_000, column: -2 },
    { size: 5_000, column: -1 },
  ])(
    "of $size pipelines, commands send what organizations.csv says",
    async ({ size, column }) => {
      const { emulator, driver, own } = await service();
      const { accesses, ...others } = await pipelines(driver, emulator, size);
      const refreshed = (count: number) => async () => {
        const session = own();
        const rest = [others.pipelines, others.schedules, accesses]
          .flatMap((all) => all.slice(-count))
          .values();
        const worker = async () => {
          for (const each of rest) expect(await session.read(each)).toMatchObject({ id: each.id });
        };
        await Promise.all(Array.from({ length: AT_ONCE }, worker));
      };
      const engine = new ModelEngine(() => new DynamicBackend(own()));
      const pipelineId = { idOf: "New" };
      const teamId = String(accesses.at(-1)?.outs.teamId);
      const program: Declared[] = [
        ...newPipelines(["New"]),
        { name: "nightly", kind: "PipelineSchedule", args: { pipelineId, cronline: "@daily" } },
        { name: "access", kind: "TeamPipeline", args: { teamId, pipelineId, accessLevel: "read_only" } },
      ];
      const succeeds = (command: Promise<unknown>) =>
        expect(command).resolves.toMatchObject({ succeeded: true, errors: [] });
      const commands: Readonly<Record<string, () => Promise<unknown>>> = {
        "refresh of all": refreshed(size),
        "refresh of 500": refreshed(500),
        "refresh of 20": refreshed(OF_TEAM),
        "preview of one more": () => succeeds(engine.preview(program)),
        "creation of one more": () => succeeds(engine.up(program)),
        "unchanged preview": () => succeeds(engine.preview(program)),
      };
      const rows = FIGURES.slice(0, FIGURES.indexOf("\n\n")).split("\n").slice(1);
      const said = new Map(rows.map((row) => [row.split(",")[0], Number(row.split(",").at(column))]));
      expect([...said.keys()]).toEqual(Object.keys(commands));
      for (const [name, command] of Object.entries(commands)) {
        emulator.clearRequests();
        await command();
        // The first read of a kind is a request of its own if no other one came in time.
        const more = emulator.requests.length - (said.get(name) ?? 0);
        expect([name, Math.abs(more) <= 1 ? "as said" : `${more} more`]).toEqual([name, "as said"]);
      }
    },
    600_000,
  );
});

test("200 more pipelines in an organization of 200 cost a preview 8 requests, and what wasn't looked for is said once", async () => {
  const { emulator, driver } = await service("off");
  await pipelines(driver, emulator, 200);
  const engine = new ModelEngine(() => new DynamicBackend(Driver.for(emulator, {}, new SimulatedClock())));
  emulator.clearRequests();
  const previewed = await engine.preview(newPipelines(numbered("More", 200)));
  expect(previewed).toMatchObject({ succeeded: true, errors: [] });
  expect(engine.observed.filter((line) => line.includes("looked for in lists only"))).toHaveLength(1);
  expect(emulator.requests.length).toBeLessThanOrEqual(8);
});

test("A secret name of a pipeline is in no query, which gateways log", async () => {
  const { emulator, driver } = await service("off");
  await pipelines(driver, emulator, 700);
  const steps = { repository: "git@github.com:acme/new.git", configuration: "steps: [wait]", clusterId: "" };
  const asked = async (name: string, secretNames: readonly string[]) => {
    emulator.clearRequests();
    expect(
      await Driver.for(emulator).failures("Pipeline", { name, ...steps, __secrets: secretNames }),
    ).toEqual([]);
    return emulator.requests.filter(({ query }) => JSON.stringify(query).includes(name)).length;
  };
  expect([await asked("Open", []), await asked("Flamingo", ["name"])]).toEqual([1, 0]);
});

/** A gateway that makes of the filter by name what a service with another filter would. */
function filtering(time: Simulation, named: (filter: string) => string): Dispatcher {
  return time.dispatcher.compose((dispatch) => (options, handler) => {
    const path = options.path.replace(/\bname=[^&]*/, named);
    return dispatch({ ...options, path }, handler);
  });
}

describe.each(
  someOf<{
    service: string;
    named: (filter: string) => string;
    variations?: EmulatorOptions["variations"];
    shifts?: number;
  }>([
    { service: "filters by name", named: (filter) => filter },
    { service: "ignores the filter", named: () => "other=1" },
    { service: "finds nothing by the filter", named: () => "name=nothing-has-this" },
    {
      service: "names no last page",
      named: (filter) => filter,
      variations: { linkRelations: "next-only" },
    },
    { service: "loses a pipeline with each of 20 pages", named: () => "other=1", shifts: 20 },
  ]),
)("An API with 700 pipelines that $service", ({ named, variations = {}, shifts = 0 }) => {
  test.each([
    { steps: "many steps at a time", isSerial: false },
    { steps: "--parallel 1", isSerial: true },
  ])(
    "makes each of 20 once although the first response is lost, with at most six lists and $steps",
    async ({ isSerial }) => {
      const time = new Simulation();
      const emulator = await startEmulator({ seed: false, clock: time.date, variations });
      running.push(emulator, time);
      await pipelines(Driver.for(emulator, {}, time), emulator, 700);
      const network = { dispatcher: filtering(time, named), timeoutMs: 30_000 };
      const engine = new ModelEngine(() => new DynamicBackend(Driver.for(emulator, {}, time, network)));
      emulator.clearRequests();
      emulator.fault({ operation: "pipelines.create", when: "after", action: "drop" });
      const { pipelines: all } = emulator.organizationData;
      const change = (page: unknown) => {
        const [first] = all.list();
        if (first !== undefined) all.delete(first.id);
        return page;
      };
      if (shifts > 0) emulator.fault({ operation: "pipelines.list", times: shifts, action: { change } });
      const names = numbered("New", 20);
      expect(await engine.up(newPipelines(names), { isSerial })).toMatchObject({
        succeeded: true,
        errors: [],
      });
      const made = emulator.organizationData.pipelines.list().map(({ name }) => name);
      expect(made.filter((name) => name.startsWith("New ")).sort()).toEqual(names.sort());
      // The lists are two for the look-ups before, and after the lost response two by the name and two whole ones.
      expect(emulator.requests.length).toBeLessThanOrEqual(1 + 20 + 6 * 8 + shifts);
    },
  );
});
