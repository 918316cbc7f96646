import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { beforeEach, describe, expect, test } from "vitest";
import { Queue } from "../../src/index.js";
import { TestStack } from "./stack.js";

describe("Two resources for one object", () => {
  const stack = TestStack.forEach();
  let clusterId: string;
  let id: string;
  beforeEach(async () => {
    clusterId = String((await stack.colleague.sends("POST", "/clusters", { name: "Shared" })).id);
    id = String((await stack.colleague.sends("POST", `/clusters/${clusterId}/queues`, { key: "large" })).id);
  });

  const declared =
    (...entries: readonly [name: string, form: string | undefined][]): PulumiFn =>
    async () => {
      for (const [name, form] of entries) {
        new Queue(name, { clusterId, key: "large" }, form === undefined ? {} : { import: form });
      }
    };

  test.each([
    ["in the same words", "Shared/large", "Shared/large"],
    ["in different words", "Shared/large", "by id"],
  ])("that adopt it %s are refused at preview", async (_, first, second) => {
    const form = second === "by id" ? `${clusterId}/${id}` : second;
    const message = await stack.refused(stack.preview(declared(["one", first], ["two", form])));
    expect(message).toMatch(/Queue\.import/);
    // The same words are the program's own; only the provider knows what others lead to.
    expect(message).toContain(second === "by id" ? id : 'is imported by "one" of this program already');
    await stack.refused(stack.up(declared(["one", first], ["two", form])));
    expect(Object.keys(await stack.state()).length).toBeLessThanOrEqual(1);
  });

  test("are refused when the first one is in the state already, whichever is declared first", async () => {
    await stack.up(declared(["one", "Shared/large"]));
    for (const entries of [
      ["one", "two"],
      ["two", "one"],
    ] as const) {
      const program = declared(...entries.map((name): [string, string] => [name, "Shared/large"]));
      expect(await stack.refused(stack.preview(program)), entries.join()).toContain(
        `is imported by "${entries[0]}" of this program already`,
      );
    }
    expect(Object.keys(await stack.state())).toEqual(["one"]);
  });

  test("are refused when the first one created it or has adopted it for good", async () => {
    await stack.up(declared(["one", "Shared/large"]));
    await stack.up(declared(["one", undefined]));
    for (const order of [1, -1]) {
      const entries: [string, string | undefined][] = [
        ["one", undefined],
        ["two", "Shared/large"],
      ];
      const program = declared(...(order === 1 ? entries : entries.toReversed()));
      expect(await stack.refused(stack.preview(program))).toContain(id);
    }
  });

  test("are a rename when the first one is gone from the program", async () => {
    await stack.up(declared(["one", "Shared/large"]));
    await stack.preview(declared(["two", "Shared/large"]));
    await stack.up(declared(["two", "Shared/large"]));
    expect((await stack.state()).two?.id).toBe(id);
    expect(await stack.colleague.list(`/clusters/${clusterId}/queues`)).toHaveLength(1);
  });
});
