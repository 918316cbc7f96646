import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { expect, test } from "vitest";
import { Queue } from "../../src/index.js";
import { TestStack } from "./stack.js";

const stack = TestStack.forAll();

test("Two resources for one object are refused in any words and order, unless the first is gone from the program", async () => {
  const clusterId = String((await stack.colleague.sends("POST", "/clusters", { name: "Shared" })).id);
  const queues = `/clusters/${clusterId}/queues`;
  const id = String((await stack.colleague.sends("POST", queues, { key: "large" })).id);
  const declared =
    (...entries: readonly [name: string, form?: string][]): PulumiFn =>
    async () => {
      for (const [name, form] of entries)
        new Queue(name, { clusterId, key: "large" }, form === undefined ? {} : { import: form });
    };

  // The same words are the program's own; only the provider knows what others lead to.
  for (const [form, expected] of [
    ["Shared/large", 'is imported by "one" of this program already'],
    [`${clusterId}/${id}`, id],
  ] as const) {
    const message = await stack.refused(stack.preview(declared(["one", "Shared/large"], ["two", form])));
    expect(message).toMatch(/Queue\.import/);
    expect(message).toContain(expected);
  }

  await stack.up(declared(["one", "Shared/large"]));
  const both: readonly [string, string][] = [
    ["one", "Shared/large"],
    ["two", "Shared/large"],
  ];
  for (const entries of [both, both.toReversed()]) {
    expect(await stack.refused(stack.preview(declared(...entries)))).toContain(
      `is imported by "${entries[0]?.[0]}" of this program already`,
    );
  }
  await stack.up(declared(["two", "Shared/large"]));
  expect((await stack.state()).two?.id).toBe(id);

  // One without the option owns the object.
  await stack.up(declared(["two"]));
  for (const entries of [
    declared(["two"], ["one", "Shared/large"]),
    declared(["one", "Shared/large"], ["two"]),
  ])
    expect(await stack.refused(stack.preview(entries))).toContain(id);
  expect(await stack.colleague.list(queues)).toHaveLength(1);
});
