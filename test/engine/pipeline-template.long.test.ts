import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { PipelineTemplate } from "../../src/index.js";
import { TestStack } from "./stack.js";

const STEPS = "steps:\n  - command: make test # the tests\n";

describe("The configuration of a template on the real engine", () => {
  const stack = TestStack.forAll();

  test("that the service only formats differently is no drift", async () => {
    const program = async () => {
      const template = new PipelineTemplate("it", { name: "Node", configuration: STEPS });
      return { configuration: template.configuration };
    };
    await stack.up(program);
    const { it } = await stack.state();
    const formatted = 'steps:\n- {command: "make test"}\n';
    await stack.colleague.sends("PATCH", `/pipeline-templates/${it?.id}`, { configuration: formatted });
    await stack.refresh({ expectNoChanges: true });
    expect((await stack.up(program, { expectNoChanges: true })).outputs.configuration).toBe(STEPS);
  });

  test("with a secret in it is a secret as a whole", async () => {
    const program = async () => {
      const command = pulumi.secret("echo hunter2");
      new PipelineTemplate("it", { name: "Node", configuration: { steps: [{ command }] } });
    };
    const outcomes = [await stack.preview(program), await stack.up(program)];
    const { it } = await stack.state();
    await stack.colleague.sends("PATCH", `/pipeline-templates/${it?.id}`, {
      configuration: "steps: [echo hunter2 by hand]",
    });
    outcomes.push(await stack.refresh(), await stack.up(program));
    for (const { output } of outcomes) expect(output).not.toContain("hunter2");
    expect(stack.files()).not.toContain("hunter2");
  });
});
