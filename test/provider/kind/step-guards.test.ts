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

test("Each of many blocks is lost once, if all steps have other names and one more is new", () => {
  const blocks = (names: readonly string[], teams: readonly string[]) =>
    JSON.stringify(
      names.flatMap((name) => [
        { block: `Go ${name}`, allowed_teams: teams },
        { command: name, label: name },
      ]),
    );
  const names = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${kind}-${index}`);
  const before = blocks(names("old", 200), ["ops"]);
  expect(lostGuards(before, blocks(names("new", 201), ["ops"]), () => undefined)).toEqual([]);
  const lost = lostGuards(before, blocks(names("new", 201), ["web"]), () => undefined);
  expect(lost.map(({ values }) => values.guard)).toEqual(names("Go old", 200));
});
