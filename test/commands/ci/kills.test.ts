import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { diagnostic, repository, repositoryForEach, stateOf } from "./repository.js";

/** As many kills; `KILLS=200` takes some minutes. */
const KILLS = Number(process.env.KILLS ?? 9);
const SIGNALS = ["SIGKILL", "SIGTERM", "SIGINT"] as const;

repositoryForEach();

/** A number from 0 up to a bound, of a seed. */
function random(seed: number, below: number): number {
  const mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % below;
}

test.each(Array.from({ length: KILLS }, (_, seed) => seed))(
  "Kill %i of a deployment that deletes a queue leaves no pause of its own, no other's resumed, and deploys no stale plan",
  async (seed) => {
    const signal = SIGNALS[seed % SIGNALS.length] ?? "SIGKILL";
    const isOperators = random(seed + 1_000, 3) === 0;
    const { cluster, queue, scenario } = await repository.queueToDelete();
    const { client } = repository;
    if (isOperators) await client.queues.pauseDispatch(cluster.id, queue.id, { note: "Incident" });
    repository.plays(scenario);
    await repository.ci("preview --stack production");
    repository.plays({ ...scenario, up: { code: 1, stdout: diagnostic("error", "422") } });
    repository.forgetCalls();
    repository.emulator.clearRequests();

    // Each event of the deployment is as likely as another: a request to the API, or a call of Pulumi.
    const after = 1 + random(seed, 13);
    const { child, ended } = repository.start("deploy --stack production");
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    const events = () => repository.emulator.requests.length + repository.calls().length;
    while (!isOver && events() < after) await setTimeout(3);
    if (!isOver) process.kill(-(child.pid ?? 0), signal);
    await ended;

    const now = () => client.queues.get(cluster.id, queue.id);
    if (signal !== "SIGKILL") expect((await now()).dispatch_paused).toBe(isOperators);
    // Somebody else deployed meanwhile: the plan is stale. The next deployment resumes what the killed one left.
    repository.plays({ ...scenario, "stack export": { stdout: stateOf("2027-02-02T00:00:00Z") } });
    repository.forgetCalls();
    expect((await repository.ci("deploy --stack production")).code).toBe(5);
    expect(repository.calls().filter((line) => line.includes(": up"))).toEqual([]);
    const last = await now();
    expect(last.dispatch_paused).toBe(isOperators);
    if (isOperators) expect(last.dispatch_paused_note).toBe("Incident");
    await client.close();
  },
);
