import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, type ExpectStatic, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { Driver, IMPATIENT_MS, PATIENT_MS, SimulatedClock } from "./driver.js";
import { DynamicBackend } from "./histories/engine/dynamic-backend.js";
import { type Mishap, mishaps, ruleOf } from "./histories/faults.js";
import { ModelEngine } from "./histories/model-engine.js";
import { type Scenario, scenarios } from "./histories/scenarios.js";
import { lost, remoteObjects, violations } from "./histories/service-state.js";

/** The table, which docs/internals/tests.md explains. `WRITE_FAULTS=1` writes it; without it, it must be what was found. */
const TABLE = join(__dirname, "..", "..", "docs", "internals", "faults.csv");

/** What the command with the fault came to, for the table. `+ 1`: one more object exists, and a message names it. */
type Outcome = "done" | "error" | "done + 1" | "error + 1";

const outcomes = new Map<string, Outcome>();
const keyOf = ({ operation, purpose }: Scenario, { name }: Mishap) => `${operation} ${purpose} | ${name}`;

async function suffer(scenario: Scenario, mishap: Mishap, expect: ExpectStatic): Promise<Outcome> {
  const clock = new SimulatedClock();
  const emulator = await startEmulator({ seed: false, clock: () => new Date(clock.now()) });
  try {
    // Only a request that hangs on purpose is given up soon: another late response would be another fault.
    let timeoutMs = PATIENT_MS;
    const newRun = () => new DynamicBackend(Driver.for(emulator, {}, clock, { timeoutMs }));
    const engine = new ModelEngine(newRun);
    const none = { byHand: new Set<string>(), named: new Set<string>(), observed: [] };
    const wrong = () =>
      violations(engine.entries, remoteObjects(emulator), { ...none, observed: engine.observed });
    expect(await engine.up(scenario.before)).toMatchObject({ succeeded: true, errors: [] });

    const rule = ruleOf(mishap, scenario.operation, emulator);
    const fault = emulator.fault(rule);
    const next = mishap.next && emulator.fault(ruleOf(mishap.next, scenario.operation, emulator));
    const [group, verb] = scenario.operation.split(".");
    const reads =
      mishap.refusesReads &&
      emulator.fault({
        // Without the list, nobody could tell which object a creation made.
        matches: ({ operation }) =>
          fault.hits > 0 &&
          (operation === `${group}.get` || (operation === `${group}.list` && verb !== "create")),
        times: Number.POSITIVE_INFINITY,
        action: { status: 403 },
      });
    if (rule.action === "hang") timeoutMs = IMPATIENT_MS;
    const faulty = await engine.up(scenario.after);
    next?.remove();
    reads?.remove();
    timeoutMs = PATIENT_MS;
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
    const known = new Set(engine.entries.map(({ id }) => id));
    const left = remoteObjects(emulator).filter(({ id }) => !known.has(id));
    const unnamed = left.filter(({ id }) => !engine.observed.some((text) => text.includes(id)));
    expect(unnamed, "what is left is named by its id").toEqual([]);
    const kinds = [...scenario.after, ...left]
      .map(({ kind }) => kind)
      .filter((kind) => kind !== "ClusterDefaultQueue");
    expect(
      remoteObjects(emulator)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(kinds.sort());
    expect(left.length).toBeLessThanOrEqual(1);

    const tokens = left.filter(({ kind }) => kind === "AgentToken");
    for (const { id } of tokens) {
      // Deleting the cluster would delete a token that the stack doesn't own. The error names it, and it is revoked.
      const { succeeded, errors } = await engine.destroy();
      expect(succeeded).toBe(false);
      expect(errors.join("\n")).toContain(id);
      emulator.organizationData.agentTokens.delete(id);
    }
    expect(await engine.destroy()).toMatchObject({ succeeded: true });
    expect(remoteObjects(emulator)).toEqual(left.filter((object) => !tokens.includes(object)));
    const outcome = faulty.succeeded ? "done" : "error";
    return left.length === 0 ? outcome : `${outcome} + 1`;
  } finally {
    await emulator.close();
  }
}

/** The first requests of a process wait for code that is loaded then. */
beforeAll(async () => {
  const emulator = await startEmulator({ seed: false });
  const engine = new ModelEngine(() => new DynamicBackend(Driver.for(emulator)));
  for (const { purpose, after } of scenarios) if (purpose === "create") await engine.up(after);
  await emulator.close();
}, PATIENT_MS);

describe.concurrent.each(scenarios)("$operation ($purpose)", (scenario) => {
  test.for(mishaps)("$name", async (mishap, { expect }) => {
    outcomes.set(keyOf(scenario, mishap), await suffer(scenario, mishap, expect));
  });
});

/** The table as it was found. */
function table(): string {
  const cell = (text: string) => (text.includes(",") ? `"${text}"` : text);
  const heads = ["operation", "for", ...mishaps.map(({ name }) => name.replaceAll("`", ""))];
  const rows = scenarios.map((scenario) => [
    scenario.operation,
    scenario.purpose,
    ...mishaps.map((mishap) => outcomes.get(keyOf(scenario, mishap)) ?? "violated"),
  ]);
  return [heads, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
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
