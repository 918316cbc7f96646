import { beforeEach, describe, expect, test, vi } from "vitest";
import { Api, type Entity } from "../api.js";

let time = 0;
let api: Api;
let cluster: string;
let small: string;
let large: string;

async function start(options: { jobSeconds?: number } = {}): Promise<void> {
  time = Date.parse("2030-01-01T00:00:00Z");
  api = await Api.start({ seed: false, clock: () => new Date(time), ...options });
  cluster = String((await api.cluster()).id);
  small = String((await api.queue(cluster, "small")).id);
  large = String((await api.queue(cluster, "large")).id);
  await api.entity("PUT", `/clusters/${cluster}`, { default_queue_id: small });
  for (const [slug, agents] of [
    ["any", []],
    ["heavy", ["queue=large"]],
    ["gpu", ["queue=large", "gpu=true"]],
    ["lost", ["queue=nowhere"]],
  ] as const) {
    const steps = [{ key: "test", name: "Test", command: "make test", agents }];
    api.emulator.createPipeline({ slug, clusterId: cluster, steps });
  }
}

beforeEach(() => start());

const build = (pipeline: string) =>
  api.entity("POST", `/pipelines/${pipeline}/builds`, { commit: "0123456789abcdef", branch: "main" });
const jobOf = ({ jobs }: Entity): Entity => Object((jobs as unknown[])[0]);
const job = async ({ number, pipeline }: Entity): Promise<Entity> =>
  jobOf(await api.entity("GET", `/pipelines/${Reflect.get(Object(pipeline), "slug")}/builds/${number}`));
const statesOf = async (builds: readonly Entity[]) => {
  const jobs = await Promise.all(builds.map(job));
  return jobs.map(({ state }) => state);
};

describe("jobs in queues", () => {
  test("name their cluster and their rules while they wait, and their queue once an agent has them", async () => {
    const waiting = await build("heavy");
    expect(jobOf(waiting)).toMatchObject({
      state: "scheduled",
      cluster_id: cluster,
      cluster_queue_id: null,
      agent_query_rules: ["queue=large"],
    });
    api.emulator.connectAgent({ queueId: large });
    expect(api.emulator.dispatchJobs()).toBe(1);
    const running = { state: "running", cluster_id: cluster, cluster_queue_id: large };
    expect(await job(waiting)).toMatchObject(running);
  });

  test("go to the queue that they name, else to the default queue of their cluster", async () => {
    const [any, heavy, lost] = [await build("any"), await build("heavy"), await build("lost")];
    for (const queueId of [small, small, large, large]) api.emulator.connectAgent({ queueId });
    expect(api.emulator.dispatchJobs()).toBe(2);
    expect(await job(any)).toMatchObject({ cluster_queue_id: small });
    expect(await job(heavy)).toMatchObject({ cluster_queue_id: large });
    expect(await job(lost)).toMatchObject({ state: "scheduled" });
  });

  test("need an agent with every tag that they ask for", async () => {
    const gpu = await build("gpu");
    api.emulator.connectAgent({ queueId: large });
    expect(api.emulator.dispatchJobs()).toBe(0);
    api.emulator.connectAgent({ queueId: large, metaData: ["queue=large", "gpu=true"] });
    expect(api.emulator.dispatchJobs()).toBe(1);
    expect(await job(gpu)).toMatchObject({ state: "running" });
  });

  test("start in the order of their builds, one for each agent, and end in the same order", async () => {
    const builds = [await build("any"), await build("any"), await build("any")];
    api.emulator.connectAgent({ queueId: small });
    api.emulator.dispatchJobs();
    expect(await statesOf(builds)).toEqual(["running", "scheduled", "scheduled"]);
    expect(api.emulator.finishJobs()).toBe(1);
    api.emulator.dispatchJobs();
    expect(await statesOf(builds)).toEqual(["passed", "running", "scheduled"]);
    expect(api.emulator.finishJobs({ queueId: large })).toBe(0);
    expect(api.emulator.finishJobs({ queueId: small, state: "failed", atMost: 5 })).toBe(1);
    expect(await statesOf(builds)).toEqual(["passed", "failed", "scheduled"]);
  });

  test("of a former default queue wait for the next one, where their agents now are", async () => {
    const waiting = await build("any");
    const agent = api.emulator.connectAgent({ queueId: small, metaData: ["queue=small", "os=linux"] });
    await api.entity("PUT", `/clusters/${cluster}`, { default_queue_id: large });
    expect(api.emulator.dispatchJobs()).toBe(0);
    const moved = api.emulator.connectAgent({ id: agent.id, queueId: large });
    expect(moved.meta_data).toEqual(["queue=large", "os=linux"]);
    expect(api.emulator.dispatchJobs()).toBe(1);
    expect(await job(waiting)).toMatchObject({ cluster_queue_id: large });
  });

  test("read no queues while no agent is idle, because clients ask again and again", async () => {
    for (const pipeline of ["any", "heavy", "lost"]) await build(pipeline);
    const list = vi.spyOn(api.emulator.organizationData.queues, "list");
    expect(api.emulator.dispatchJobs()).toBe(0);
    expect(list).not.toHaveBeenCalled();
  });

  test("move by themselves with jobSeconds, by the clock", async () => {
    await start({ jobSeconds: 60 });
    api.emulator.connectAgent({ queueId: small });
    const builds = [await build("any"), await build("any"), await build("any")];
    expect(await statesOf(builds)).toEqual(["running", "scheduled", "scheduled"]);
    time += 59_000;
    expect(await statesOf(builds)).toEqual(["running", "scheduled", "scheduled"]);
    time += 100_000;
    // The second one started the moment the first one ended.
    expect(await statesOf(builds)).toEqual(["passed", "passed", "running"]);
    expect(await job(Object(builds[1]))).toMatchObject({ finished_at: "2030-01-01T00:02:00.000Z" });
    await api.send("POST", `/clusters/${cluster}/queues/${small}/pause_dispatch`);
    const held = await build("any");
    time += 600_000;
    expect(await job(held)).toMatchObject({ state: "scheduled" });
  });
});
