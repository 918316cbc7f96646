import * as z from "zod";
import { type Diagnostic, diagnosticSchema, messagesOf } from "../project/diagnostics.js";
import { type Preview, type Step, stateSchema } from "./preview.js";

const eventSchema = z.object({
  sequence: z.number(),
  resourcePreEvent: z.object({ metadata: z.lazy(() => metadataSchema) }).optional(),
  resOutputsEvent: z.object({ metadata: z.lazy(() => metadataSchema) }).optional(),
  diagnosticEvent: diagnosticSchema.optional(),
});
const metadataSchema = z.object({
  op: z.string(),
  urn: z.string(),
  old: stateSchema.nullish(),
  new: stateSchema.nullish(),
  keys: z.array(z.string()).nullish(),
  diffs: z.array(z.string()).nullish(),
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * Reads the events that the engine logs, one on each line: `--event-log`, or `--json` with
 * `PULUMI_ENABLE_STREAMING_JSON_PREVIEW`. They have the same content as a preview's JSON, except which properties come
 * from which resources.
 *
 * @throws if the lines aren't such events
 */
export function readEventLog(lines: readonly unknown[]): Preview {
  const steps: Step[] = [];
  const diagnostics: Diagnostic[] = [];
  const refreshing = new Map<string, number>();
  for (const line of lines) {
    const { data: event } = eventSchema.safeParse(line);
    if (event === undefined) throw new Error("is neither a preview's JSON nor an event log of the engine.");
    const begun = event.resourcePreEvent?.metadata;
    if (begun) {
      if (begun.op === "refresh") refreshing.set(begun.urn, steps.length);
      steps.push(stepOf(begun));
    }
    // The result of a refresh is known at its end: the step is then an update or a deletion, or else a same.
    const ended = event.resOutputsEvent?.metadata;
    const index = ended && refreshing.get(ended.urn);
    if (ended && index !== undefined) {
      refreshing.delete(ended.urn);
      if (ended.op !== "same") steps[index] = stepOf(ended);
    }
    if (event.diagnosticEvent) {
      diagnostics.push(...messagesOf(event.diagnosticEvent));
    }
  }
  return { steps, diagnostics };
}

function stepOf(metadata: z.infer<typeof metadataSchema>): Step {
  return {
    op: metadata.op,
    urn: metadata.urn,
    oldState: metadata.old,
    newState: metadata.new,
    diffReasons: metadata.diffs,
    replaceReasons: metadata.keys,
    detailedDiff: metadata.detailedDiff,
  };
}
