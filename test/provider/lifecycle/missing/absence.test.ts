import { describe, expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../../../src/emulator/index.js";
import { Driver, failure, type Made, minimal, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

async function everything(): Promise<Made[]> {
  const cluster = await service.driver.create("Cluster", { name: "Linux" });
  const queue = await service.driver.create("Queue", { clusterId: cluster.id, key: "q" });
  const made = [cluster, queue];
  for (const [kind, args] of Object.entries(minimal(cluster.id, queue.id)))
    if (kind !== "Cluster" && kind !== "Queue") made.push(await service.driver.create(kind, args));
  return made;
}

const withoutScopes = () => service.emulator.createAccessToken({ scopes: [] });

describe("nothing is forgotten because the service cannot be asked", () => {
  test("a revoked access token", async () => {
    const objects = await everything();
    const other = service.newRun({ "buildpipeline:accessToken": "revoked" });
    for (const made of objects) {
      expect(await failure(other.read(made)), `reading ${made.kind}`).toMatch(/401/);
      expect(await failure(other.delete(made)), `deleting ${made.kind}`).toMatch(/401/);
    }
  });

  test("an access token without scopes: a refresh keeps everything, says so once for each kind, and goes on", async () => {
    const objects = await everything();
    const other = service.newRun({ "buildpipeline:accessToken": withoutScopes() });
    for (const made of [...objects, ...objects]) {
      const { id, inputs } = await other.read(made);
      expect({ id, inputs }, `reading ${made.kind}`).toMatchObject({
        id: made.id,
        inputs: made.outs.name ? { name: made.outs.name } : {},
      });
    }
    const kinds = new Set(objects.map(({ kind }) => kind));
    expect(other.warnings).toHaveLength(kinds.size);
    for (const kind of kinds)
      expect(other.warnings.join("\n")).toContain(`${kind}: the API doesn't let this access token`);
    for (const made of objects)
      expect(await failure(other.delete(made)), `deleting ${made.kind}`).toMatch(/403/);
  });

  test("a list for `X.get`, of which nothing is in state", async () => {
    service.emulator.fault({ operation: "teams.list", times: 9, action: { status: 403, body: {} } });
    const id = "0d7a5f4e-1b2c-4d3e-8f90-a1b2c3d4e5f6";
    const message = await failure(service.driver.read({ kind: "Team", id, outs: {} }));
    expect(message).toContain(`doesn't return the team ${id}`);
    expect(message).toContain("its lists can't be read");
    expect(message).not.toMatch(/deletion|state/);
  });

  test("an organization that is not there", async () => {
    for (const made of await everything()) {
      const elsewhere = { ...made, outs: { ...made.outs, organization: "acne" } };
      expect(await failure(service.driver.read(elsewhere)), made.kind).toContain('"acne"');
      expect(await failure(service.driver.delete(elsewhere)), made.kind).toContain('"acne"');
    }
  });

  test("lists without what lives in a cluster that is still there", async () => {
    const [, ...others] = await everything();
    const missing = { method: "GET", times: 9, action: { status: 404, body: {} } };
    const inside = others.filter(({ kind }) => ["Queue", "AgentToken"].includes(kind));
    // A program may write a UUID in capital letters.
    const shouted = inside.map((made) => {
      const clusterId = String(made.outs.clusterId).toUpperCase();
      return { ...made, outs: { ...made.outs, clusterId } };
    });
    for (const made of [...inside, ...shouted]) {
      const fault = service.emulator.fault({ ...missing, path: /queues|tokens/ });
      expect(await failure(service.newRun().read(made)), made.kind).toContain("its lists can't be read");
      const refused = { operation: "clusters.list", action: { status: 403, body: {} } };
      const second = service.emulator.fault({ ...refused, times: 9 });
      expect(await failure(service.newRun().read(made)), made.kind).toContain("its lists can't be read");
      fault.remove();
      second.remove();
    }
  });

  test("another service, which lacks all of them: both are named", async () => {
    const other = await startEmulator({ seed: false });
    onTestFinished(() => other.close());
    const available = { name: "a", configuration: "steps: []", available: true };
    const hidden = [
      await service.driver.create("Team", { name: "h", privacy: "secret" }),
      await service.driver.create("PipelineTemplate", available),
    ];
    for (const made of [...(await everything()), ...hidden]) {
      for (const attempt of ["read", "delete"] as const) {
        const message = await failure(Driver.for(other)[attempt](made));
        expect(message, made.kind).toContain(new URL(other.url).origin);
        expect(message, made.kind).toContain(new URL(service.emulator.url).origin);
      }
    }
  });

  test("a list that answers and still has the object", async () => {
    const made = await service.driver.create("Team", { name: "t" });
    service.emulator.fault({ operation: "teams.get", action: { status: 404, body: {} } });
    expect((await service.driver.read(made)).id).toBe(made.id);
  });
});

describe("what is really gone is gone", () => {
  test("a cluster deleted by hand takes its queues and tokens along", async () => {
    const objects = await everything();
    await service.colleague.sends("DELETE", `/clusters/${objects[0]?.id}`);
    for (const made of objects) {
      const inCluster = ["Cluster", "Queue", "AgentToken", "ClusterDefaultQueue", "ClusterSecret"].includes(
        made.kind,
      );
      expect((await service.driver.read(made)).id, made.kind).toBe(inCluster ? "" : made.id);
      if (inCluster) await service.driver.delete(made);
    }
  });

  test("for a token without an administrator's rights, too, where everybody sees it", async () => {
    const scopes = ["read_pipeline_templates", "read_teams"];
    const accessToken = service.emulator.createAccessToken({ scopes, admin: false });
    const run = service.newRun({ "buildpipeline:accessToken": accessToken });
    const template = { name: "n", configuration: "steps: []", available: true };
    for (const [kind, path, args] of [
      ["PipelineTemplate", "pipeline-templates", template],
      ["Team", "teams", { name: "t" }],
    ] as const) {
      const made = await service.driver.create(kind, args);
      await service.colleague.sends("DELETE", `/${path}/${made.id}`);
      expect((await run.read(made)).id, kind).toBe("");
    }
  });
});
