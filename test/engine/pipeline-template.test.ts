import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { PipelineTemplate, type PipelineTemplateArgs } from "../../src/index.js";
import { lifecycle } from "./lifecycle.js";
import { TestStack } from "./stack.js";

const STEPS = "steps:\n  - command: make test # the tests\n";

lifecycle<PipelineTemplateArgs>({
  kind: "PipelineTemplate",
  declare: (classes, name, args, opts) => new classes.PipelineTemplate(name, args, opts),
  get: (classes, name, id) => classes.PipelineTemplate.get(name, id),
  args: () => ({ name: "Node", configuration: STEPS, description: "Node services", available: true }),
  another: (args, name) => ({ ...args, name: `${args.name} ${name}` }),
  onService: () => ({ name: "Node", configuration: STEPS, description: "Node services", available: true }),
  changes: () => ({
    name: [{ to: "Go", expect: "update", onService: { name: "Go" } }],
    configuration: [
      {
        to: "steps:\n  - command: make test # all tests\n",
        expect: "update",
        onService: { configuration: "steps:\n  - command: make test # all tests\n" },
      },
      { to: { steps: ["wait"] }, expect: "update" },
    ],
    description: [{ to: undefined, expect: "update", onService: { description: null } }],
    available: [{ to: undefined, expect: "update", onService: { available: false } }],
  }),
  drifts: [
    {
      of: ["name", "configuration", "description", "available"],
      body: {
        name: "By hand",
        configuration: "steps:\n  - command: rm -rf build\n",
        description: "by hand",
        available: false,
      },
    },
  ],
  path: (_, id) => `/pipeline-templates/${id}`,
  list: () => "/pipeline-templates",
  idField: "uuid",
  updateMethod: "PATCH",
  importName: () => "Node",
  byHand: (colleague) =>
    colleague.sends("POST", "/pipeline-templates", {
      name: "Node",
      configuration: STEPS,
      description: "Node services",
      available: true,
    }),
  mismatch: { available: false },
});

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
