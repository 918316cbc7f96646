import { describe, expect, test } from "vitest";
import { backends } from "./backends.js";
import { KillableProject } from "./killable-project.js";

/** The way without `recover`, which recover.long.test.ts plays: Pulumi's own commands, in their order. */
const [preview, up] = ["pulumi preview", "pulumi up"];
const [clear, confirm] = ["pulumi refresh --clear-pending-creates", "pulumi up --expect-no-changes"];
const WITHOUT_QUESTIONS = "--yes --skip-preview";

describe.each(backends)(
  "After engine and provider were killed while an object was created, %s backend",
  (backend) => {
    const killable = KillableProject.forEach(backend);

    const CLUSTER = 'const linux = new Cluster("linux", { name: "Linux" });';

    test("a queue is brought in by the import that the preview names", async () => {
      killable.program(CLUSTER, 'new Queue("queue", { clusterId: linux, key: "large" });');
      await killable.killedAt("queues.create");
      const [queue] = killable.project.emulator.organizationData.queues.list();
      // The preview fails, and says how to go on.
      const previewed = await killable.project.shell(`! ${preview}`);
      expect(previewed).toContain(`/${queue?.id}`);
      const [, form] = /import: "([^"]+)"/.exec(previewed) ?? [];

      killable.program(
        CLUSTER,
        `new Queue("queue", { clusterId: linux, key: "large" }, { import: "${form}" });`,
      );
      await repaired();
      expect(killable.project.emulator.organizationData.queues.list().map(({ id }) => id)).toEqual([
        queue?.id,
      ]);
    });

    test("an agent token whose secret nobody has: the preview says so, and a deployment replaces it", async () => {
      killable.program(CLUSTER, 'new AgentToken("token", { clusterId: linux, description: "farm" });');
      await killable.killedAt("agentTokens.create");
      const [orphan] = killable.project.emulator.organizationData.agentTokens.list();
      const previewed = await killable.project.shell(`${preview}`);
      expect(previewed).toMatch(new RegExp(`warning:[^\\n]*${orphan?.id}`));

      // The secret went with the answer: the orphan is revoked by hand, and the next run makes another.
      await killable.project.colleague.sends(
        "DELETE",
        `/clusters/${orphan?.cluster_id}/tokens/${orphan?.id}`,
      );
      await repaired();
      const [token, ...others] = killable.project.emulator.organizationData.agentTokens.list();
      expect(others).toEqual([]);
      expect(token?.id).not.toBe(orphan?.id);
    });

    test("a cluster is in the preview's message, and the import of that message brings it in", async () => {
      killable.program(CLUSTER);
      await killable.killedAt("clusters.create");
      const [cluster] = killable.project.emulator.organizationData.clusters.list();
      const previewed = await killable.project.shell(`${preview}`);
      expect(previewed).toMatch(new RegExp(`warning:[^\\n]*${cluster?.id}`));
      const [, form] = /import: "([^"]+)"/.exec(previewed) ?? [];

      killable.program(`new Cluster("linux", { name: "Linux" }, { import: "${form}" });`);
      await repaired();
      expect(killable.project.emulator.organizationData.clusters.list().map(({ id }) => id)).toEqual([
        cluster?.id,
      ]);
    });

    /** The last steps: an update, in which Pulumi still warns of the interrupted creation, and the end of the warning. */
    async function repaired(): Promise<void> {
      expect(await killable.project.shell(`${up} ${WITHOUT_QUESTIONS}`)).toMatch(
        /warning:.* pending operations/,
      );
      await killable.project.shell(`${clear} ${WITHOUT_QUESTIONS}`);
      const quiet = await killable.project.shell(`${confirm} ${WITHOUT_QUESTIONS}`);
      expect(quiet).not.toMatch(/warning:/);
    }
  },
);
