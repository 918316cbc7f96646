import fc from "fast-check";
import { expect, test } from "vitest";
import { changedSteps } from "../../../src/review/plan/step-pieces.js";

const BEFORE = `env: { A: 1 }
steps:
  - label: Test
    command: make test
  - wait
  - group: Release
    steps:
      - key: pack
        command: make pack
      - trigger: deploy
notify: []
`;

/** The names of the steps that differ, with a sign for one that is new or goes. */
const named = (before: string, after: string) =>
  changedSteps(before, after)?.map(
    ({ name = "(around)", before: was, after: is }) =>
      `${was === undefined ? "+" : is === undefined ? "-" : ""}${name}`,
  );

test.each<[what: string, from: string, to: string, names: string[] | undefined]>([
  ["a step by its label", "make test", "make check", ["Test"]],
  ["a step in a group by its key", "make pack", "make tar", ["pack"]],
  ["a step with another label by the new one", "label: Test", "label: Check", ["Check"]],
  ["a step with another command and no other name", "trigger: deploy", "trigger: ship", ["ship"]],
  ["a new step", "  - wait\n", "  - wait\n  - command: make lint\n", ["+make lint"]],
  ["a step that goes", "  - wait\n", "", ["-wait"]],
  ["a group's own lines", "group: Release\n", "group: Release\n    skip: true\n", ["Release"]],
  ["a group with another name", "group: Release", "group: Ship", ["Ship"]],
  ["what stands before the steps", "A: 1", "A: 2", ["(around)"]],
  ["what stands after them", "notify: []", "notify: [x]", ["(around)"]],
  ["nothing where steps move", "  - wait\n  - group", "  - group", ["-wait"]],
  ["no steps where a line has several", "  - wait\n", "  - { command: a }\n", ["a"]],
  ["nothing where there are no steps", "steps:", "other:", undefined],
  ["nothing where it can't be parsed", "env: {", "env: [", undefined],
])("Of two documents, %s", (_, from, to, names) => {
  expect(BEFORE).toContain(from);
  expect(named(BEFORE, BEFORE.replace(from, to))).toEqual(names);
});

test("Steps that moved, and several in one line, are one text", () => {
  const two = "steps:\n- label: a\n- label: b\n";
  expect(named(two, "steps:\n- label: b\n- label: a\n")).toBeUndefined();
  expect(named("steps: [{ label: a }, { label: b }]", "steps: [{ label: a }, { label: c }]")).toBeUndefined();
});

test("Steps without a line break at the end, or with equal names, are told apart", () => {
  const wait = "steps:\n- wait\n- command: a\n- wait\n- command: b";
  expect(named(wait, `${wait}c`)).toEqual(["bc"]);
  expect(changedSteps(wait, wait.replace("- wait\n- command: b", "- block: x\n- command: b"))).toEqual([
    { name: "x", before: "- wait", after: "- block: x" },
  ]);
});

const step = fc.record({ label: fc.constantFrom("a", "b", "c", "d"), command: fc.constantFrom("x", "y") });
const steps = fc.array(step, { maxLength: 6 });

test("Whatever the steps are, each different line is in one of them", () => {
  const text = (all: readonly { label: string; command: string }[]) =>
    `steps:\n${all.map(({ label, command }) => `- label: ${label}\n  command: ${command}\n`).join("")}`;
  fc.assert(
    fc.property(steps, steps, (old, next) => {
      const changed = changedSteps(text(old), text(next));
      if (changed === undefined) return;
      const lines = (of: "before" | "after") => changed.flatMap((one) => one[of]?.split("\n") ?? []);
      const more = (command: string) =>
        [old, next].map((all) => all.filter((one) => one.command === command).length);
      for (const command of ["x", "y"]) {
        const [was = 0, is = 0] = more(command);
        const [before, after] = (["before", "after"] as const).map(
          (of) => lines(of).filter((line) => line === `  command: ${command}`).length,
        );
        expect((after ?? 0) - (before ?? 0)).toBe(is - was);
      }
    }),
  );
});
