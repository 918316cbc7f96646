import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { queuesNamedIn } from "../../../src/commands/report/remarks/pipeline-template.js";

describe("The queues that a template's steps name", () => {
  test.each<[string, string, string[]]>([
    ["for all steps", "agents:\n  queue: large\nsteps: []", ["large"]],
    ["of one step", "steps:\n  - command: make\n    agents: { queue: small }", ["small"]],
    [
      "of a step in a group",
      "steps:\n  - group: a\n    steps:\n      - agents:\n          queue: deep",
      ["deep"],
    ],
    ["as a list of tags", "agents: [queue=listed, os=linux]", ["listed"]],
    ["as one tag", "agents: queue=one", ["one"]],
    ["behind an anchor", "x: &agents { queue: anchored }\nagents: *agents", ["anchored"]],
    [
      "of another step, merged",
      "x: &x { queue: merged }\nsteps: [{ agents: { <<: *x, os: linux } }]",
      ["merged"],
    ],
    ["by an anchored name", "x: &name named\nagents: { queue: *name }", ["named"]],
  ])("%s", (_, text, expected) => {
    expect([...queuesNamedIn(text)]).toEqual(expected);
  });

  test.each([
    "agents: { queue: $QUEUE }",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Buildkite's interpolation
    'agents: { queue: "${QUEUE:-default}" }',
    "agents: { queue: 12 }",
    "queue: outside",
    "steps: [",
    "agents: *missing",
    "agents: { queue: *missing }",
    "agents: &self { queue: *self }",
    "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    "[secret]",
  ])("leave out what nobody knows: %s", (text) => {
    expect([...queuesNamedIn(text)]).toEqual([]);
  });

  test("come from any text without an error", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void queuesNamedIn(`agents:\n  ${text}`)));
  });
});
