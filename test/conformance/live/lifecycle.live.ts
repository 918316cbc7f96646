import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BuildPipelineClient } from "../../../src/client/index.js";
import { backends, classesOf } from "../../engine/backends.js";
import { TestStack } from "../../engine/stack.js";

const { BUILDPIPELINE_BASE_URL, BUILDPIPELINE_ACCESS_TOKEN, BUILDPIPELINE_ORGANIZATION } = process.env;
const isConfigured = [BUILDPIPELINE_BASE_URL, BUILDPIPELINE_ACCESS_TOKEN, BUILDPIPELINE_ORGANIZATION].every(
  Boolean,
);
if (!isConfigured)
  console.warn("Skipped: `npm test -- live` needs the three BUILDPIPELINE_… variables of a live service.");
/** Pipeline templates need an Enterprise plan. */
const hasTemplates = process.env.LIVE_WITHOUT_TEMPLATES !== "true";

describe.skipIf(!isConfigured).each(backends)("On a live service, %s backend", (backend) => {
  const { AgentToken, Cluster, ClusterDefaultQueue, PipelineTemplate, Queue, Suite, Team } =
    classesOf[backend];
  // Every object has this name, so that people see where it comes from.
  const mark = `buildpipeline-live-${randomBytes(6).toString("hex")}`;
  const env = { BUILDPIPELINE_BASE_URL, BUILDPIPELINE_ACCESS_TOKEN, BUILDPIPELINE_ORGANIZATION };
  let stack: TestStack;
  let client: BuildPipelineClient;
  beforeAll(async () => {
    stack = await TestStack.start();
    client = new BuildPipelineClient();
  });
  afterAll(async () => {
    await stack.destroy({ env });
    await client.close();
  });

  const program = (description: string, imported?: string) => async () => {
    const cluster = new Cluster("cluster", { name: mark, description });
    const queue = new Queue("queue", { clusterId: cluster, key: "live", description });
    new ClusterDefaultQueue("default", { clusterId: cluster, queueId: queue.id });
    new AgentToken("token", { clusterId: cluster, description: `${mark} ${description}` });
    if (hasTemplates)
      new PipelineTemplate("template", { name: mark, configuration: "steps: []\n", description });
    const team = new Team("team", { name: mark, description, privacy: "secret" });
    new Suite("suite", {
      name: mark,
      defaultBranch: "main",
      teamIds: [team.id],
      applicationName: description,
    });
    if (imported !== undefined)
      new Queue("imported", { clusterId: cluster, key: "imported" }, { import: imported });
  };
  const clusterId = async () => (await stack.state()).cluster?.id ?? "";

  test("each type is created, then unchanged, updated, and unchanged after a refresh", async () => {
    await stack.up(program("first"), { env });
    await stack.preview(undefined, { env, expectNoChanges: true });
    await stack.up(program("second"), { env });
    await stack.refresh({ env, expectNoChanges: true });
    await stack.preview(undefined, { env, expectNoChanges: true });
  });

  test("drift is seen by a refresh and undone", async () => {
    const id = await clusterId();
    await client.clusters.update(id, { description: "out of band" });
    await stack.refresh({ env });
    expect((await stack.up(program("second"), { env })).steps.cluster).toEqual(["update"]);
    expect((await client.clusters.get(id)).description).toBe("second");
  });

  test("a queue is imported without a change", async () => {
    const id = await clusterId();
    const queue = await client.queues.create(id, { key: "imported" });
    await stack.up(program("second", `${id}/${queue.id}`), { env });
    expect((await stack.state()).imported?.id).toBe(queue.id);
    if (backend === "dynamic") {
      // An object that still has the option is never deleted, so the option goes before the destroy.
      const declared = program("second");
      await stack.up(
        async () => {
          await declared();
          new Queue("imported", { clusterId: id, key: "imported" });
        },
        { env },
      );
    }
  });

  test("a destroy deletes everything", async () => {
    await stack.destroy({ env });
    expect(await stack.state()).toEqual({});
    const clusters = await client.clusters.list().all();
    const teams = await client.teams.list().all();
    const suites = await client.suites.list().all();
    expect([...clusters, ...teams, ...suites].filter(({ name }) => name === mark)).toEqual([]);
  });
});
