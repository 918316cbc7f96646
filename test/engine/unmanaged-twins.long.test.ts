import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("A preview that creates what has an unmanaged twin, %s backend", (backend) => {
  const { AgentToken, Cluster, PipelineTemplate, Queue, Suite } = classesOf[backend];
  const stack = TestStack.forEach();

  const program = async () => {
    const linux = new Cluster("linux", { name: "Linux" });
    new AgentToken("token", { clusterId: linux, description: "farm" });
    new PipelineTemplate("template", { name: "Node", configuration: "steps: []" });
    new Suite("suite", { name: "Unit", defaultBranch: "main" });
  };

  test("warns with its id, age and creator, and the update goes on", async () => {
    const { colleague } = stack;
    const cluster = await colleague.sends("POST", "/clusters", { name: "Linux" });
    const body = { name: "Node", configuration: "steps: []" };
    const template = await colleague.sends("POST", "/pipeline-templates", body);
    const suite = await colleague.sends("POST", "/suites", { name: "Unit", default_branch: "main" });
    const { output } = await stack.preview(program);
    for (const id of [cluster.id, template.uuid, suite.id]) {
      expect(output, String(id)).toMatch(new RegExp(`warning:[^\\n]*${id}`));
    }
    for (const id of [cluster.id, template.uuid]) {
      const [line] = new RegExp(`warning:[^\\n]*${id}[^\\n]*`).exec(output) ?? [];
      expect(line).toContain("Ada Archer");
      expect(line).toMatch(/\d+ (second|minute)s? (ago|old)|just now|less than a minute/);
    }
    await stack.up(program);
    expect(await colleague.list("/clusters")).toHaveLength(2);
  });

  test("warns of a token of the same description in a cluster that is known", async () => {
    await stack.up(async () => {
      new Cluster("linux", { name: "Linux" });
    });
    const { linux } = await stack.state();
    const path = `/clusters/${linux?.id}/tokens`;
    const token = await stack.colleague.sends("POST", path, { description: "farm" });
    const { output } = await stack.preview(program);
    expect(output).toMatch(new RegExp(`warning:[^\\n]*${token.id}`));
  });

  test("says the import of a queue whose key is taken", async () => {
    await stack.up(async () => {
      new Cluster("linux", { name: "Linux" });
    });
    const { linux } = await stack.state();
    const queue = await stack.colleague.sends("POST", `/clusters/${linux?.id}/queues`, { key: "large" });
    const taking = stack.preview(async () => {
      const cluster = new Cluster("linux", { name: "Linux" });
      new Queue("queue", { clusterId: cluster, key: "large" });
    });
    const text = await taking.then(
      ({ output }) => output,
      (error: unknown) => String(error),
    );
    expect(text).toContain(`import: "${linux?.id}/${queue.id}"`);
  });

  test("says nothing of what the stack manages itself, and asks for one list of each collection", async () => {
    await stack.up(program);
    const quiet = await stack.preview(program, { expectNoChanges: true });
    expect(quiet.output).not.toContain("warning:");
    stack.requests();
    await stack.preview(async () => {
      await program();
      for (const name of ["a", "b", "c"]) new PipelineTemplate(name, { name, configuration: "steps: []" });
    });
    const lists = stack
      .requests()
      .filter((request) => request.startsWith("GET") && request.includes("template"));
    expect(lists).toHaveLength(1);
  });
});
