import { describe, expect, test } from "vitest";
import { backends } from "./backends.js";
import { KillableProject, kill, until } from "./killable-project.js";
import { isAlive } from "./processes.js";

describe.each(backends)(
  "An engine that is killed while its provider waits for the request limit, %s backend",
  (backend) => {
    const killable = KillableProject.forEach(backend);

    test("takes the provider with it, so that nothing is created alongside the next run", async () => {
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
      expect(killable.hits("clusters.create")).toBe(1);
      expect(providers.filter(({ pid }) => isAlive(pid))).toEqual([]);

      await project.pulumi("cancel", "--yes");
      await project.pulumi("up", "--yes", "--skip-preview");
      expect((await project.inventory())["/clusters"]).toEqual(["Linux"]);
    });
  },
);
