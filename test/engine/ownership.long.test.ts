import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("What a stack owns, %s backend", (backend) => {
  const { AgentToken, Cluster, Queue } = classesOf[backend];
  const stack = TestStack.forAll();

  const program =
    (queue: string, options: { import?: string } = {}) =>
    async () => {
      const linux = new Cluster("linux", { name: "Linux" });
      new Queue(queue, { clusterId: linux, key: "small" }, options);
      new AgentToken("farm", { clusterId: linux, description: "farm" });
    };

  test("a rename without an alias is refused, and with the import that the error names it keeps the queue", async () => {
    await stack.up(program("old"));
    const { linux, old } = await stack.state();
    const message = await stack.refused(stack.up(program("new")));
    expect(message).toContain("aliases");
    expect(message).toContain(`import: "${linux?.id}/${old?.id}"`);
    stack.requests();
    const { output } = await stack.up(program("new", { import: `${linux?.id}/${old?.id}` }));
    expect(stack.writes()).toEqual([]);
    expect(output).toContain(`nothing was sent for the queue ${old?.id}`);
    expect(output).toContain("aliases");
    expect((await stack.state()).new?.id).toBe(old?.id);
    if (backend === "dynamic") {
      // While the option is set, the queue counts as one of others, and its cluster can't be deleted.
      expect(await stack.refused(stack.destroy())).toContain(`queue "small" (${old?.id}`);
      await stack.up(program("new", { import: `${linux?.id}/${old?.id}` }));
    }
    await stack.up(program("new"));
    await stack.preview(undefined, { expectNoChanges: true });
  });

  test("a destroy deletes what is the stack's, and not a cluster that holds a colleague's token", async () => {
    const { linux } = await stack.state();
    await stack.colleague.sends("POST", `/clusters/${linux?.id}/tokens`, { description: "laptop" });
    const message = await stack.refused(stack.destroy());
    expect(message).toContain('agent token "laptop"');
    expect(message).toContain("forceDestroy");
    expect(Object.keys(await stack.state())).toEqual(["linux"]);
  });

  test("forceDestroy is an update that sends nothing, and lets the cluster go", async () => {
    await stack.up(async () => {
      new Cluster("linux", { name: "Linux" });
    });
    stack.requests();
    const { steps } = await stack.up(async () => {
      new Cluster("linux", { name: "Linux", forceDestroy: true });
    });
    expect(steps.linux).toEqual(["update"]);
    expect(stack.writes()).toEqual([]);
    await stack.destroy();
    expect(await stack.state()).toEqual({});
    expect(await stack.colleague.list("/clusters")).toEqual([]);
  });
});
