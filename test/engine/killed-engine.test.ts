import { expect, test } from "vitest";
import { backendsOr } from "./backends.js";
import { KillableProject, kill, until } from "./killable-project.js";
import { isAlive } from "./processes.js";

test.concurrent.each(backendsOr("dynamic"))(
  "An engine that is killed while its provider waits for the request limit takes the provider with it, %s backend",
  async (backend) => {
    const killable = await KillableProject.start(backend);
    const { project } = killable;
    killable.program('new Cluster("linux", { name: "Linux" });');
    // Longer than anything takes here, so that the provider still waits when its engine is gone.
    const rateLimited = { scope: "user", resetSeconds: 60 } as const;
    project.emulator.fault({ operation: "clusters.create", action: { rateLimited } });
    const engine = await killable.upUntil("clusters.create");
    const providers = killable.providers(engine);
    expect(providers).not.toEqual([]);

    await kill(engine.pid);
    await engine.ended;
    await until(() => !providers.some(({ pid }) => isAlive(pid)) || killable.hits("clusters.create") > 1);
    // Nothing is created alongside the next run.
    expect(killable.hits("clusters.create")).toBe(1);
    expect(providers.filter(({ pid }) => isAlive(pid))).toEqual([]);

    await project.pulumi("cancel", "--yes");
    await project.up();
    expect((await project.inventory())["/clusters"]).toEqual(["Linux"]);
  },
);
