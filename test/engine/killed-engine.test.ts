import { expect, test, vi } from "vitest";
import type { FaultRule } from "../../src/emulator/index.js";
import { someOf } from "../support/cases.js";
import { backendsOr } from "./backends.js";
import { KillableProject, kill } from "./killable-project.js";
import { isAlive } from "./processes.js";

/** What a provider waits for when its engine is killed, each longer than anything takes here. */
const WAITS: readonly (Pick<FaultRule, "action" | "times"> & { readonly wait: string })[] = [
  { wait: "the rate limit", action: { rateLimited: { scope: "user", resetSeconds: 60 } } },
  { wait: "a response", action: "hang" },
  { wait: "another request to end", times: 50, action: { status: 423, body: { message: "Locked" } } },
];

const rows = backendsOr("dynamic").flatMap((backend) => someOf(WAITS).map((one) => ({ backend, ...one })));

test.concurrent.each(rows)(
  "A provider that waits for $wait ends after its engine was killed, $backend backend",
  async ({ backend, wait: _, ...rule }) => {
    const killable = await KillableProject.start(backend);
    const { project } = killable;
    killable.program('new Cluster("linux", { name: "Linux" });');
    const fault = project.emulator.fault({ operation: "clusters.create", ...rule });
    const engine = await killable.upUntil("clusters.create");
    const providers = killable.providers(engine);
    expect(providers).not.toEqual([]);

    await kill(engine.pid);
    const hits = killable.hits("clusters.create");
    await vi.waitUntil(() => !providers.some(({ pid }) => isAlive(pid)), { timeout: 120_000, interval: 20 });
    await engine.ended;
    // Nothing is created alongside the next run.
    expect(killable.hits("clusters.create")).toBe(hits);

    fault.remove();
    await project.pulumi("cancel", "--yes");
    await project.up();
    expect((await project.inventory())["/clusters"]).toEqual(["Linux"]);
  },
);
