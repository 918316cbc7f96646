import * as z from "zod";
import { type Diagnostic, diagnosticSchema, messagesOf } from "../project/diagnostics.js";
import { kindOfType } from "../protocol/type-token.js";
import { typeOfUrn } from "../protocol/urn.js";

/** A resource as a step of a preview has it, before or after. */
export type State = z.infer<typeof stateSchema>;

/** One step of a preview. */
export type Step = z.infer<typeof stepSchema>;

/** Content of `pulumi preview --json`. */
export interface Preview {
  readonly steps: readonly Step[];
  /** Messages of the engine, the program and the provider, without colors. */
  readonly diagnostics: readonly Diagnostic[];
}

const properties = z.record(z.string(), z.unknown()).nullish();
/** A resource before or after a step. */
export const stateSchema = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  external: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  inputs: properties,
  outputs: properties,
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullable()).nullish(),
  additionalSecretOutputs: z.array(z.string()).nullish(),
});
const stepSchema = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: stateSchema.nullish(),
  newState: stateSchema.nullish(),
  diffReasons: z.array(z.string()).nullish(),
  replaceReasons: z.array(z.string()).nullish(),
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
});
const previewSchema = z.object({
  steps: z.array(stepSchema).nullish(),
  diagnostics: z.array(diagnosticSchema).nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

/** @throws when the value is not what `pulumi preview --json` prints */
export function readPreview(value: unknown): Preview {
  const parsed = previewSchema.safeParse(value);
  if (!parsed.success || !(parsed.data.steps ?? parsed.data.diagnostics ?? parsed.data.changeSummary)) {
    throw new Error("is not what `pulumi preview --json` prints: it has no steps.");
  }
  const { steps, diagnostics } = parsed.data;
  return {
    steps: steps ?? [],
    diagnostics: (diagnostics ?? []).flatMap(messagesOf),
  };
}

/** Returns the kind of the resource that a URN is of, when it is one of this package's. */
export function kindOfUrn(urn: string): string | undefined {
  return kindOfType(typeOfUrn(urn));
}
