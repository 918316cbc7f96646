import * as z from "zod";
import { withoutCredentials } from "../../shared/messages/secrets.js";
import { type Diagnostic, diagnosticSchema, engineEvent } from "./events.js";
import { entryOf, type Step, stepSchema } from "./state.js";

/** Content of `pulumi preview --json`, or of `pulumi refresh --preview-only --json`. */
export interface Preview {
  /** Steps of a refresh, one for each resource in state. Empty without a refresh. */
  readonly refreshed: readonly Step[];
  readonly planned: readonly Step[];
  readonly diagnostics: readonly Diagnostic[];
  /** How many resources there are of each operation, which the end of the output says. Undefined without an end. */
  readonly counts?: Readonly<Record<string, number>> | undefined;
}

const previewSchema = z.object({
  steps: z.array(stepSchema).nullish(),
  diagnostics: z.array(diagnosticSchema).nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
  duration: z.number().optional(),
});

/** Returns whether a preview ended with errors, or lacks a part of its output, so that it may lack steps. */
export function hasFailed({ diagnostics }: Preview): boolean {
  return diagnostics.some(isError);
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

/** A refresh of a stack without resources, of which Pulumi prints the duration alone. */
export const NO_STEPS: Preview = { refreshed: [], planned: [], diagnostics: [], counts: {} };

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
  const { steps, diagnostics, changeSummary, duration } = previewSchema.safeParse(value).data ?? {};
  if (!(steps ?? diagnostics ?? changeSummary)) {
    if (duration !== undefined) return NO_STEPS;
    throw new Error("is not what `pulumi preview --json` prints: it has no steps.");
  }
  return failingUnlessWhole({
    ...phasesOf(steps ?? []),
    diagnostics: (diagnostics ?? []).flat(),
    counts: changeSummary ?? undefined,
  });
}

export function withoutCredentialsIn(printed: string): string {
  const preview: { diagnostics?: { message: string }[] | null } = JSON.parse(printed);
  for (const one of preview.diagnostics ?? []) one.message = withoutCredentials(one.message);
  return JSON.stringify(preview, undefined, 2);
}

/** Returns the errors that `pulumi preview --json` printed before it failed. None if it printed no JSON. */
export function errorsIn(printed: string): string[] {
  try {
    const { diagnostics } = previewSchema.parse(JSON.parse(printed));
    return (diagnostics ?? [])
      .flat()
      .filter(isError)
      .map(({ message }) => message);
  } catch {
    return [];
  }
}

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
  let last = 0;
  for (const line of lines) {
    const event = engineEvent(line);
    if (event?.sequence === undefined)
      throw new Error("is neither a preview's JSON nor an event log of the engine.");
    // The engine numbers the events of a run, so lower numbers are those of another run, perhaps of another stack.
    if (event.sequence < last)
      throw new Error("has the event logs of two runs. Write each of them to a file of its own.");
    last = event.sequence;
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
      // What is the same to a program may have other outputs.
      steps[index] = ended.op === "same" ? { ...ended, op: "refresh" } : ended;
    }
    diagnostics.push(...(event.diagnosticEvent ?? []));
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
