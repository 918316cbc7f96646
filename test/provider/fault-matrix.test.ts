import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, type ExpectStatic, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { Driver, SimulatedClock } from "./driver.js";
import { type Mishap, mishaps, ruleOf } from "./histories/faults.js";
import { ModelEngine } from "./histories/model-engine.js";
import { type Scenario, scenarios } from "./histories/scenarios.js";
import { lost, remoteObjects, violations } from "./histories/service-state.js";

/** The table in the documentation. `WRITE_FAULTS=1` writes it; without it, the table must be what was found. */
const TABLE = join(__dirname, "..", "..", "docs", "faults.md");

/** What the command with the fault came to, for the table. */
type Outcome = "done" | "told, then done";

const outcomes = new Map<string, Outcome>();
const keyOf = ({ operation, purpose }: Scenario, { name }: Mishap) => `${operation} ${purpose} | ${name}`;

async function suffer(scenario: Scenario, mishap: Mishap, expect: ExpectStatic): Promise<Outcome> {
  const clock = new SimulatedClock();
  const emulator = await startEmulator({ seed: false, clock: () => new Date(clock.now()) });
  try {
    const engine = new ModelEngine(() => Driver.for(emulator, {}, clock));
    const none = { byHand: new Set<string>(), named: new Set<string>(), told: [] };
    const wrong = () => violations(engine.entries, remoteObjects(emulator), { ...none, told: engine.told });
    expect(await engine.up(scenario.before)).toMatchObject({ succeeded: true, errors: [] });

    const fault = emulator.fault(ruleOf(mishap.name, scenario.operation));
    const faulty = await engine.up(scenario.after);
    expect(fault.hits, "the fault struck").toBe(1);
    expect(wrong()).toEqual([]);

    // Nothing goes wrong any more: one update converges, and then nothing is left to do.
    expect(await engine.up(scenario.after)).toMatchObject({ succeeded: true, errors: [] });
    const quiet = Object.fromEntries(scenario.after.map(({ name }) => [name, "same"]));
    expect(await engine.preview(scenario.after)).toMatchObject({ succeeded: true, steps: quiet });
    expect(await engine.refresh()).toMatchObject({ succeeded: true });
    expect(await engine.preview(scenario.after)).toMatchObject({ succeeded: true, steps: quiet });
    expect(wrong()).toEqual([]);
    expect(lost(engine.entries, remoteObjects(emulator))).toEqual([]);
    const kinds = scenario.after.map(({ kind }) => kind).filter((kind) => kind !== "ClusterDefaultQueue");
    expect(
      remoteObjects(emulator)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(kinds.sort());

    expect(await engine.destroy()).toMatchObject({ succeeded: true });
    expect(remoteObjects(emulator)).toEqual([]);
    return faulty.succeeded ? "done" : "told, then done";
  } finally {
    await emulator.close();
  }
}

describe.concurrent.each(scenarios)("$operation ($purpose)", (scenario) => {
  test.for(mishaps)("$name", async (mishap, { expect }) => {
    outcomes.set(keyOf(scenario, mishap), await suffer(scenario, mishap, expect));
  });
});

/** The table as it was found. */
function table(): string {
  const total = scenarios.length * mishaps.length;
  const rows = scenarios.map((scenario) => {
    const cells = mishaps.map((mishap) => outcomes.get(keyOf(scenario, mishap)) ?? "violated");
    return `| \`${scenario.operation}\` | ${scenario.purpose} | ${cells.join(" | ")} |`;
  });
  return [
    "# What becomes of a change that goes wrong",
    "",
    "Every request by which a deployment changes something, and every way in which it goes wrong: before the service " +
      "did the work, or after it, with the answer lost or unusable. Written by " +
      "[test/provider/fault-matrix.test.ts](../test/provider/fault-matrix.test.ts) with `npm run write:faults`; " +
      "`npm test` computes it again and compares.",
    "",
    "In each of them there is at most one object for each resource; none is left that the state does not have, unless " +
      "an error named it; a secret in the state is the one that works; the next update converges, and the preview " +
      `after it shows no change: ${outcomes.size} of ${total}.`,
    "",
    "*done*: the command itself coped. *told, then done*: it failed with an error, and the next one coped.",
    "",
    `| operation | for | ${mishaps.map(({ name }) => name).join(" | ")} |`,
    `|---|---|${mishaps.map(() => "---|").join("")}`,
    ...rows,
    "",
  ].join("\n");
}

describe("The table in the documentation", () => {
  afterAll(() => {
    if (process.env.WRITE_FAULTS !== undefined) writeFileSync(TABLE, table());
  });

  test("says what was found", () => {
    if (process.env.WRITE_FAULTS === undefined) expect(readFileSync(TABLE, "utf8")).toBe(table());
    expect(outcomes.size).toBe(scenarios.length * mishaps.length);
  });
});
