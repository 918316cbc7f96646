import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findingsOf } from "../../../src/review/findings/findings.js";
import { leavesOutGeneration } from "../../../src/review/findings/rotation.js";
import { type Rotated, rotationSteps } from "../../stories/histories/rotation-program.js";
import { buildpipeline } from "../../support/command.js";
import { previewOf } from "../../support/recording.js";
import { dangersOf, planFrom, scratchOfEach } from "./reports.js";

const scratch = scratchOfEach();

/** A stack in which every deployment of the component succeeded. */
const deployedAt = (generation: number): Rotated => ({
  tokens: [generation - 1, generation].filter((own) => own > 0).map((own) => ({ own, generation })),
  given: [generation - 1, generation].filter((own) => own > 0),
});

const rotating = (state: Rotated, to: number, target?: number, form?: { readonly sames: boolean }) =>
  planFrom(previewOf(rotationSteps(state, to, { target, ...form })));

test("An ordinary rotation is no danger, and says which secret stays valid", () => {
  const plan = rotating(deployedAt(4), 5);
  expect(dangersOf(findingsOf(plan))).toEqual([
    expect.stringMatching(
      /^caution: Agent token `?Farm #3`? of .* is rotated: this revokes the secret of generation 3; the one of generation 4 stays valid\.$/,
    ),
  ]);
  expect(dangersOf(findingsOf(rotating(deployedAt(2), 3)))).toEqual([
    expect.stringContaining("revokes the secret of generation 1; the one of generation 2 stays valid."),
  ]);
  expect(dangersOf(findingsOf(rotating(deployedAt(1), 2)))).toEqual([]);
  expect(leavesOutGeneration(plan)).toBe(false);
});

test.each([
  [1, 3, "Agent token"],
  [1, 4, "Agent token"],
  [2, 4, "2 agent tokens"],
  [3, 8, "2 agent tokens"],
])("From generation %i to %i, each revoked token is a danger", (from, to, tokens) => {
  for (const sames of [true, false]) {
    const plan = rotating(deployedAt(from), to, undefined, { sames });
    const found = dangersOf(findingsOf(plan));
    expect(found).toEqual([expect.stringMatching(/^danger: .*: this revokes the secret in use\. /)]);
    expect(found[0]).toContain(`danger: ${tokens} `);
    expect(leavesOutGeneration(plan)).toBe(true);
  }
});

/** A leap from 5 to 7 that failed halfway: generation 6 exists, nobody has it, and generation 4 is gone. */
const HALF: Rotated = {
  tokens: [
    { own: 6, generation: 7 },
    { own: 5, generation: 5 },
  ],
  given: [4, 5],
};
/** A leap from 7 to 9 with `--target` of the newest token: generation 7 is gone, and 8 doesn't exist. */
const LEAPT: Rotated = {
  tokens: [
    { own: 6, generation: 7 },
    { own: 9, generation: 9 },
  ],
  given: [6, 9],
};

describe.each([
  ["every step", true],
  ["changes only", false],
])("A rotation in a preview with %s is judged by what was given out", (_, sames) => {
  test.each<[string, Rotated, number, number | undefined, boolean]>([
    ["the retry of a leap that failed halfway", HALF, 7, undefined, true],
    ["a leap of the newest token only", deployedAt(7), 9, 9, true],
    ["what follows that", LEAPT, 9, undefined, false],
    ["the newest token of an ordinary rotation", deployedAt(7), 8, 8, false],
    ["the other token of a leap only", deployedAt(7), 9, 8, false],
  ])("%s", (_, state, to, target, isInUse) => {
    const plan = rotating(state, to, target, { sames });
    expect(leavesOutGeneration(plan)).toBe(isInUse);
    const [text = "", ...more] = dangersOf(findingsOf(plan));
    expect(more).toEqual([]);
    expect(text).toMatch(
      isInUse ? /^danger: .*: this revokes the secret in use\. / : /^caution: .* is rotated/,
    );
    const [, stays] = /generation (\d+) stays valid/.exec(text) ?? [];
    const newest = Math.max(...state.given);
    expect(stays).toBe(isInUse || !sames ? undefined : String(newest));
  });
});

test("`--fail-on left-out` ends with an exit code of its own", async () => {
  const ended = async (state: Rotated, to: number) => {
    const file = scratch.path("preview.json");
    writeFileSync(file, JSON.stringify(previewOf(rotationSteps(state, to, {}))));
    return (await buildpipeline(["report", file, "--fail-on", "left-out"])).code;
  };
  expect(await ended(deployedAt(1), 3)).toBe(5);
  expect(await ended(deployedAt(1), 2)).toBe(0);
});

test("A rotation of which no input shows the secret in use passes no gate", () => {
  const { tokens, given } = deployedAt(4);
  const refreshed = { given, tokens: tokens.map(({ own }) => ({ own, generation: undefined })) };
  const plan = rotating(refreshed, 5, undefined, { sames: false });
  expect(leavesOutGeneration(plan)).toBe(true);
  expect(dangersOf(findingsOf(plan))).toEqual([
    expect.stringMatching(/may revoke the secret in use: .*--stack-export/),
  ]);
  expect(leavesOutGeneration(rotating(refreshed, 5))).toBe(false);
});
