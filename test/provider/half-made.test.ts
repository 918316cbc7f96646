import { expect, test } from "vitest";
import { serviceForEach } from "./driver.js";

const service = serviceForEach();
const PROVIDER = "exports.handler=()=>{}";

/** What the host makes of an initialization error. */
interface HalfMade {
  readonly id: string;
  readonly properties: Record<string, unknown>;
  readonly reasons: readonly string[];
}

async function halfMade(work: Promise<unknown>): Promise<HalfMade> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({
    id: expect.any(String),
    properties: expect.any(Object),
    reasons: [expect.any(String)],
  });
  // The host reads these three of the error, as just checked.
  return error as HalfMade;
}

test("a queue whose pause fails is recorded with all its outputs, and the next update pauses it", async () => {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
  service.emulator.fault({ operation: "queues.pauseDispatch", action: { status: 403, body: {} } });
  const provider = await service.driver.kind("Queue");
  const news = {
    clusterId,
    key: "q",
    dispatchPaused: true,
    dispatchPausedNote: "freeze",
    __provider: PROVIDER,
  };
  const { inputs = {} } = await provider.check({}, news);
  const made = await halfMade(provider.create({ ...inputs, __provider: PROVIDER }));
  const [live] = service.emulator.organizationData.queues.list();
  expect(made.id).toBe(live?.id);
  expect(made.reasons[0]).toContain(made.id);
  expect(made.properties).toMatchObject({ __provider: PROVIDER, key: "q", clusterId, organization: "acme" });
  expect(made.properties.url).toContain(made.id);
  expect(JSON.stringify(Object.values(made.properties))).not.toContain("undefined");

  const next = await service.newRun().kind("Queue");
  service.emulator.clearRequests();
  const { outs } = await next.update(made.id, made.properties, inputs);
  expect(outs).toMatchObject({ dispatchPaused: true });
  expect(service.emulator.organizationData.queues.list()).toEqual([
    expect.objectContaining({ id: made.id, dispatch_paused: true, dispatch_paused_note: "freeze" }),
  ]);
});

test("a queue that somebody paused between the failure and the next update is a success", async () => {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
  const fault = service.emulator.fault({
    operation: "queues.pauseDispatch",
    action: { status: 403, body: {} },
    times: 100,
  });
  const provider = await service.driver.kind("Queue");
  const { inputs = {} } = await provider.check({}, { clusterId, key: "q", dispatchPaused: true });
  const made = await halfMade(provider.create(inputs));
  fault.remove();
  service.emulator.organizationData.queues.update(made.id, { dispatch_paused: true });
  const { outs } = await (await service.newRun().kind("Queue")).update(made.id, made.properties, inputs);
  expect(outs).toMatchObject({ dispatchPaused: true });
});

test("an update of which one part fails keeps what was done, and the next update does the rest", async () => {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
  const { id, inputs, outs } = await service.driver.create("Queue", { clusterId, key: "q" });
  service.emulator.fault({ operation: "queues.pauseDispatch", action: { status: 403, body: {} } });
  const news = { ...inputs, description: "new", dispatchPaused: true };
  const half = await halfMade((await service.driver.kind("Queue")).update(id, outs, news));
  expect(half.properties).toMatchObject({ description: "new" });
  await (await service.newRun().kind("Queue")).update(id, half.properties, news);
  expect(service.emulator.organizationData.queues.get(id)).toMatchObject({
    description: "new",
    dispatch_paused: true,
  });
});

test.each([
  ["of 23,000 characters", 23_000, "é", "warned"],
  ["of 11,000 characters in 22,000 bytes", 11_000, "é", "thrown"],
  ["of 24,000 characters", 24_000, "x", "warned"],
  ["of 22,000 characters", 22_000, "x", "thrown"],
])(
  "a queue whose pause fails, with a description %s, fails or warns as its properties fit",
  async (_, length, character, outcome) => {
    const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
    service.emulator.fault({ operation: "queues.pauseDispatch", action: { status: 403, body: {} } });
    const run = service.newRun();
    const provider = await run.kind("Queue");
    const description = character.repeat(length);
    const { inputs = {} } = await provider.check(
      {},
      { clusterId, key: "q", description, dispatchPaused: true },
    );
    const creation = provider.create(inputs);
    if (outcome === "thrown") {
      await halfMade(creation);
      expect(run.warnings).toEqual([]);
      return;
    }
    const { id } = await creation;
    expect(run.warnings).toEqual([
      expect.stringMatching(
        new RegExp(
          `The queue ${id} exists, but .* 403.* The resource is recorded in state\\. Run pulumi up --refresh to`,
        ),
      ),
    ]);
  },
);
