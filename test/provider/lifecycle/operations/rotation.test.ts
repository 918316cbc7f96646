import { describe, expect, test } from "vitest";
import { serviceForEach, UNKNOWN } from "../../../support/driver.js";

/** The rules of a rotation, for each of the two tokens of the component. */
const service = serviceForEach();

interface Slot {
  readonly own: number;
  /** Generation of the component; undefined for a token outside of one. */
  readonly of?: number;
  /** Id of the token of the generation before. */
  readonly previous?: string;
}

const inputsOf = ({ own, of: generation, previous }: Slot) => ({
  clusterId: UNKNOWN,
  description: "Farm",
  ...(own > 1 && { triggers: { generation: own } }),
  ...(generation !== undefined && {
    __rotation: { of: "farm", generation, ...(previous !== undefined && { previous }) },
  }),
});

/** Checks a token in state for its next inputs. @returns failures, warnings and the generation that the state keeps */
async function checked(old: Slot | undefined, next: Slot, { refreshed = false } = {}) {
  const provider = await service.driver.kind("AgentToken");
  const olds = old && {
    ...inputsOf(old),
    organization: "acme",
    ...(old.of !== undefined && { __rotation: refreshed ? undefined : old.of }),
  };
  const { inputs = {}, failures = [] } = await provider.check(olds ?? {}, inputsOf(next));
  const reasons = failures.map(({ reason }) => reason);
  return { reasons, warnings: service.driver.warnings, kept: inputs.__rotation };
}

const LEFT_OUT =
  /^RotatingAgentToken "farm": generation \d+ revokes the secret in use, because it replaces both tokens/;

describe("A token of a rotation", () => {
  test("keeps the component's generation in its inputs, and nothing else of it", async () => {
    const next = { own: 4, of: 4, previous: "an id" };
    expect(await checked({ own: 2, of: 3 }, next)).toEqual({ reasons: [], warnings: [], kept: 4 });
    expect((await checked({ own: 1 }, { own: 1 })).kept).toBeUndefined();
  });

  test.each<[string, Slot | undefined, Slot]>([
    ["the first token", undefined, { own: 1, of: 1 }],
    ["a first deployment in a later generation", undefined, { own: 5, of: 5, previous: UNKNOWN }],
    ["an ordinary rotation, the new token", { own: 2, of: 3 }, { own: 4, of: 4, previous: "id" }],
    ["an ordinary rotation, the other token", { own: 3, of: 3 }, { own: 3, of: 4 }],
    ["the first rotation", { own: 1, of: 1 }, { own: 1, of: 2 }],
    ["an AgentToken that the component takes over", { own: 1 }, { own: 1, of: 1 }],
    ["a leap, the token that isn't in use", { own: 1, of: 2 }, { own: 3, of: 4 }],
    ["what follows a leap of the newest token only", { own: 6, of: 7 }, { own: 8, of: 9 }],
    ["a token outside of a component, whatever its triggers", { own: 7 }, { own: 3 }],
  ])("is checked without a warning: %s", async (_, old, next) => {
    expect(await checked(old, next)).toMatchObject({ reasons: [], warnings: [] });
  });

  test.each<[string, Slot, Slot]>([
    ["1 to 3, the new token", { own: 1, of: 1 }, { own: 3, of: 3, previous: UNKNOWN }],
    ["1 to 4, the other token", { own: 1, of: 1 }, { own: 3, of: 4 }],
    ["2 to 4, the new token", { own: 2, of: 2 }, { own: 4, of: 4, previous: UNKNOWN }],
    ["4 to 6, as generation 5 wasn't created", { own: 4, of: 5 }, { own: 6, of: 6, previous: UNKNOWN }],
    ["3 to 8, the token in use", { own: 3, of: 3 }, { own: 7, of: 8 }],
  ])("warns that a generation was left out: %s", async (_, old, next) => {
    const { reasons, warnings } = await checked(old, next);
    expect(reasons).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(LEFT_OUT)]);
    await checked(old, next);
    expect(service.driver.warnings).toHaveLength(1);
  });

  test("warns that a retry revokes the secret in use, after a leap that failed halfway", async () => {
    // Generation 6 was created and 7 wasn't, so machines have the secret of generation 5.
    const { warnings } = await checked({ own: 5, of: 5 }, { own: 7, of: 7, previous: "id of generation 6" });
    expect(warnings).toEqual([
      expect.stringContaining("because it replaces the newest token that was deployed"),
    ]);
  });

  test("warns in a deployment as well, where the other token was created just now", async () => {
    const linux = await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    const args = { ...inputsOf({ own: 2 }), clusterId: linux.id };
    const { id } = await service.driver.create("AgentToken", args);
    const { warnings } = await checked({ own: 1, of: 1 }, { own: 3, of: 3, previous: id });
    expect(warnings.at(-1)).toMatch(LEFT_OUT);
  });

  test.each([
    [1, 2, 1, 1],
    [3, 3, 1, 2],
    [4, 5, 4, 4],
  ])("refuses to go back: %i in generation %i to %i in %i", async (own, before, nextOwn, next) => {
    expect((await checked({ own, of: before }, { own: nextOwn, of: next })).reasons).toEqual([
      `RotatingAgentToken "farm": generation goes back from ${before} to ${next}. A revoked secret can't come back, ` +
        `so set generation to ${before} to keep the tokens, or to ${before + 1} to rotate.`,
    ]);
  });

  describe("whose creation failed", () => {
    /** Checks a token in state that has the number of a generation, of which the cluster has these tokens, the oldest first. */
    const takenBack = async (alive: readonly (number | string)[], old: Slot, next: Slot, more = {}) => {
      const { id: clusterId } = await service.colleague.sends("POST", "/clusters", { name: "Linux" });
      const called = (own: number | string) =>
        typeof own === "string" ? own : own === 1 ? "Farm" : `Farm #${own}`;
      for (const own of alive) {
        await service.clock.sleep(60_000);
        await service.colleague.sends("POST", `/clusters/${clusterId}/tokens`, { description: called(own) });
      }
      const inputs = (slot: Slot) => ({
        ...inputsOf(slot),
        clusterId,
        description: called(slot.own),
        ...more,
      });
      const olds = { ...inputs(old), organization: "acme", __rotation: old.of };
      return service.driver.failures("AgentToken", inputs(next), olds);
    };

    test.each([1, 2, 5, 6])("goes back from the generation after %i, with all that it had", async (now) => {
      const alive = now === 1 ? [1] : [now - 1, now];
      const next = { own: now, of: now, previous: "id" };
      expect(await takenBack(alive, { own: now, of: now + 1 }, next)).toEqual([]);
      if (now > 1)
        expect(await takenBack(alive, { own: now - 1, of: now }, { own: now - 1, of: now })).toEqual([]);
    });

    test.each([1, 5])("doesn't go back if the cluster has the token after %i", async (now) => {
      const [reason] = await takenBack([now, now + 1], { own: now, of: now + 1 }, { own: now, of: now });
      expect(reason).toContain(`set generation to ${now + 1} to keep the tokens`);
    });

    const first = { own: 1, of: 1 };
    test.each([
      ["has another description", [1, "Spare"]],
      ["has the same description", [1, 1]],
      ["has its number elsewhere, and is older", ["#2 of Farm", 1]],
      ["nobody can tell, because the first one has another description", ["Renamed"]],
    ])("doesn't go back from 2 to 1 if a token that may be the second %s", async (_, alive) => {
      const [reason] = await takenBack(alive, { own: 1, of: 2 }, first);
      expect(reason).toContain("set generation to 2 to keep the tokens");
    });

    test("goes back from 2 to 1 beside tokens that can't be the second", async () => {
      expect(await takenBack(["Spare", "Mac #20", 1], { own: 1, of: 2 }, first)).toEqual([]);
    });

    test.each([
      ["was taken over from an AgentToken, or refreshed", [1, 2], undefined, true],
      ["was taken over from an AgentToken, and is the only one", [1], undefined, false],
      ["isn't the only one in a cluster, and the second one may be older and renamed", ["Spare", 1], 2, true],
      ["is the only generation that was deployed", [1, 2], 1, false],
    ] as const)("says what 1 revokes if its token %s", async (_, alive, of, isWarned) => {
      expect(await takenBack(alive, of === undefined ? { own: 1 } : { own: 1, of }, first)).toEqual([]);
      expect(service.driver.warnings).toEqual(
        isWarned
          ? [expect.stringMatching(/deletes "farm-even", that revokes its secret.* generation to 2/)]
          : [],
      );
    });

    test("goes back from 2 to 1 beside a later token that another entry of the program has", async () => {
      const { id: clusterId } = await service.colleague.sends("POST", "/clusters", { name: "Linux" });
      const args = { clusterId, description: "Farm" };
      await service.colleague.sends("POST", `/clusters/${clusterId}/tokens`, { description: "Farm" });
      const other = await service.newRun().create("AgentToken", { clusterId, description: "Other" });
      const olds = { ...inputsOf({ own: 1 }), ...args, organization: "acme", __rotation: 2 };
      const goesBack = () => service.driver.failures("AgentToken", { ...inputsOf(first), ...args }, olds);
      expect(await goesBack()).toHaveLength(1);
      await service.driver.plan(other);
      expect(await goesBack()).toEqual([]);
    });

    test.each(["blue", "2026", 7])(
      "goes back from 2 to 1 with the trigger %j of the program",
      async (own) => {
        const triggers = { generation: own };
        expect(await takenBack([1], { own: 1, of: 2 }, first, { triggers })).toEqual([]);
      },
    );

    test("is no generation that advice names as one to keep", async () => {
      const [reason] = await takenBack([4, 5], { own: 5, of: 6 }, { own: 3, of: 4 });
      expect(reason).toContain("set generation to 5 to keep the tokens, or to 6 to rotate");
    });
  });

  test.each([
    ["keeps its triggers", { own: 1, of: 2 }, { own: 1, of: 3, previous: "id" }],
    ["has other triggers", { own: 4, of: 5 }, { own: 7, of: 6, previous: "id" }],
  ])("is refused if a generation doesn't reach it, because a token %s", async (_, old, next) => {
    expect((await checked(old, next)).reasons).toEqual([
      `RotatingAgentToken "farm": generation ${next.of} revokes nothing, because ignoreChanges or a transform overrides the ` +
        "triggers of its tokens. Remove whichever it is.",
    ]);
  });

  test.each(["blue", "2026"])("takes over an AgentToken with the trigger %j of the program", async (own) => {
    const olds = { ...inputsOf({ own: 1 }), triggers: { generation: own }, organization: "acme" };
    expect(await service.driver.failures("AgentToken", inputsOf({ own: 1, of: 1 }), olds)).toEqual([]);
  });

  test("refuses to go back after a refresh of the dynamic backend found drift, except from 2 to 1", async () => {
    const refreshed = { refreshed: true };
    const { reasons } = await checked({ own: 3, of: 3 }, { own: 1, of: 2 }, refreshed);
    expect(reasons).toEqual([expect.stringContaining("generation goes back from 3 to 2")]);
    expect((await checked({ own: 1, of: 2 }, { own: 1, of: 1 }, refreshed)).reasons).toEqual([]);
  });
});
