import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { disappears } from "../../../src/cli/drawing/actions.js";
import { insideOf } from "../../../src/cli/drawing/topology.js";
import { type Preview, readEventLog, readPreview } from "../../../src/cli/pulumi/preview.js";
import { readStackState, type StackState } from "../../../src/cli/pulumi/stack-export.js";
import { startEmulator } from "../../../src/emulator/index.js";
import { queuesThatDisappear } from "../../../src/review/drain/queues.js";
import { findingsOf, readFindings } from "../../../src/review/findings/findings.js";
import { planOf } from "../../../src/review/plan/plan.js";
import { topologyOfPlan } from "../../../src/review/plan/topology.js";
import { nameOfUrn } from "../../../src/shared/protocol/urn.js";
import { clientOf } from "../../support/command.js";
import { linesOf, planFrom, recordedHere, reportOfPlan } from "./reports.js";

/** What record-options.mjs recorded of the real engine. */
const recorded = (name: string) => recordedHere(`options-${name}`);
const service: Record<string, Record<"before" | "after", Record<string, string>>> = recorded("service");
const state = readStackState(recorded("exclude-export"));
const events = readEventLog(linesOf(join(__dirname, "recorded", "options-exclude.jsonl")));

/** What a deployment does to each resource of the program: the option and the change are in its name. */
const ACTIONS = {
  // An object that stays isn't replaced: another one is created, and the state releases it.
  "retain-delete": "release",
  "retain-replace": "create, release",
  "retain-first": "create, release",
  "retain-token": "create, release",
  // The option as it is in state decides.
  "retain-begins": "replace",
  "retain-ends": "create, release",
  // forceDestroy of its cluster decides on the service.
  "retain-in-old": "delete",
  first: "replace",
  leader: "replace",
  "with-leader": "replace",
  protected: "update",
  old: "delete",
  "with-cluster": "delete",
  kept: "release",
  // Pulumi takes the deletion of another resource for the deletion of these, and the service doesn't.
  "with-kept-cluster": "release",
  "with-gone": "release",
  "with-replaced": "release",
  "moves-with-leader": "create, release",
  "with-farm": "delete",
  gone: "delete",
  lent: "release",
  adopted: "adopt",
};

const FORMS: [form: string, Preview, StackState | undefined][] = [
  ["its JSON", readPreview(recorded("exclude")), undefined],
  ["its JSON and the state", readPreview(recorded("exclude")), state],
  ["its JSON with a refresh and every step", readPreview(recorded("exclude-complete")), undefined],
  ["the engine's event log and the state", events, state],
];

/** Returns the objects that a deployment removed from the service, and the names of those that it made there. */
function difference(name: string) {
  const { before = {}, after = {} } = service[name] ?? {};
  return {
    gone: Object.keys(before)
      .filter((id) => !(id in after))
      .sort(),
    made: Object.keys(after)
      .flatMap((id) => (id in before ? [] : (after[id] ?? "")))
      .sort(),
  };
}

/** Returns the same as a plan shows it. */
function planned({ changes }: ReturnType<typeof planOf>) {
  return {
    gone: changes
      .filter(disappears)
      .flatMap(({ id }) => id ?? [])
      .sort(),
    made: changes
      .filter(({ action }) => action === "create" || action === "replace")
      .map(({ after: { key, description } }) => key ?? description)
      .sort(),
  };
}

describe.each(FORMS)("Options that change a step, in a report of a preview from %s", (_, preview, given) => {
  const plan = planOf(preview, given);
  const kept = plan.changes.filter(({ action }) => action === "release");

  test("show each resource's action, as the next deployment carries it out", () => {
    const byName = Map.groupBy(plan.changes, ({ urn }) => nameOfUrn(urn));
    const actions = [...byName].map(([name, own]) => [
      name,
      own
        .map((one) => one.action)
        .sort()
        .join(", "),
    ]);
    expect(Object.fromEntries(actions)).toEqual(ACTIONS);
    expect(planned(plan)).toEqual(difference("exclude"));
  });

  test("keep what stays out of the dangers, of the queues to drain and of the impact", async () => {
    expect(kept.length).toBeGreaterThan(8);
    const about = new Set(findingsOf(plan).consequences.flatMap(({ of }) => of));
    const made = new Set(plan.changes.filter(({ action }) => action !== "release").map(({ urn }) => urn));
    expect(kept.filter(({ urn }) => about.has(urn) && !made.has(urn))).toEqual([]);
    const keys = queuesThatDisappear(preview, given).map(({ label }) => label);
    for (const { label } of kept) expect(keys).not.toContain(label);
    const emulator = await startEmulator({ seed: false });
    const client = clientOf(emulator);
    const options = { now: () => new Date(), requests: () => 0 };
    const { impact } = await readFindings(client, preview, given, options);
    expect(impact?.hits.map(({ change }) => change.label).sort()).toEqual(
      plan.changes
        // The deleted cluster's finding is about everything in it.
        .filter((one) => disappears(one) && one.place?.name !== "Old")
        .map(({ label }) => label)
        .sort(),
    );
    await client.close();
    await emulator.close();
  });

  test("draw and list an object that stays beside the one that is new", () => {
    for (const { action, name } of [
      { action: "create", name: "retain-replace-2" },
      { action: "release", name: "retain-replace" },
    ]) {
      const rows = reportOfPlan(plan).rows.filter((row) => row.action === action);
      expect(rows.flatMap(({ what, all = [] }) => [...what, ...all])).toContainEqual({ code: name });
    }
    const drawn = insideOf(topologyOfPlan(plan).nodes).map(({ name, change }) => `${name} ${change}`);
    expect(drawn).toEqual(expect.arrayContaining(["retain-replace release", "retain-replace-2 create"]));
    expect(drawn.filter((one) => one.startsWith("retain-replace"))).toHaveLength(2);
  });
});

test("A preview with --target shows what this deployment does, and no more", () => {
  expect(planned(planFrom(recorded("target")))).toEqual(difference("target"));
});

test("A preview that a protected resource stops is a failed one", () => {
  expect(planFrom(recorded("protected")).failed).toBe(true);
});
