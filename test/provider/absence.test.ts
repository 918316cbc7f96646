import { describe, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { Driver, failure, serviceForEach } from "./driver.js";

const service = serviceForEach();

/** One of each kind that can vanish, and what to create for it. */
async function everything(): Promise<{ kind: string; id: string; outs: Record<string, unknown> }[]> {
  const cluster = await service.driver.create("Cluster", { name: "Linux" });
  const queue = await service.driver.create("Queue", { clusterId: cluster.id, key: "q" });
  const made = [
    { kind: "Cluster", ...cluster },
    { kind: "Queue", ...queue },
    {
      kind: "AgentToken",
      ...(await service.driver.create("AgentToken", { clusterId: cluster.id, description: "d" })),
    },
    {
      kind: "ClusterDefaultQueue",
      ...(await service.driver.create("ClusterDefaultQueue", { clusterId: cluster.id, queueId: queue.id })),
    },
    {
      kind: "PipelineTemplate",
      ...(await service.driver.create("PipelineTemplate", { name: "n", configuration: "steps: []" })),
    },
    { kind: "Team", ...(await service.driver.create("Team", { name: "t" })) },
    { kind: "Suite", ...(await service.driver.create("Suite", { name: "s", defaultBranch: "main" })) },
  ];
  return made.map(({ kind, id, outs }) => ({ kind, id, outs }));
}

describe("nothing is forgotten because the service cannot be asked", () => {
  test.each([
    ["a revoked access token", () => ({ "buildpipeline:accessToken": "revoked" }), /401/],
    [
      "an access token without scopes",
      () => ({ "buildpipeline:accessToken": service.emulator.createAccessToken({ scopes: [] }) }),
      /403/,
    ],
  ])("%s", async (_, config, expected) => {
    const objects = await everything();
    const other = service.newRun(config());
    for (const { kind, id, outs } of objects) {
      const provider = await other.kind(kind);
      expect(await failure(provider.read(id, outs)), `reading ${kind}`).toMatch(expected);
      expect(await failure(provider.delete(id, outs)), `deleting ${kind}`).toMatch(expected);
    }
  });

  test("an organization that is not there", async () => {
    for (const { kind, id, outs } of await everything()) {
      const provider = await service.driver.kind(kind);
      const elsewhere = { ...outs, organization: "acne" };
      const message = await failure(provider.read(id, elsewhere));
      expect(message, kind).toContain('"acne"');
      expect(await failure(provider.delete(id, elsewhere)), kind).toContain('"acne"');
    }
  });

  test("lists without what lives in a cluster that is still there", async () => {
    for (const { kind, id, outs } of await everything()) {
      if (!["Queue", "AgentToken"].includes(kind)) continue;
      const missing = { method: "GET", times: 9, action: { status: 404, body: {} } };
      const fault = service.emulator.fault({ ...missing, path: /queues|tokens/ });
      const provider = await service.newRun().kind(kind);
      expect(await failure(provider.read(id, outs)), kind).toContain("its lists can't be read");
      fault.remove();
    }
  });

  test("lists of both that are refused", async () => {
    const { kind, id, outs } = (await everything())[1] ?? { kind: "", id: "", outs: {} };
    service.emulator.fault({ method: "GET", path: /queues/, times: 9, action: { status: 404, body: {} } });
    service.emulator.fault({ operation: "clusters.list", times: 9, action: { status: 403, body: {} } });
    const provider = await service.newRun().kind(kind);
    expect(await failure(provider.read(id, outs))).toContain("its lists can't be read");
  });

  test("another service, which lacks all of them: both are named", async () => {
    const other = await startEmulator({ seed: false });
    try {
      const hidden = [
        { kind: "Team", ...(await service.driver.create("Team", { name: "h", privacy: "secret" })) },
        {
          kind: "PipelineTemplate",
          ...(await service.driver.create("PipelineTemplate", {
            name: "a",
            configuration: "steps: []",
            available: true,
          })),
        },
      ];
      for (const { kind, id, outs } of [...(await everything()), ...hidden]) {
        const provider = await Driver.for(other).kind(kind);
        for (const attempt of ["read", "delete"] as const) {
          const message = await failure(provider[attempt](id, outs));
          expect(message, kind).toContain(new URL(other.url).origin);
          expect(message, kind).toContain(new URL(service.emulator.url).origin);
        }
      }
    } finally {
      await other.close();
    }
  });

  test("a list that answers and still has the object", async () => {
    const { id, outs } = await service.driver.create("Team", { name: "t" });
    service.emulator.fault({
      method: "GET",
      path: new RegExp(`/teams/${id}$`),
      action: { status: 404, body: {} },
    });
    const provider = await service.driver.kind("Team");
    expect((await provider.read(id, outs)).id).toBe(id);
  });
});

describe("what is really gone is gone", () => {
  test("a cluster deleted by hand takes its queues and tokens along", async () => {
    const objects = await everything();
    const cluster = objects.find(({ kind }) => kind === "Cluster");
    await service.colleague.sends("DELETE", `/clusters/${cluster?.id}`);
    for (const { kind, id, outs } of objects) {
      const inCluster = ["Cluster", "Queue", "AgentToken", "ClusterDefaultQueue"].includes(kind);
      const provider = await service.driver.kind(kind);
      expect((await provider.read(id, outs)).id, kind).toBe(inCluster ? "" : id);
      if (inCluster) await provider.delete(id, outs);
    }
  });

  test("for a token without an administrator's rights, too, where everybody sees it", async () => {
    const accessToken = service.emulator.createAccessToken({
      scopes: ["read_pipeline_templates", "read_teams"],
      admin: false,
    });
    const run = service.newRun({ "buildpipeline:accessToken": accessToken });
    const template = { name: "n", configuration: "steps: []", available: true };
    for (const [kind, path, args] of [
      ["PipelineTemplate", "pipeline-templates", template],
      ["Team", "teams", { name: "t" }],
    ] as const) {
      const { id, outs } = await service.driver.create(kind, args);
      await service.colleague.sends("DELETE", `/${path}/${id}`);
      expect((await (await run.kind(kind)).read(id, outs)).id, kind).toBe("");
    }
  });

  test("one proof serves all objects of a list", async () => {
    const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
    const queues = [];
    for (const key of ["a", "b", "c"]) queues.push(await service.driver.create("Queue", { clusterId, key }));
    for (const { id } of queues) {
      await service.colleague.sends("DELETE", `/clusters/${clusterId}/queues/${id}`);
    }
    service.emulator.clearRequests();
    const provider = await service.driver.kind("Queue");
    const found = await Promise.all(queues.map(({ id, outs }) => provider.read(id, outs)));
    expect(found.map(({ id }) => id)).toEqual(["", "", ""]);
    expect(service.emulator.requests.filter(({ path }) => path.endsWith("/queues"))).toHaveLength(1);
  });

  test("for X.get a missing object is an error", async () => {
    const provider = await service.driver.kind("Team");
    const gone = "00000000-0000-4000-8000-000000000000";
    expect(await failure(provider.read(gone, {}))).toContain("Team.get");
  });
});
