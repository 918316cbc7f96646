import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("A preview that creates what has an unmanaged twin, %s backend", (backend) => {
  const { AgentToken, Cluster, PipelineTemplate, Suite } = classesOf[backend];
  const stack = TestStack.forAll();

  test("warns with its id, age and creator, the update goes on, and what the stack manages itself is no twin", async () => {
    const { colleague } = stack;
    const shared = await colleague.sends("POST", "/clusters", { name: "Shared" });
    const cluster = await colleague.sends("POST", "/clusters", { name: "Linux" });
    const token = await colleague.sends("POST", `/clusters/${shared.id}/tokens`, { description: "farm" });
    const body = { name: "Node", configuration: "steps: []" };
    const template = await colleague.sends("POST", "/pipeline-templates", body);
    const suite = await colleague.sends("POST", "/suites", { name: "Unit", default_branch: "main" });
    const program = async () => {
      new Cluster("linux", { name: "Linux" });
      new AgentToken("token", { clusterId: String(shared.id), description: "farm" });
      new PipelineTemplate("template", { name: "Node", configuration: "steps: []" });
      new Suite("suite", { name: "Unit", defaultBranch: "main" });
    };

    const { output } = await stack.preview(program);
    for (const id of [cluster.id, token.id, template.uuid, suite.id])
      expect(output, String(id)).toMatch(new RegExp(`warning:[^\\n]*${id}`));
    for (const id of [cluster.id, template.uuid]) {
      const [line] = new RegExp(`warning:[^\\n]*${id}[^\\n]*`).exec(output) ?? [];
      expect(line).toContain("Ada Archer");
      expect(line).toMatch(/\d+ (second|minute)s? (ago|old)|just now|less than a minute/);
    }
    await stack.up(program);
    expect(await colleague.list("/clusters")).toHaveLength(3);
    expect((await stack.preview(undefined, { expectNoChanges: true })).output).not.toContain("warning:");
  });
});
