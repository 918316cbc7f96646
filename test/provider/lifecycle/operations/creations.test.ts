import { describe, expect, test } from "vitest";
import type { FaultAction } from "../../../../src/emulator/index.js";
import { Driver, failure, LOGIN_PAGE, SimulatedClock, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

/** Makes the next creation fail before the service does the work, or after it. */
const loseNext = (operation: string, when: "before" | "after", action: FaultAction = "drop") =>
  service.emulator.fault({ operation, when, action });

/** Has a colleague act once, right before the service looks at the next request with a method, or at a later one. */
function beforeNext(methods: readonly string[], act: () => void, { skip = 0 } = {}): void {
  let left = skip;
  const remove = service.emulator.onRequest(({ method }) => {
    if (!methods.includes(method)) return;
    left -= 1;
    if (left >= 0) return;
    remove();
    act();
  });
}

/** Carries out an operation at once. @returns the id of the object */
function perform(operation: string, body: object, params: Record<string, string> = {}, accessToken?: string) {
  const call = { body, params, ...(accessToken && { accessToken }) };
  const { status, body: made } = service.emulator.perform(operation, call);
  expect(status).toBeLessThan(300);
  return String(Reflect.get(Object(made), "id"));
}

const clusters = () => service.emulator.organizationData.clusters.list().map(({ id }) => id);
const tokens = () => service.emulator.organizationData.agentTokens.list().map(({ id }) => id);
const sent = (method: string) => service.emulator.requests.filter((request) => request.method === method);

async function checked(name: string, args: Record<string, unknown>, driver = service.driver) {
  const provider = await driver.kind(name);
  const { inputs = {}, failures = [] } = await provider.check({}, args);
  expect(failures).toEqual([]);
  return { create: () => provider.create(inputs) };
}

test("An object whose label the program doesn't give goes by its type alone in the error of a lost creation", async () => {
  const pipeline = { name: "Shop", repository: "git@github.com:acme/shop.git", configuration: "steps: []" };
  const { id: pipelineId } = await service.driver.create("Pipeline", { ...pipeline, clusterId: "" });
  const schedule = await checked("PipelineSchedule", { pipelineId, cronline: "@daily" });
  for (let tries = 0; tries < 9; tries += 1) loseNext("pipelineSchedules.create", "before");
  const message = await failure(schedule.create());
  expect(message).toContain("could not confirm whether the pipeline schedule was created");
});

test("A lost token of a RotatingAgentToken is to be deleted, because Pulumi ignores a component's import", async () => {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
  const lost = async (args: Record<string, unknown>) => {
    const token = await checked("AgentToken", { clusterId, description: "farm", ...args });
    for (let tries = 0; tries < 9; tries += 1) loseNext("agentTokens.create", "before");
    return await failure(token.create());
  };
  expect(await lost({})).toContain("add { import: ");
  const message = await lost({ __rotation: { of: "farm", generation: 1 } });
  expect(message).not.toContain("add { import: ");
  expect(message).toContain("If this run created one, delete it");
});

describe("A colleague's object that equals the one whose creation was lost", () => {
  test("is a cluster created while the request waited for the rate limit: it is not recorded", async () => {
    const cluster = await checked("Cluster", { name: "Linux" });
    loseNext("clusters.create", "before", { rateLimited: { resetSeconds: 60 } });
    loseNext("clusters.create", "before");
    let theirs = "";
    beforeNext(["POST"], () => {
      theirs = perform("clusters.create", { name: "Linux" });
    });
    const message = await failure(cluster.create());
    expect(message).toMatch(/could not confirm whether the cluster "Linux" was created/);
    expect(message).toContain(theirs);
    expect(clusters()).toEqual([theirs]);
  });

  test("is another user's, and this process knows its own user: it is not recorded", async () => {
    await service.driver.create("Cluster", { name: "Mac" });
    const cluster = await checked("Cluster", { name: "Linux" });
    const { id: userId } = service.emulator.addMember({ name: "Grace", email: "grace@example.com" });
    const scopes = ["read_clusters", "write_clusters"];
    const grace = service.emulator.createAccessToken({ scopes, userId });
    let theirs = "";
    beforeNext(["POST"], () => {
      theirs = perform("clusters.create", { name: "Linux" }, {}, grace);
    });
    loseNext("clusters.create", "before");
    const message = await failure(cluster.create());
    expect(message).toContain(`${theirs}, created 2030`);
    expect(message).toContain("by Grace");
    expect(message).toContain(`{ import: "${theirs}" }`);
  });

  test("that was created after the failure is no match", async () => {
    const cluster = await checked("Cluster", { name: "Linux" });
    loseNext("clusters.create", "after");
    // Before the second look, which is two seconds later.
    beforeNext(["GET"], () => perform("clusters.create", { name: "Linux" }), { skip: 1 });
    const { id } = await cluster.create();
    expect(clusters()).toHaveLength(2);
    expect(id).toBe(clusters()[0]);
  });
});

describe("A creation whose response is lost", () => {
  test("is recorded where one object matches after two seconds; if it is another one, the right one can be imported", async () => {
    loseNext("clusters.create", "after");
    const before = service.clock.now();
    const recorded = await service.driver.create("Cluster", { name: "Linux" });
    // The clock also advances with every look at it.
    expect(Math.floor((service.clock.now() - before) / 1_000)).toBe(2);
    expect(clusters()).toEqual([recorded.id]);
    expect(sent("POST")).toHaveLength(1);
    const warning = new RegExp(`recorded: ${recorded.id}.*pulumi state delete <urn>`, "s");
    expect(service.driver.warnings).toEqual([expect.stringMatching(warning)]);
    const right = perform("clusters.create", { name: "Linux" });
    const args = { name: "Linux", import: right };
    const { id } = await service.newRun().create("Cluster", args);
    expect(id).toBe(right);
    expect(clusters().sort()).toEqual([recorded.id, right].sort());
  });

  test("is an error in an offline run, which has no list from before", async () => {
    const run = service.newRun({ "buildpipeline:offline": "true" });
    loseNext("clusters.create", "after");
    const message = await failure(run.create("Cluster", { name: "Linux" }));
    expect(message).toContain(clusters()[0]);
    expect(clusters()).toHaveLength(1);
  });

  test("and that was not carried out names neither an equal object from before nor one of this run", async () => {
    const theirs = perform("clusters.create", { name: "Linux" });
    const mine = await service.driver.create("Cluster", { name: "Linux" });
    service.emulator.fault({ operation: "clusters.create", times: 9, action: "drop" });
    const message = await failure(service.driver.create("Cluster", { name: "Linux" }));
    expect(message).toContain("The list of clusters does not have it.");
    expect(message).not.toContain(theirs);
    expect(message).not.toContain(mine.id);
  });

  test("is looked for again where the first look fails", async () => {
    const cluster = await checked("Cluster", { name: "Linux" });
    loseNext("clusters.create", "after", LOGIN_PAGE);
    service.emulator.fault({ operation: "clusters.list", action: { status: 403, body: { message: "No" } } });
    const { id } = await cluster.create();
    expect(clusters()).toEqual([id]);
    // The service responded, so no later object can appear.
    expect(service.driver.warnings).toEqual([]);
  });

  test("is looked for again although the wait was canceled", async () => {
    const canceled = () => Promise.reject(new Error("Canceled"));
    const run = Driver.for(service.emulator, {}, new SimulatedClock(), { pause: canceled });
    loseNext("clusters.create", "after");
    const { id } = await run.create("Cluster", { name: "Linux" });
    expect(clusters()).toEqual([id]);
  });
});

describe("An agent token whose secret is lost with the response", () => {
  test("a second time is an error that names the second", async () => {
    const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
    service.emulator.fault({ operation: "agentTokens.create", when: "after", times: 9, action: "drop" });
    const message = await failure(service.driver.create("AgentToken", { clusterId, description: "farm" }));
    const [first, second, ...others] = tokens();
    expect(others).toEqual([]);
    expect(service.driver.warnings.join()).toContain(first);
    expect(message).toContain(second);
  });
});

describe("A queue, of which the service refuses a duplicate,", () => {
  test("that is taken by our own earlier try is recorded", async () => {
    const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
    const queue = await checked("Queue", { clusterId, key: "linux" });
    loseNext("queues.create", "before", { workAfterMs: 0, meanwhile: { status: 502 } });
    // The lists of the first two looks lack it.
    service.emulator.fault({ operation: "queues.list", times: 2, action: { status: 200, body: [] } });
    const { id } = await queue.create();
    expect(service.emulator.organizationData.queues.list().map((live) => live.id)).toEqual([id]);
    expect(sent("POST").filter(({ path }) => path.endsWith("/queues"))).toHaveLength(2);
  });

  test("that a colleague took after our earlier try is an error that names it", async () => {
    const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
    const queue = await checked("Queue", { clusterId, key: "linux" });
    loseNext("queues.create", "before");
    const theirs = { key: "linux", description: "theirs" };
    beforeNext(["POST"], () => perform("queues.create", theirs, { cluster_id: clusterId }), { skip: 1 });
    const message = await failure(queue.create());
    expect(message).toContain("Key has already been taken");
    expect(message).toContain('the queue "linux"');
  });
});

describe("A creation that was not sent", () => {
  test("because it was canceled in a wait for the rate limit looks for nothing and records nothing", async () => {
    const canceled = new Error("the deployment was canceled");
    const time = new SimulatedClock();
    const clock = { now: () => time.now(), sleep: () => Promise.reject(canceled) };
    const cluster = await checked("Cluster", { name: "Linux" }, Driver.for(service.emulator, {}, clock));
    const theirs = perform("clusters.create", { name: "Linux" });
    loseNext("clusters.create", "before", { rateLimited: { resetSeconds: 60 } });
    service.emulator.clearRequests();
    expect(await failure(cluster.create())).toContain("canceled");
    expect(sent("GET")).toEqual([]);
    expect(clusters()).toEqual([theirs]);
  });
});

describe("A write whose target others can take over", () => {
  test.each<[string, FaultAction, readonly string[], number]>([
    ["after a lost response", "drop", ["GET", "PATCH"], 2],
    ["that the rate limit holds back", { rateLimited: { resetSeconds: 60 } }, ["PATCH"], 0],
  ])(
    "is a suite's update: %s, a colleague's suite of the same slug stays",
    async (_, fault, methods, skip) => {
      const suite = await service.driver.create("Suite", { name: "Unit", defaultBranch: "main" });
      const { suites } = service.emulator.organizationData;
      loseNext("suites.update", "before", fault);
      const takeOver = () => {
        suites.update(suite.id, { slug: "moved" });
        perform("suites.create", { name: "Unit", default_branch: "main" });
      };
      beforeNext(methods, takeOver, { skip });
      await service.driver.update(suite, { defaultBranch: "trunk" });
      expect(suites.list().map(({ slug, default_branch }) => [slug, default_branch])).toEqual([
        ["moved", "trunk"],
        ["unit", "main"],
      ]);
    },
  );

  test("is a default queue: after a lost response, a colleague's default is not cleared", async () => {
    const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
    const ours = await service.driver.create("Queue", { clusterId, key: "ours" });
    const theirs = await service.driver.create("Queue", { clusterId, key: "theirs" });
    const entry = await service.driver.create("ClusterDefaultQueue", { clusterId, queueId: ours.id });
    loseNext("clusters.update", "after");
    const setTheirs = () => perform("clusters.update", { default_queue_id: theirs.id }, { id: clusterId });
    beforeNext(["GET", "PUT"], setTheirs, { skip: 2 });
    await service.newRun().delete(entry);
    expect(service.emulator.organizationData.clusters.get(clusterId)?.default_queue_id).toBe(theirs.id);
  });
});

test("A team whose creation returns only what was sent is found in the list, also in an offline run", async () => {
  const run = service.newRun({ "buildpipeline:offline": "true" });
  // As some services do: the submitted properties, without an id.
  const change = (team: unknown) => ({ name: Reflect.get(Object(team), "name") });
  loseNext("teams.create", "after", { change });
  const { id } = await run.create("Team", { name: "Core" });
  expect(service.emulator.organizationData.teams.list()).toMatchObject([{ id, name: "Core" }]);
});

describe("A creation in a cluster that is seconds old, which the service doesn't know everywhere yet", () => {
  const missing = { status: 404, body: { message: "No cluster found" } };

  test.each([
    ["Queue", "queues.create", { key: "small" }],
    ["AgentToken", "agentTokens.create", { description: "builders" }],
  ])("is sent once more after a 404: %s", async (kind, operation, args) => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    loseNext(operation, "before", missing);
    await service.driver.create(kind, { clusterId: cluster.id, ...args });
    expect(sent("POST").filter(({ status }) => status === 404)).toHaveLength(1);
  });

  test("is sent until the cluster is fifteen seconds old, and in an older cluster once", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const madeAt = service.clock.now();
    service.emulator.fault({ operation: "queues.create", action: missing, times: Number.POSITIVE_INFINITY });
    const young = await checked("Queue", { clusterId: cluster.id, key: "small" });
    expect(await failure(young.create())).toContain("404 (sent 7 times): No cluster found");
    expect((service.clock.now() - madeAt) / 1_000).toBeCloseTo(15, 0);
    service.emulator.clearRequests();
    const old = await checked("Queue", { clusterId: cluster.id, key: "small" }, service.newRun());
    expect(await failure(old.create())).toContain("404: No cluster found");
    expect(sent("POST")).toHaveLength(1);
  });
});
