import { describe, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { Driver, failure, serviceForEach } from "./driver.js";

const service = serviceForEach();

const SCOPES = ["read_pipeline_templates", "write_pipeline_templates", "read_teams", "write_teams"];

/** A provider whose access token does not administer the organization. */
const asMember = () =>
  service.newRun({
    "buildpipeline:accessToken": service.emulator.createAccessToken({ scopes: SCOPES, admin: false }),
  });

/** What a read comes to: the object stays, with words about it, or the command fails with them. */
async function staysWithMessage(driver: Driver, kind: string, id: string, outs: Record<string, unknown>) {
  const provider = await driver.kind(kind);
  const message = await provider.read(id, outs).then(
    (read) => {
      expect(read.id).toBe(id);
      return driver.warnings.join("\n");
    },
    (error: unknown) => String(error),
  );
  expect(message).toContain(id);
  return message;
}

describe("an object that the access token may be unable to see is not forgotten", () => {
  test("an unavailable template", async () => {
    const made = await service.driver.create("PipelineTemplate", { name: "n", configuration: "steps: []" });
    const driver = asMember();
    await staysWithMessage(driver, "PipelineTemplate", made.id, made.outs);
    expect(await failure((await driver.kind("PipelineTemplate")).delete(made.id, made.outs))).toContain(
      made.id,
    );
    expect(service.emulator.organizationData.pipelineTemplates.size).toBe(1);
  });

  test("a secret team", async () => {
    const made = await service.driver.create("Team", { name: "t", privacy: "secret" });
    const hide = [
      { operation: "teams.get", times: 100, action: { status: 404 } },
      { operation: "teams.delete", times: 100, action: { status: 404 } },
      { operation: "teams.list", times: 100, action: { status: 200, body: "[]" } },
    ] as const;
    for (const rule of hide) service.emulator.fault(rule);
    const driver = asMember();
    await staysWithMessage(driver, "Team", made.id, made.outs);
    // The user asked for the deletion: the warning names what may still be there.
    await (await driver.kind("Team")).delete(made.id, made.outs);
    expect(driver.warnings.at(-1)).toContain(made.id);
  });

  test("while one that everybody sees is gone when the list lacks it", async () => {
    const template = await service.driver.create("PipelineTemplate", {
      name: "n",
      configuration: "steps: []",
      available: true,
    });
    const team = await service.driver.create("Team", { name: "t" });
    await service.colleague.sends("DELETE", `/pipeline-templates/${template.id}`);
    await service.colleague.sends("DELETE", `/teams/${team.id}`);
    const driver = asMember();
    expect((await (await driver.kind("PipelineTemplate")).read(template.id, template.outs)).id).toBe("");
    expect((await (await driver.kind("Team")).read(team.id, team.outs)).id).toBe("");
  });
});

describe("another service is no witness", () => {
  const kinds = {
    Cluster: { name: "Linux" },
    PipelineTemplate: { name: "n", configuration: "steps: []", available: true },
    Suite: { name: "s", defaultBranch: "main" },
    Queue: { key: "q" },
    AgentToken: { description: "farm" },
  } as const;

  test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
    "to the absence of a %s: reading and deleting fail and name both",
    async (kind) => {
      const cluster = await service.driver.create("Cluster", { name: "Around" });
      const where = kind === "Queue" || kind === "AgentToken" ? { clusterId: cluster.id } : {};
      const { id, outs } = await service.driver.create(kind, { ...kinds[kind], ...where });
      const other = await startEmulator({ seed: false });
      try {
        const provider = await Driver.for(other).kind(kind);
        for (const attempt of ["read", "delete"] as const) {
          const message = await failure(provider[attempt](id, outs));
          expect(message).toContain(other.url);
          expect(message).toContain(new URL(service.emulator.url).origin);
        }
      } finally {
        await other.close();
      }
    },
  );

  test("but the same service under another address is", async () => {
    const { id, outs } = await service.driver.create("Cluster", { name: "Linux" });
    const gone = await service.driver.create("Cluster", { name: "Gone" });
    const snapshot = service.emulator.snapshot();
    const moved = await startEmulator({ seed: false });
    try {
      moved.restore(snapshot);
      const provider = await Driver.for(moved, {
        "buildpipeline:accessToken": service.emulator.accessToken,
      }).kind("Cluster");
      expect((await provider.read(id, outs)).id).toBe(id);
      await provider.delete(gone.id, gone.outs);
      expect(moved.organizationData.clusters.list().map((cluster) => cluster.id)).toEqual([id]);
    } finally {
      await moved.close();
    }
  });
});
