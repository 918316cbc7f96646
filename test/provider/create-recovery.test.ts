import { describe, expect, test } from "vitest";
import { Driver, failure, LOGIN_PAGE, SimulatedClock, serviceForEach } from "./driver.js";

const service = serviceForEach();

const drop = (operation: string) =>
  service.emulator.fault({ operation, when: "after", action: "drop", times: 1 });

/** A run that notes how long it pauses. */
function run(pause: () => Promise<void> = async () => undefined) {
  const pauses: number[] = [];
  const driver = Driver.for(service.emulator, {}, new SimulatedClock(), {
    pause: (milliseconds) => {
      pauses.push(milliseconds);
      return pause();
    },
  });
  return { driver, pauses };
}

/** Operations after the first request that wrote. */
function afterTheWrite(): string[] {
  const { requests } = service.emulator;
  const at = requests.findIndex(({ method }) => method !== "GET");
  return requests.slice(at + 1).map(({ operation }) => String(operation));
}

describe("After a creation", () => {
  test("with a lost response, the list is read twice with two seconds between", async () => {
    const { driver, pauses } = run();
    drop("clusters.create");
    const { id } = await driver.create("Cluster", { name: "Linux" });
    expect(await service.colleague.list("/clusters")).toMatchObject([{ id }]);
    expect(pauses).toEqual([2_000]);
    expect(afterTheWrite().slice(0, 2)).toEqual(["clusters.list", "clusters.list"]);
    expect(driver.warnings).toEqual([expect.stringContaining(`is recorded: ${id}`)]);
  });

  test("of a paused queue with a lost response, the queue is found before its pause, and paused", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    service.emulator.clearRequests();
    const { driver } = run();
    drop("queues.create");
    const args = { clusterId: cluster.id, key: "q", dispatchPaused: true, dispatchPausedNote: "freeze" };
    const { outs } = await driver.create("Queue", args);
    expect(outs).toMatchObject({ dispatchPaused: true, dispatchPausedNote: "freeze" });
    expect(afterTheWrite()).toEqual(["queues.list", "queues.list", "queues.pauseDispatch"]);
  });

  test("that was not carried out, neither an equal object from before nor one of this run is named", async () => {
    const { driver } = run();
    const theirs = await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    const mine = await driver.create("Cluster", { name: "Linux" });
    service.emulator.fault({ operation: "clusters.create", times: 9, action: "drop" });
    const reason = await failure(driver.create("Cluster", { name: "Linux" }));
    expect(reason).toContain("The list of clusters does not have it.");
    expect(reason).not.toContain(String(theirs.id));
    expect(reason).not.toContain(mine.id);
  });

  test("of a default queue that was not carried out, another default is not taken for it", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const [queue, other] = [
      await service.driver.create("Queue", { clusterId: cluster.id, key: "small" }),
      await service.driver.create("Queue", { clusterId: cluster.id, key: "large" }),
    ];
    await service.colleague.sends("PUT", `/clusters/${cluster.id}`, { default_queue_id: other.id });
    const { driver } = run();
    service.emulator.fault({ operation: "clusters.update", times: 9, action: LOGIN_PAGE });
    const creation = driver.create("ClusterDefaultQueue", { clusterId: cluster.id, queueId: queue.id });
    expect(await failure(creation)).toContain("could not confirm whether the default queue was created");
  });

  test("with an unusable response, one look is enough that has the object", async () => {
    const { driver, pauses } = run();
    service.emulator.fault({ operation: "clusters.create", when: "after", action: LOGIN_PAGE });
    await driver.create("Cluster", { name: "Linux" });
    expect(pauses).toEqual([]);
    expect(afterTheWrite()).toEqual(["clusters.list"]);
    expect(driver.warnings).toEqual([]);
  });

  test("with an unusable response, a second look follows one that failed", async () => {
    const { driver, pauses } = run();
    const provider = await driver.kind("Cluster");
    const { inputs = {} } = await provider.check({}, { name: "Linux" });
    service.emulator.fault({ operation: "clusters.create", when: "after", action: LOGIN_PAGE });
    service.emulator.fault({ operation: "clusters.list", action: { status: 403, body: { message: "No" } } });
    const { id } = await provider.create(inputs);
    expect(await service.colleague.list("/clusters")).toMatchObject([{ id }]);
    expect(pauses).toEqual([2_000]);
  });

  test("with a lost response, a canceled wait changes nothing", async () => {
    const { driver } = run(() => Promise.reject(new Error("Canceled")));
    drop("clusters.create");
    const { id } = await driver.create("Cluster", { name: "Linux" });
    expect(await service.colleague.list("/clusters")).toMatchObject([{ id }]);
  });

  test("of a default queue with a lost response, one read is enough", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const queue = await service.driver.create("Queue", { clusterId: cluster.id, key: "small" });
    service.emulator.clearRequests();
    const { driver, pauses } = run();
    service.emulator.fault({ operation: "clusters.update", when: "after", action: LOGIN_PAGE });
    await driver.create("ClusterDefaultQueue", { clusterId: cluster.id, queueId: queue.id });
    expect(pauses).toEqual([]);
    expect(afterTheWrite()).toEqual(["clusters.get"]);
  });
});
