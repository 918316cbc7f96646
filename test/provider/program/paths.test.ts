import { beforeEach, describe, expect, test } from "vitest";
import * as dynamic from "../../../src/index.js";
import * as native from "../../../src/provider/native/index.js";
import { startNotingEngine } from "./registrations.js";

beforeEach(async () => {
  await startNotingEngine({ newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) });
});

describe.each([
  ["dynamic backend", dynamic],
  ["plugin", native],
])("With the %s,", (_, { PipelineTemplate }) => {
  const steps = [{ command: "make" }];
  const declare = (options: object, configuration: string | { [key: string]: unknown } = { steps }) =>
    new PipelineTemplate("node", { name: "Node", configuration }, options);

  test.each(["ignoreChanges", "replaceOnChanges", "hideDiffs", "additionalSecretOutputs"])(
    "%s refuses a path into a configuration, of which the engine gets the text",
    (option) => {
      for (const path of [
        "configuration.steps[0].command",
        'configuration["steps"]',
        '["configuration"].steps[*]',
      ]) {
        const says = `"node": PipelineTemplate.configuration: ${JSON.stringify(path)} in ${option} names nothing`;
        expect(() => declare({ [option]: [path] })).toThrow(says);
        expect(() => declare({ [option]: [path] }, "steps: []")).toThrow(says);
      }
    },
  );

  test("paths of a whole argument, of an output, and of what only resembles the argument are Pulumi's own", () => {
    const paths = ["configuration", '["configuration"]', "configurations.steps", "url"];
    expect(() => declare({ hideDiffs: paths, ignoreChanges: paths, replaceOnChanges: ["*"] })).not.toThrow();
  });
});
