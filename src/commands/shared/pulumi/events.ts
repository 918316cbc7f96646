import * as z from "zod";
import { diagnosticSchema } from "./diagnostics.js";
import { type Step, stateSchema, stepSchema } from "./state.js";

/** A step as an event has it, under other names than a preview's JSON. */
const metadataSchema = stepSchema
  .pick({ op: true, urn: true, detailedDiff: true })
  .extend({
    old: stateSchema.nullish(),
    new: stateSchema.nullish(),
    keys: z.array(z.string()).nullish(),
    diffs: z.array(z.string()).nullish(),
  })
  .transform(({ old, new: next, keys, diffs, ...step }): Step => {
    return { ...step, oldState: old, newState: next, replaceReasons: keys, diffReasons: diffs };
  });
const resourceEventSchema = z.object({ metadata: metadataSchema, planning: z.boolean().optional() });
const eventSchema = z.object({
  sequence: z.number().optional(),
  resourcePreEvent: resourceEventSchema.optional(),
  resOutputsEvent: resourceEventSchema.optional(),
  resOpFailedEvent: resourceEventSchema.optional(),
  diagnosticEvent: diagnosticSchema.optional(),
  policyEvent: z
    .object({
      policyName: z.string(),
      resourceUrn: z.string().optional(),
      message: z.string(),
      enforcementLevel: z.string(),
    })
    .optional(),
  summaryEvent: z
    .object({
      isPreview: z.boolean().optional(),
      resourceChanges: z.record(z.string(), z.number()).nullish(),
    })
    .optional(),
  /** The last event of any command, whether it succeeded or not. */
  cancelEvent: z.object({}).optional(),
});

/** Returns an event of the engine, of any command; undefined for anything else. */
export function engineEvent(line: unknown): z.infer<typeof eventSchema> | undefined {
  return eventSchema.safeParse(line).data;
}
