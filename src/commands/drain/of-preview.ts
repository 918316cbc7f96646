import { Queue } from "../../provider/resources/queue.js";
import { disappears } from "../shared/drawing/actions.js";
import type { Change } from "../shared/plan/change.js";
import { planOf } from "../shared/plan/plan.js";
import type { Preview } from "../shared/pulumi/preview.js";
import type { StackState } from "../shared/pulumi/stack-export.js";

/**
 * Changes of the queues that a deployment deletes or replaces, those of deleted clusters and those that an earlier
 * deployment left included.
 *
 * @param state what the stack has today, which shows every deletion that is pending
 */
export function queuesThatDisappear(preview: Preview, state?: StackState): Change[] {
  return planOf(preview, state).deployed.filter(
    (change) => change.kind === Queue.kind.name && disappears(change),
  );
}
