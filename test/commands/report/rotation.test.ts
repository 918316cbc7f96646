import { expect, test } from "vitest";
import { leavesOutGeneration } from "../../../src/commands/report/dangers.js";
import { reportOf } from "../../../src/commands/report/report.js";
import { deployed, planOf } from "../../../src/commands/shared/plan/plan.js";
import { readPreview } from "../../../src/commands/shared/plan/preview.js";
import { plainText } from "../../../src/commands/shared/plan/text.js";

const TYPE = "pulumi-nodejs:dynamic/buildpipeline:AgentToken";
const clusterId = "11111111-2222-4333-8444-555555555555";

/** A token of the component in state: its own generation, and that of the component. */
const stateOf = (own: number, generation: number, name: string) => ({
  urn: `urn:pulumi:production::ci::buildpipeline:index:RotatingAgentToken$${TYPE}::${name}`,
  type: TYPE,
  id: `id-${own}`,
  inputs: {
    clusterId,
    description: own === 1 ? "Farm" : `Farm #${own}`,
    organization: "acme",
    ...(own > 1 && { triggers: { generation: own } }),
    __rotation: generation,
  },
  outputs: {},
});

/** The preview's steps of one slot, from one generation of the component to another. */
function slot(parity: number, from: number, to: number): object[] {
  const name = parity === 1 ? "farm-odd" : "farm-even";
  const ownAt = (generation: number) => (generation % 2 === parity ? generation : generation - 1);
  const [before, after] = [ownAt(from), ownAt(to)];
  const newState = stateOf(after, to, name);
  const { urn } = newState;
  if (before < 1) return [{ op: "create", urn, newState }];
  const oldState = stateOf(before, from, name);
  if (before === after) return [{ op: "same", urn, oldState, newState }];
  const diffs = { replaceReasons: ["triggers"], diffReasons: ["description", "triggers"] };
  return ["create-replacement", "replace", "delete-replaced"].map((op) => ({
    op,
    urn,
    oldState,
    newState,
    ...diffs,
  }));
}

const planFrom = (from: number, to: number) => {
  const steps = [...slot(0, from, to), ...slot(1, from, to)];
  return planOf(readPreview({ steps }), undefined);
};

const dangersFrom = (from: number, to: number) => {
  const { dangers } = reportOf(planFrom(from, to));
  return dangers.map(({ level, message }) => `${level}: ${plainText(message)}`);
};

test("An ordinary rotation is no danger, and says which secret stays valid", () => {
  expect(dangersFrom(4, 5)).toEqual([
    expect.stringMatching(
      /^caution: Agent token `?Farm #3`? of .* is rotated: this revokes the secret of generation 3; the one of generation 4 stays valid\.$/,
    ),
  ]);
  expect(dangersFrom(2, 3)).toEqual([
    expect.stringContaining("revokes the secret of generation 1; the one of generation 2 stays valid."),
  ]);
  expect(dangersFrom(1, 2)).toEqual([]);
  expect(leavesOutGeneration(deployed(planFrom(4, 5)))).toBe(false);
});

test.each([
  [1, 3, 1],
  [1, 4, 1],
  [2, 4, 2],
  [3, 8, 2],
])("From generation %i to %i, each revoked token is a danger", (from, to, count) => {
  const found = dangersFrom(from, to);
  expect(found).toHaveLength(count);
  expect(leavesOutGeneration(deployed(planFrom(from, to)))).toBe(true);
  for (const text of found) expect(text).toMatch(/^danger: .*: this revokes the secret in use\. /);
});
