import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { queuesThatDisappear } from "../../../src/commands/drain/queues.js";
import { disappears } from "../../../src/commands/shared/drawing/actions.js";
import { planOf } from "../../../src/commands/shared/plan/plan.js";
import { type Preview, readEventLog, readPreview } from "../../../src/commands/shared/pulumi/preview.js";
import { readStackState, type StackState } from "../../../src/commands/shared/pulumi/stack-export.js";
import { nameOfUrn } from "../../../src/shared/protocol/urn.js";
import { linesOf, recordedHere } from "./reports.js";

/** What record-deletions.mjs recorded of the real engine, and what the service had before and after the deployment. */
const state = readStackState(recordedHere("deletions-export"));
const service: Record<"before" | "after", Record<string, string>> = recordedHere("deletions-service");
const events = readEventLog(linesOf(join(__dirname, "recorded", "deletions.jsonl")));

/** Tokens of which a plain preview has no step: a replacement deletes them, and the program no longer declares them. */
const UNSEEN = /^chain-removed-(?:with-root|leader|with-leader|other)$/;
/** What is deleted with them counts as deleted there, although it stays. */
const WITH_UNSEEN = /^chain-removed-(?:at-the-end|later)$/;
const ALL = /$^/;

const FORMS: [form: string, Preview, StackState | undefined, unseen: RegExp, tooMany: RegExp][] = [
  ["its JSON", readPreview(recordedHere("deletions")), undefined, UNSEEN, WITH_UNSEEN],
  ["its JSON and the state", readPreview(recordedHere("deletions")), state, UNSEEN, WITH_UNSEEN],
  ["its JSON with every step", readPreview(recordedHere("deletions-complete")), undefined, ALL, ALL],
  ["the engine's event log and the state", events, state, ALL, ALL],
];

const names = new Map(state.resources.map(({ id, urn }) => [id, nameOfUrn(urn)]));
const deleted = state.resources.filter(({ id }) => !(id in service.after)).map(({ urn }) => nameOfUrn(urn));

describe.each(FORMS)(
  "Deletions with other deletions, in a preview from %s",
  (_, preview, given, unseen, tooMany) => {
    test("are shown as the next deployment sends them, whatever order Pulumi deletes in", () => {
      const { deployed } = planOf(preview, given);
      const shown = deployed.filter(disappears).map(({ id }) => names.get(id ?? "") ?? "");
      expect(deleted.length).toBeGreaterThan(30);
      expect(shown.filter((name) => !tooMany.test(name)).sort()).toEqual(
        deleted.filter((name) => !unseen.test(name)).sort(),
      );
    });

    test("are drained if they are queues, and no queue is that stays", () => {
      const queues = queuesThatDisappear(preview, given).map(({ id }) => names.get(id ?? "") ?? "");
      const isQueue = (name: string) =>
        state.resources.some((one) => nameOfUrn(one.urn) === name && one.kind === "Queue");
      expect(queues.filter((name) => !tooMany.test(name)).sort()).toEqual(deleted.filter(isQueue).sort());
    });
  },
);
