import { Agent } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import type { FaultAction } from "../../src/emulator/index.js";
import { Driver, failure, SimulatedClock, serviceForEach } from "../support/driver.js";

const service = serviceForEach();

const clusters = () => service.emulator.organizationData.clusters.list().map(({ id }) => id);
const tokens = () => service.emulator.organizationData.agentTokens.list().map(({ id }) => id);

function bodyOf(operation: string, params: Record<string, string>): object {
  const { status, body } = service.emulator.perform(operation, { params });
  expect(status).toBe(200);
  return Object(body);
}

test("A deletion that gets a 502 and then a 404 fails with the service's words if the list still has the object", async () => {
  const made = await service.driver.create("Cluster", { name: "Linux" });
  service.emulator.fault({ operation: "clusters.delete", action: { status: 502 } });
  const missing = { status: 404, body: { message: "Not found" } };
  service.emulator.fault({ operation: "clusters.delete", times: 9, action: missing });
  service.emulator.fault({ operation: "clusters.get", times: 9, action: missing });
  expect(await failure(service.newRun().delete(made))).toMatch(/404|502/);
});

test("A deletion of which every response is lost is done if the list lacks the object", async () => {
  const made = await service.driver.create("Cluster", { name: "Linux" });
  service.emulator.fault({ operation: "clusters.delete", when: "after", action: "drop" });
  service.emulator.fault({ operation: "clusters.delete", times: 20, action: "drop" });
  await service.newRun().delete(made);
  expect(clusters()).toEqual([]);
});

const steps = { configuration: "steps: [wait]" };
const HIDDEN = {
  Pipeline: {
    args: { name: "Shop", repository: "git@github.com:acme/shop.git", onDelete: "delete", ...steps },
    operation: "pipelines.delete",
  },
  PipelineTemplate: {
    args: { name: "Base", available: false, ...steps },
    operation: "pipelineTemplates.delete",
  },
  Team: { args: { name: "Owners", privacy: "secret" }, operation: "teams.delete" },
} as const;

describe("A deletion that is only accepted", () => {
  const accepts = (action: FaultAction) => service.emulator.fault({ operation: "clusters.delete", action });
  const ACCEPTED = { status: 202, body: { message: "Queued" } };

  test("is done once a read doesn't find the object", async () => {
    const made = await service.driver.create("Cluster", { name: "Linux" });
    accepts({ workAfterMs: 10_000, meanwhile: ACCEPTED });
    const run = service.newRun();
    await run.delete(made);
    expect(clusters()).toEqual([]);
    expect(run.observed).toEqual([expect.stringContaining("accepted the deletion")]);
  });

  test.each(["Pipeline", "PipelineTemplate", "Team"] as const)(
    "of a %s that may be hidden is confirmed by its acceptance and its end",
    async (kind) => {
      const { args, operation } = HIDDEN[kind];
      const made = await service.driver.create(kind, args);
      service.emulator.fault({ operation, action: { workAfterMs: 5_000, meanwhile: ACCEPTED } });
      const run = service.newRun();
      await run.delete(made);
      expect(run.warnings).toEqual([]);
    },
  );

  test("is not called unfinished where the API doesn't say whether the object is gone", async () => {
    const made = await service.driver.create("Cluster", { name: "Linux" });
    accepts(ACCEPTED);
    const refused = { status: 403, body: { message: "Not today" } };
    service.emulator.fault({ operation: "clusters.get", times: 9, action: refused });
    expect(await failure(service.newRun().delete(made))).toContain("Not today");
    expect(clusters()).toEqual([made.id]);
  });

  test("and never carried out is an error, after few requests", async () => {
    const made = await service.driver.create("Cluster", { name: "Linux" });
    accepts(ACCEPTED);
    const seen = service.emulator.requests.length;
    expect(await failure(service.newRun().delete(made))).toContain("still returns it half a minute later");
    expect(service.emulator.requests.slice(seen).length).toBeLessThan(20);
    expect(clusters()).toEqual([made.id]);
  });
});

describe("A creation's success", () => {
  test("with the id of a colleague's object from before is not believed, and nothing of theirs is recorded", async () => {
    const theirs = String((await service.colleague.sends("POST", "/clusters", { name: "Linux" })).id);
    const body = bodyOf("clusters.get", { id: theirs });
    service.emulator.fault({ operation: "clusters.create", action: { status: 201, body } });
    const message = await failure(service.driver.create("Cluster", { name: "Linux" }));
    expect(message).toContain("could not confirm");
    expect(message).not.toContain(theirs);
  });

  test("with the id of an object that this run created, as a cache returns it, is not believed", async () => {
    const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
    const first = await service.driver.create("AgentToken", { clusterId, description: "farm" });
    const [token] = service.emulator.organizationData.agentTokens.list();
    const body = {
      ...bodyOf("agentTokens.get", { cluster_id: clusterId, token_id: first.id, id: first.id }),
      token: token?.token,
    };
    service.emulator.fault({ operation: "agentTokens.create", action: { status: 201, body } });
    const message = await failure(service.driver.create("AgentToken", { clusterId, description: "farm" }));
    expect(message).toContain("could not confirm");
    expect(tokens()).toEqual([first.id]);
  });

  test.each([{ "buildpipeline:offline": "true" }, {}])(
    "counts without a list from before: %o",
    async (config) => {
      service.emulator.fault({ operation: "clusters.list", times: 9, action: { status: 403 } });
      const { id } = await service.newRun(config).create("Cluster", { name: "Linux" });
      expect(clusters()).toEqual([id]);
    },
  );
});

describe("A creation that is sent again after a 503 of the service", () => {
  const late = (workAfterMs: number) =>
    ({ workAfterMs, meanwhile: { status: 503, body: { message: "Unavailable" } } }) as const;

  test("and was carried out late names the other object", async () => {
    const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
    service.emulator.fault({ operation: "agentTokens.create", action: late(60_000) });
    let creations = 0;
    const remove = service.emulator.onRequest(({ operation }) => {
      creations += operation === "agentTokens.create" ? 1 : 0;
      if (creations === 2) service.emulator.finishLateWork();
    });
    const { id } = await service.driver.create("AgentToken", { clusterId, description: "farm" });
    remove();
    expect(tokens()).toHaveLength(2);
    const other = tokens().find((token) => token !== id);
    expect(service.driver.warnings.join()).toContain(other);
  });

  test("and may be carried out later says so", async () => {
    service.emulator.fault({ operation: "clusters.create", action: late(60_000) });
    await service.driver.create("Cluster", { name: "Linux" });
    expect(service.driver.warnings).toEqual([expect.stringMatching(/503.*cluster "Linux".*second/s)]);
  });
});

test("A pause whose response is lost is not done because a read returns another queue, which is paused", async () => {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
  const made = await service.driver.create("Queue", { clusterId, key: "small" });
  const { id } = await service.driver.create("Queue", { clusterId, key: "large", dispatchPaused: true });
  const body = bodyOf("queues.get", { cluster_id: clusterId, queue_id: id });
  service.emulator.fault({ operation: "queues.pauseDispatch", times: 9, action: "drop" });
  service.emulator.fault({ operation: "queues.get", times: 9, action: { status: 200, body } });
  const message = await failure(service.newRun().update(made, { dispatchPaused: true }));
  expect(message).toContain("The request may have been carried out");
});

test("An update's success with the old values is done if a read has the new ones", async () => {
  const made = await service.driver.create("Cluster", { name: "Linux" });
  const action = { status: 200, body: bodyOf("clusters.get", { id: made.id }) };
  service.emulator.fault({ operation: "clusters.update", when: "after", action });
  const updated = await service.newRun().update(made, { description: "New" });
  expect(updated.outs).toMatchObject({ description: "New" });
});

describe("A team whose update returns only what was sent", () => {
  const change = (team: unknown) => ({ name: Reflect.get(Object(team), "name") });

  async function updated() {
    const made = await service.driver.create("Team", { name: "Platform" });
    service.emulator.fault({ operation: "teams.update", when: "after", action: { change } });
    // The read before the update succeeds.
    service.emulator.fault({ operation: "teams.get", after: 1, times: 9, action: { status: 403 } });
    return service.newRun().update(made, { description: "New" });
  }

  test("is found in the list where a read is refused", async () => {
    expect((await updated()).outs).toMatchObject({ description: "New" });
  });

  test("is not reported as another object where the list is refused as well", async () => {
    service.emulator.fault({ operation: "teams.list", after: 1, times: 9, action: { status: 403 } });
    const message = await failure(updated());
    expect(message).not.toContain("another object");
    expect(message).toMatch(/only what was sent.*could not be read.*403/s);
  });
});

describe("A gateway that rewrites no bodies", () => {
  const GATEWAY = "https://gateway.example";

  /** A run whose settings name the gateway, which leads to the service. */
  function behind(gateway: string): Driver {
    const dispatcher = new Agent().compose(
      (dispatch) => (options, handler) => dispatch({ ...options, origin: service.emulator.url }, handler),
    );
    onTestFinished(() => dispatcher.close());
    const config = { "buildpipeline:baseUrl": gateway };
    return Driver.for(service.emulator, config, new SimulatedClock(), { dispatcher });
  }

  test.each<[string, "clusters" | "suites", object]>([
    ["Cluster", "clusters", { name: "Linux" }],
    ["Suite", "suites", { name: "Unit", defaultBranch: "main" }],
  ])("confirms the absence of the only %s, in a refresh and in a destroy", async (kind, group, args) => {
    const made = await behind(GATEWAY).create(kind, { ...args });
    service.emulator.organizationData[group].delete(made.id);
    expect((await behind(GATEWAY).read(made)).id).toBe("");
    await behind(GATEWAY).delete(made);
  });

  test("of another address confirms nothing", async () => {
    const made = await behind(GATEWAY).create("Cluster", { name: "Linux" });
    service.emulator.organizationData.clusters.delete(made.id);
    const message = await failure(behind("https://other.example").read(made));
    expect(message).toContain(GATEWAY);
    expect(message).toContain("https://other.example");
  });

  test("leaves no mark where it rewrites bodies, and none on what a program only reads", async () => {
    const direct = await service.driver.create("Cluster", { name: "Linux" });
    expect(direct.outs).not.toHaveProperty("__origin");
    const { props = {} } = await behind(GATEWAY).read({ ...direct, outs: {} });
    expect(props).not.toHaveProperty("__origin");
    expect((await behind(GATEWAY).read({ ...direct, outs: props })).props).toEqual(props);
  });
});
