import * as z from "zod";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { kindOfType } from "../../../shared/protocol/type-token.js";
import { typeOfUrn } from "../../../shared/protocol/urn.js";
import { type Diagnostic, diagnosticSchema, messagesOf } from "../pulumi/diagnostics.js";
import { dependenciesSchema } from "../pulumi/stack-export.js";

/** A resource as a step of a preview has it, before or after. */
export type State = z.infer<typeof stateSchema>;

/** One step of a preview. */
export type Step = z.infer<typeof stepSchema>;

/** Content of `pulumi preview --json`, or of `pulumi refresh --preview-only --json`. */
export interface Preview {
  /** Steps of a refresh, one for each resource in state. Empty without a refresh. */
  readonly refreshed: readonly Step[];
  /** Steps of the preview, after those of the refresh. */
  readonly planned: readonly Step[];
  /** Messages of the engine, the program and the provider, without colors. */
  readonly diagnostics: readonly Diagnostic[];
  /** How many resources there are of each operation, which the end of the output says. Undefined without an end. */
  readonly counts?: Readonly<Record<string, number>> | undefined;
}

const properties = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((all) => all ?? {});
/** A resource before or after a step. */
const stateSchema = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  /** False for a component. */
  custom: z.boolean().optional(),
  /** An earlier deployment replaced it; or this preview does. */
  delete: z.boolean().optional(),
  external: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  /** The URN of a resource whose deletion is taken for this one's, so that Pulumi sends none. */
  deletedWith: z.string().optional(),
  parent: z.string().optional(),
  /** The line of the program: `project:///index.ts#22,15`. */
  sourcePosition: z.string().optional(),
  inputs: properties,
  outputs: properties,
  propertyDependencies: dependenciesSchema,
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
const countsSchema = z.record(z.string(), z.number()).nullish();
const previewSchema = z.object({
  steps: z.array(stepSchema).nullish(),
  diagnostics: z.array(diagnosticSchema).nullish(),
  changeSummary: countsSchema,
});

/** Returns whether a preview ended with errors, or lacks a part of its output, so that it may lack steps. */
export function hasFailed({ diagnostics }: Preview): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

const CUT_OFF =
  "Its output ends before the preview did: the command was stopped, or the file was cut off. Preview again.";

/** Operations that steps and counts both have. */
const COUNTED = ["create", "update", "replace", "delete", "import"];

/** A refresh counts a stack reference as an update if that stack has other outputs by now, and shows no such step. */
function isOfOtherStack({ op, oldState }: Step): boolean {
  return op === "refresh" && oldState?.external === true;
}

/** Returns whether all that a refresh found is what other stacks have by now. */
export function isOfOtherStacks({ refreshed }: Preview): boolean {
  return refreshed.some(isOfOtherStack) && refreshed.every(({ op }) => op === "refresh");
}

/** Makes a preview a failed one if a part of it is missing, because it then shows less than a deployment changes. */
function failingUnlessWhole(preview: Preview): Preview {
  const { counts, refreshed, planned, diagnostics } = preview;
  const steps = planned.length > 0 ? planned : refreshed;
  const isWhole = COUNTED.every(
    (op) => steps.filter((step) => step.op === op || isOfOtherStack(step)).length >= (counts?.[op] ?? 0),
  );
  if ((counts !== undefined && isWhole) || hasFailed(preview)) return preview;
  return { ...preview, diagnostics: [...diagnostics, { severity: "error", message: CUT_OFF }] };
}

/** @throws when the value is not what `pulumi preview --json` prints */
export function readPreview(value: unknown): Preview {
  const parsed = previewSchema.safeParse(value);
  if (!parsed.success || !(parsed.data.steps ?? parsed.data.diagnostics ?? parsed.data.changeSummary)) {
    throw new Error("is not what `pulumi preview --json` prints: it has no steps.");
  }
  const { steps, diagnostics, changeSummary } = parsed.data;
  return failingUnlessWhole({
    ...phasesOf(steps ?? []),
    diagnostics: (diagnostics ?? []).flatMap(messagesOf),
    counts: changeSummary ?? undefined,
  });
}

/** The same step as an event has it, under other names. */
const metadataSchema = z
  .object({
    op: z.string(),
    urn: z.string(),
    old: stateSchema.nullish(),
    new: stateSchema.nullish(),
    keys: z.array(z.string()).nullish(),
    diffs: z.array(z.string()).nullish(),
    detailedDiff: z.record(z.string(), z.unknown()).nullish(),
  })
  .transform(({ old, new: next, keys, diffs, ...step }): Step => {
    return { ...step, oldState: old, newState: next, replaceReasons: keys, diffReasons: diffs };
  });
const eventSchema = z.object({
  sequence: z.number(),
  resourcePreEvent: z.object({ metadata: metadataSchema }).optional(),
  resOutputsEvent: z.object({ metadata: metadataSchema }).optional(),
  diagnosticEvent: diagnosticSchema.optional(),
  summaryEvent: z.object({ resourceChanges: countsSchema }).optional(),
  /** The last event of any command, whether it succeeded or not. */
  cancelEvent: z.object({}).optional(),
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
  let counts: Preview["counts"];
  let hasEnded = false;
  for (const line of lines) {
    const { data: event } = eventSchema.safeParse(line);
    if (event === undefined) throw new Error("is neither a preview's JSON nor an event log of the engine.");
    const begun = event.resourcePreEvent?.metadata;
    if (begun) {
      if (begun.op === "refresh") refreshing.set(entryOf(begun), steps.length);
      steps.push(begun);
    }
    // The result of a refresh is known at its end: the step is then an update or a deletion, or else a same.
    const ended = event.resOutputsEvent?.metadata;
    const index = ended && refreshing.get(entryOf(ended));
    if (ended && index !== undefined) {
      refreshing.delete(entryOf(ended));
      if (ended.op !== "same") steps[index] = ended;
    }
    if (event.diagnosticEvent) diagnostics.push(...messagesOf(event.diagnosticEvent));
    counts = event.summaryEvent?.resourceChanges ?? counts;
    hasEnded ||= event.cancelEvent !== undefined;
  }
  return failingUnlessWhole({ ...phasesOf(steps), diagnostics, counts: hasEnded ? counts : undefined });
}

const OF_REFRESH = new Set(["refresh", "update", "delete"]);

/**
 * Separates the steps that the engine reports in one list. A refresh has one step for each entry of the state: an update
 * or a deletion if it found drift. The steps of a preview follow, that of the stack first.
 */
function phasesOf(steps: readonly Step[]): Pick<Preview, "refreshed" | "planned"> {
  if (!steps.some(({ op }) => op === "refresh")) return { refreshed: [], planned: steps };
  const seen = new Set<string>();
  const end = steps.findIndex((step) => {
    const again = seen.has(entryOf(step));
    seen.add(entryOf(step));
    return again || !OF_REFRESH.has(step.op);
  });
  return end < 0
    ? { refreshed: steps, planned: [] }
    : { refreshed: steps.slice(0, end), planned: steps.slice(end) };
}

/** A replaced object that is still to be deleted has an entry of its own, with the URN of its replacement. */
export function entryOf({ urn, oldState }: Pick<Step, "urn" | "oldState">): string {
  return `${urn} ${oldState?.id}`;
}

/** Returns inputs and outputs. In a preview, the outputs of a re-created resource are unknown, so its inputs are used. */
export function propertiesOf(state: State | undefined): Properties {
  return { ...state?.outputs, ...state?.inputs };
}

/** Returns the kind of the resource that a URN is of, when it is one of this package's. */
export function kindOfUrn(urn: string): string | undefined {
  return kindOfType(typeOfUrn(urn));
}
