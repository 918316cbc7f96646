import type { StackState } from "../inventory/stack-export.js";
import { deployed, planOf } from "../report/plan.js";
import type { Preview } from "../report/preview.js";
import { Queue } from "../resources/queue.js";
import { type Change, disappears } from "../review/change.js";

/**
 * Changes of the queues that a deployment deletes or replaces, those of deleted clusters and those that an earlier
 * deployment left included.
 *
 * @param state what the stack has today, which shows every deletion that is pending
 */
export function queuesThatDisappear(preview: Preview, state?: StackState): Change[] {
  return deployed(planOf(preview, state)).filter(
    (change) => change.kind === Queue.kind.name && disappears(change),
  );
}
