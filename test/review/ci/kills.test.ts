import { writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { cases } from "../../support/cases.js";
import { diagnostic, repository, repositoryForEach, stateOf } from "./repository.js";

/** As many kills; `KILLS=200` takes some minutes. */
const KILLS = Number(process.env.KILLS ?? cases(10));
const SIGNALS = ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"] as const;
/** A call of Pulumi, or a request to the API by its number: each deployment sends one more. */
const MOMENTS = ["stack export", 1, 2, 3, 4, 5, 6, 7, 8, "up"] as const;

repositoryForEach();

/** A number from 0 up to a bound, of a seed. */
function random(seed: number, below: number): number {
  const mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % below;
}

test.each(Array.from({ length: KILLS }, (_, seed) => seed))(
  "Kill %i of a deployment that deletes a queue leaves no pause of its own, no other's resumed, and deploys no stale plan",
  async (seed) => {
    const signal = SIGNALS[random(seed, SIGNALS.length)] ?? "SIGKILL";
    const moment = MOMENTS[seed % MOMENTS.length] ?? "up";
    const isOperators = random(seed + 1_000, 3) === 0;
    const { cluster, queue, scenario } = await repository.queueToDelete();
    const { client } = repository;
    if (isOperators) await client.queues.pauseDispatch(cluster.id, queue.id, { note: "Incident" });
    repository.plays(scenario);
    await repository.ci("preview --stack production");
    const up = { code: 1, stdout: diagnostic("error", "422") };
    const waits = { [moment]: { ...scenario[moment], waits: true } };
    repository.plays({ ...scenario, up, ...(typeof moment === "string" && waits) });
    repository.forgetCalls();

    const { child, ended } = repository.start("deploy --stack production");
    let hasFailed = false;
    const kill = () => process.kill(-(child.pid ?? 0), signal);
    if (typeof moment === "string") {
      const pulumi = await repository.waiting();
      kill();
      writeFileSync(repository.scratch.path("go"), "");
      // Pulumi outlives a command that is killed.
      await vi.waitFor(() => expect(() => process.kill(pulumi, 0)).toThrow("ESRCH"), 120_000);
    } else {
      let requests = 0;
      repository.emulator.onRequest(() => {
        requests += 1;
        if (requests !== moment) return;
        // Only what resumes queues sends a request after Pulumi.
        hasFailed = repository.calls().some((line) => line.includes(": up"));
        kill();
      });
    }
    expect((await ended).code).toBe(signal === "SIGKILL" ? null : hasFailed ? 2 : 130);

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
