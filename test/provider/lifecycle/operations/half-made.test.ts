import { expect, test } from "vitest";
import { type Driver, type Made, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();
const PROVIDER = "exports.handler=()=>{}";

type Properties = Record<string, unknown>;

/** What the host makes of an initialization error. */
async function halfMade(work: Promise<unknown>) {
  const error = await work.catch((reason: unknown) => reason);
  const properties = expect.any(Object);
  expect(error).toMatchObject({ id: expect.any(String), properties, reasons: [expect.any(String)] });
  // The host reads these three of the error, as just checked.
  return error as { id: string; properties: Properties; reasons: string[] };
}

/** Begins the creation of a paused queue whose pause is refused. */
async function unpaused(run: Driver, args: Properties = {}) {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
  service.emulator.fault({ operation: "queues.pauseDispatch", action: { status: 403, body: {} } });
  const provider = await run.kind("Queue");
  const { inputs = {} } = await provider.check({}, { clusterId, key: "q", dispatchPaused: true, ...args });
  return { inputs, creation: provider.create({ ...inputs, __provider: PROVIDER }) };
}

test("a queue that somebody paused between the failure and the next update is a success", async () => {
  const { inputs, creation } = await unpaused(service.driver);
  const { id, properties } = await halfMade(creation);
  service.emulator.organizationData.queues.update(id, { dispatch_paused: true });
  const made: Made = { kind: "Queue", id, inputs, outs: properties };
  expect((await service.newRun().update(made, {})).outs).toMatchObject({ dispatchPaused: true });
});

test("a pipeline too large for an error whose archiving fails is archived by the next deployment, which its preview shows", async () => {
  const args = {
    name: "Shop",
    repository: "git@github.com:acme/shop.git",
    clusterId: "",
    configuration: `steps:\n${"  - command: make\n".repeat(2_000)}`,
    archived: true,
  };
  service.emulator.fault({ operation: "pipelines.archive", action: { status: 403, body: {} } });
  const made = await service.driver.create("Pipeline", args);
  expect(service.driver.warnings.join()).toContain("exists, but is not finished");
  expect(made.outs).toMatchObject({ archived: false, __unsent: ["archived"] });
  const run = service.newRun();
  expect((await run.plan(made)).changes).toBe(true);
  expect(run.observed.join()).toContain("sends the archived of the pipeline");
  const { outs = {} } = await run.update(made, {});
  expect(outs).toMatchObject({ archived: true });
  expect(outs).not.toHaveProperty("__unsent");
  expect((await service.newRun().plan({ ...made, outs })).changes).toBe(false);
});

test.each([
  ["of 23,000 characters", 23_000, "é", "warned"],
  ["of 11,000 characters in 22,000 bytes", 11_000, "é", "thrown"],
  ["of 24,000 characters", 24_000, "x", "warned"],
  ["of 22,000 characters", 22_000, "x", "thrown"],
])(
  "a queue whose pause fails, with a description %s, fails or warns as its properties fit",
  async (_, length, character, outcome) => {
    const run = service.newRun();
    const { creation } = await unpaused(run, { description: character.repeat(length) });
    if (outcome === "thrown") {
      await halfMade(creation);
      expect(run.warnings).toEqual([]);
      return;
    }
    const { id } = await creation;
    const text = `The queue ${id} exists, but .* 403.* The resource is recorded in state\\. Run pulumi up to complete`;
    expect(run.warnings).toEqual([expect.stringMatching(new RegExp(text))]);
  },
);
