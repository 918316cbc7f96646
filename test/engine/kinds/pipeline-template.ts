import type { PipelineTemplateArgs } from "../../../src/index.js";
import type { KindCase } from "./kind-case.js";

const STEPS = "steps:\n  - command: make test # the tests\n";

export const pipelineTemplateCase: KindCase<PipelineTemplateArgs> = {
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
};
