import { planOf } from "../report/plan.js";
import type { Preview } from "../report/preview.js";
import { Queue } from "../resources/queue.js";

/** Ids of the queues that a preview deletes or replaces, those of deleted clusters included. */
export function queuesThatDisappear(preview: Preview): string[] {
  const { drift, resources } = planOf(preview);
  if (drift) return [];
  return resources.flatMap(({ kind, action, before }) =>
    kind === Queue.kind.name && (action === "delete" || action === "replace") && before?.id !== undefined
      ? [before.id]
      : [],
  );
}
