import { commitOf, isAncestor, uncommittedIn } from "../projects/git.js";
import type { StackState } from "../shared/pulumi/stack-export.js";
import type { Outcome } from "./outcome.js";

/** What a plan was made from. */
export type Basis = Pick<Outcome, "commit" | "uncommitted" | "savedAt">;

/** Returns what a preview is made from now. */
export async function basisNow(repository: string, { writtenAt }: StackState): Promise<Basis> {
  const commit = await commitOf(repository);
  const uncommitted = await uncommittedIn(repository);
  return {
    commit: commit ?? null,
    ...(uncommitted.length > 0 && { uncommitted }),
    ...(writtenAt !== undefined && { savedAt: writtenAt }),
  };
}

/** Returns why a plan is no longer what a deployment would do, or undefined if nothing speaks against it. */
export async function staleness(
  plan: Basis,
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
