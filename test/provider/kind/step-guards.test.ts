import { expect, test } from "vitest";
import { lostGuards } from "../../../src/provider/kind/step-guards.js";

test("Steps are opened by what the last one of a long chain no longer waits for", () => {
  const chain = (end: string) => {
    const steps = Array.from({ length: 3_000 }, (_, index) => ({
      ...{ command: "x", key: `k-${index}` },
      depends_on: index === 2_999 ? end : `k-${index + 1}`,
    }));
    return JSON.stringify([{ block: "Go", key: "go" }, ...steps]);
  };
  const [first, ...others] = lostGuards(chain("go"), chain("k-0"), () => undefined);
  expect(first).toMatchObject({ values: { step: "k-0", guard: "Go" } });
  expect(others).toHaveLength(2_999);
});
