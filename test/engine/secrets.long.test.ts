import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("Secret arguments, %s backend", (backend) => {
  const { PipelineTemplate, Suite, Team } = classesOf[backend];
  const stack = TestStack.forAll();

  test("show neither in outputs that spell them, nor in a text that contains them, nor as drift", async () => {
    const program = (branch: string) => async () => {
      const name = pulumi.secret("Project Nightingale");
      const suite = new Suite("suite", { name, defaultBranch: branch });
      const team = new Team("team", { name });
      const command = pulumi.secret("echo hunter2");
      new PipelineTemplate("template", { name: "Node", configuration: { steps: [{ command }] } });
      return { suite: suite.slug, url: suite.url, webUrl: suite.webUrl, team: team.slug };
    };
    const created = await stack.up(program("main"));
    expect(created.outputs).toMatchObject({ suite: "project-nightingale", team: "project-nightingale" });
    const { template } = await stack.state();
    await stack.colleague.sends("PATCH", `/pipeline-templates/${template?.id}`, {
      configuration: "steps: [echo hunter2 by hand]",
    });
    const outcomes = [created, await stack.refresh()];
    outcomes.push(await stack.preview(program("trunk")), await stack.up(program("trunk")));
    for (const text of [...outcomes.map(({ output }) => output), stack.files()])
      expect(text.toLowerCase()).not.toMatch(/nightingale|hunter2/);
  });
});
