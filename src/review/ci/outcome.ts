import * as z from "zod";
import type { StackState } from "../../cli/pulumi/stack-export.js";
import type { ListedStack } from "../../cli/pulumi/stack-listing.js";
import { counted } from "../../shared/messages/nouns.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { readCode, withCodeOf } from "../../shared/protocol/message-codes.js";
import { commitOf, isAncestor, workTreeOf } from "../projects/changes.js";

/** How a stack can end, the worst first, with the exit code of a run in which nothing ended worse. */
export const ENDS = {
  /** A signal stopped the run. What Pulumi had begun is recorded. */
  interrupted: 130,
  failed: 2,
  /** It reads a stack that didn't succeed, so it was not started. */
  skipped: 2,
  /** By a policy, by agents that keep a queue from being deleted, or by the brake. */
  refused: 4,
  /** Nobody approved what a deployment would do now: it needs a new plan. */
  waits: 5,
  /** Changed outside of the program. */
  changed: 1,
  planned: 0,
  deployed: 0,
  unchanged: 0,
} as const;

export type End = keyof typeof ENDS;
const ORDER = Object.keys(ENDS) as readonly End[]; // Its keys are all ends, by its type.

const outcomeSchema = z.object({
  end: z.enum(ORDER),
  reason: z.string().optional(),
  next: z.string().optional(),
  /** That of the message which is the reason; or `brake`: the plan deletes so much that a deployment needs the key. */
  code: z.string().optional(),
  key: z.string().optional(),
  /** The commit that was previewed; null outside of a repository. */
  commit: z.string().nullable().optional(),
  /** Files that differed from the commit. */
  uncommitted: z.array(z.string()).optional(),
  /** When the state was saved that the preview read. */
  savedAt: z.string().optional(),
});

/** How one stack ended: the exit code, the report and the JSON derive from it. */
export type JobOutcome = z.infer<typeof outcomeSchema>;

/** A sentence, and the code of the message that it was. */
export type Reason = Pick<JobOutcome, "code"> & { readonly reason: string };

export type StackOutcome = JobOutcome & { readonly stack: ListedStack };

export function readOutcome(value: unknown): JobOutcome {
  const parsed = outcomeSchema.safeParse(value);
  if (!parsed.success) throw new Error("is not an outcome that `buildpipeline ci` wrote.");
  return parsed.data;
}

export const INTERRUPTED: JobOutcome = {
  end: "interrupted",
  reason: "A signal stopped it.",
  next: "Run it again.",
};

export function failure(error: unknown, interrupted?: AbortSignal): JobOutcome {
  // A signal to the whole process group also ends what only reads: the Pulumi CLI, or Git.
  if (interrupted?.aborted === true) return INTERRUPTED;
  return { end: "failed", ...reasonIn(withCodeOf(messageOf(error), error)) };
}

/** Returns the sentence and the code of a message. */
export function reasonIn(given: string): Reason {
  const { message, code } = readCode(given);
  return { reason: message, ...(code && { code: code.name }) };
}

/** Checks whether the stacks that read this one may go on. */
export function succeeded({ end }: JobOutcome): boolean {
  return ENDS[end] === 0;
}

export function exitCodeOf(outcomes: readonly JobOutcome[]): number {
  const worst = ORDER.find((end) => outcomes.some((outcome) => outcome.end === end));
  return worst === undefined ? 0 : ENDS[worst];
}

export function outcomeInWords({ end, reason, next }: JobOutcome): string {
  const sentence = reason === undefined ? `${end}.` : `${end}: ${reason}`;
  return next === undefined ? sentence : `${sentence} ${next}`;
}

export function outcomesInWords(outcomes: readonly JobOutcome[]): string {
  const counts = ORDER.flatMap((end) => {
    const { length } = outcomes.filter((outcome) => outcome.end === end);
    return length === 0 ? [] : [`${length} ${end}`];
  });
  return `${counted(outcomes.length, "stack")}: ${counts.join(", ") || "nothing to do"}.`;
}

export async function basisNow(
  repository: string,
  { writtenAt }: StackState,
): Promise<Pick<JobOutcome, "commit" | "uncommitted" | "savedAt">> {
  const { commit, uncommitted } = await workTreeOf(repository);
  return {
    commit: commit ?? null,
    ...(uncommitted.length > 0 && { uncommitted: [...uncommitted] }),
    ...(writtenAt !== undefined && { savedAt: writtenAt }),
  };
}

/** Returns why a plan may no longer be what a deployment would do. */
export async function staleness(
  plan: JobOutcome,
  repository: string,
  { writtenAt }: StackState,
): Promise<string | undefined> {
  const head = await commitOf(repository);
  if (plan.commit !== (head ?? null)) {
    const of = plan.commit == null ? "no commit" : `commit ${plan.commit}`;
    if (plan.commit == null || head === undefined || !(await isAncestor(repository, plan.commit)))
      return `Its plan is of ${of}, which is not an ancestor of ${head ?? "this folder, because it is in no repository"}.`;
  }
  if (plan.savedAt !== writtenAt)
    return "The stack's state changed since its plan was made, by a deployment or a refresh.";
  return undefined;
}
