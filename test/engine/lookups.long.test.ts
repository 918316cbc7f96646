import { describe, expect, test } from "vitest";
import { Cluster, getClusterOutput, getQueuesOutput, Provider, Queue, Team } from "../../src/index.js";
import { type EngineOutcome, TestStack } from "./stack.js";

describe("Lookups of what the deployment changes", () => {
  const stack = TestStack.forAll();

  /** One object for each thing that depends on a lookup. */
  const program = (name: string, description: string) => async () => {
    const { url, accessToken, organization } = stack.emulator;
    const options = { provider: new Provider("emulator", { baseUrl: url, accessToken, organization }) };
    const linux = new Cluster("linux", { name }, options);
    const fast = new Queue("fast", { clusterId: linux, key: "fast", description }, options);
    const byId = getClusterOutput({ id: linux.id }, options);
    const byName = getClusterOutput({ name: linux.name }, options);
    const onTheWay = getQueuesOutput({ clusterId: linux.id }, options);
    const waiting = getQueuesOutput({ clusterId: linux.id }, { ...options, dependsOn: fast });
    new Team("by-id", { name: "By id", description: byId.name }, options);
    new Team("by-name", { name: "By name", description: byName.name }, options);
    new Team("on-the-way", { name: "On the way", description: onTheWay.clusterId }, options);
    const descriptions = waiting.queues.apply((queues) => queues.map((queue) => queue.description).join());
    new Team("waiting", { name: "Waiting", description: descriptions }, options);
    // Made from an output that stays when the cluster is updated, which Pulumi cannot know in a preview.
    new Team("stays", { name: "Stays", description: linux.createdAt }, options);
  };
  const teams = ({ steps }: EngineOutcome) =>
    Object.fromEntries(Object.entries(steps).filter(([name]) => /^(by-|on-|waiting)/.test(name)));

  test("nothing changes: everything is known at preview", async () => {
    await stack.up(program("Linux", "Fast"));

    await stack.preview(program("Linux", "Fast"), { expectNoChanges: true });
  });

  test("a cluster is renamed: the preview shows what depends on a lookup of it, and nothing else, and so it comes", async () => {
    const shown = await stack.preview(program("Windows", "Fast"));
    const done = await stack.up(program("Windows", "Fast"));

    expect(teams(shown)).toEqual({
      "by-id": ["update"],
      "by-name": ["update"],
      "on-the-way": ["same"],
      waiting: ["same"],
    });
    expect(shown.steps.stays).toEqual(["update"]);
    expect(done.steps).toEqual({ ...shown.steps, stays: ["same"] });
    expect((await stack.state())["by-id"]?.outputs.description).toBe("Windows");
    await stack.preview(program("Windows", "Fast"), { expectNoChanges: true });
  });

  test("a queue that a lookup waits for gets another description: the same", async () => {
    const shown = await stack.preview(program("Windows", "Faster"));
    const done = await stack.up(program("Windows", "Faster"));

    expect(teams(shown)).toEqual({
      "by-id": ["same"],
      "by-name": ["same"],
      "on-the-way": ["same"],
      waiting: ["update"],
    });
    expect(done.steps).toEqual(shown.steps);
    expect((await stack.state()).waiting?.outputs.description).toBe("Faster");
    await stack.preview(program("Windows", "Faster"), { expectNoChanges: true });
  });
});
