import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { disappears } from "../../../src/cli/drawing/actions.js";
import { type Preview, readEventLog, readPreview } from "../../../src/cli/pulumi/preview.js";
import { readStackState, type StackState } from "../../../src/cli/pulumi/stack-export.js";
import { queuesThatDisappear } from "../../../src/review/drain/queues.js";
import { planOf } from "../../../src/review/plan/plan.js";
import { nameOfUrn } from "../../../src/shared/protocol/urn.js";
import { linesOf, recordedHere } from "./reports.js";

/** What record-deletions.mjs recorded of the real engine, and what the service had before and after the deployment. */
const state = readStackState(recordedHere("deletions-export"));
const service: Record<"before" | "after", Record<string, string>> = recordedHere("deletions-service");
const plain = readPreview(recordedHere("deletions"));
const complete = readPreview(recordedHere("deletions-complete"));
const events = readEventLog(linesOf(join(__dirname, "recorded", "deletions.jsonl")));

const deleted = state.resources.filter(({ id }) => !(id in service.after));
/** What a replacement deletes and the program no longer declares: Pulumi shows it only with --show-replacement-steps. */
const stepsOf = (preview: Preview, urn: string) => preview.planned.filter((step) => step.urn === urn);
const unseen = new Set(
  deleted.flatMap(({ urn }) =>
    stepsOf(complete, urn).length > 0 && stepsOf(plain, urn).length === 0 ? urn : [],
  ),
);
/** It seems to be deleted where what it is deleted with is unseen. */
const stays = new Set(
  state.resources.flatMap(({ urn, deletedWith = "" }) => (unseen.has(deletedWith) ? urn : [])),
);

const FORMS: [form: string, Preview, StackState | undefined, isPlain: boolean][] = [
  ["its JSON", plain, undefined, true],
  ["its JSON and the state", plain, state, true],
  ["its JSON with every step", complete, undefined, false],
  ["the engine's event log and the state", events, state, false],
];

describe.each(FORMS)("Deletions with other deletions, in a preview from %s", (_, preview, given, isPlain) => {
  const isShown = ({ urn }: { readonly urn: string }) => !isPlain || !(unseen.has(urn) || stays.has(urn));
  const named = (all: readonly { readonly urn: string }[]) =>
    all
      .filter(isShown)
      .map(({ urn }) => nameOfUrn(urn))
      .sort();

  test("are shown as the next deployment sends them, whatever order Pulumi deletes in", () => {
    expect(deleted.length).toBeGreaterThan(60);
    expect(unseen.size).toBeGreaterThan(4);
    expect(named(planOf(preview, given).deployed.filter(disappears))).toEqual(named(deleted));
  });

  test("are drained if they are queues, and no queue is that stays", () => {
    const queues = deleted.filter(({ kind }) => kind === "Queue");
    expect(named(queuesThatDisappear(preview, given))).toEqual(named(queues));
  });
});
