import type { StateResource } from "../inventory/stack-export.js";
import type { FoundQueue } from "./queue-name.js";

/**
 * Checks that no stack manages pausing of the queues: a pause behind its back would be drift.
 *
 * @throws for the first queue with managed pausing
 */
export function requireUnmanaged(found: readonly FoundQueue[], resources: readonly StateResource[]): void {
  for (const { queue } of found) {
    const reason = managedPause(queue.id, resources);
    if (reason !== undefined) throw new Error(`${queue.key}: ${reason}`);
  }
}

/** Why a stack does not leave pausing of a queue to others; undefined if it does, or does not have the queue. */
function managedPause(queueId: string, resources: readonly StateResource[]): string | undefined {
  const resource = resources.find(
    ({ id, pendingDeletion, inputs }) =>
      id === queueId && !pendingDeletion && inputs.dispatchPaused !== undefined,
  );
  if (resource === undefined) return undefined;
  const value = String(resource.inputs.dispatchPaused);
  return (
    `The stack manages pausing of this queue (${resource.urn} has dispatchPaused: ${value}), so a pause by \`drain\` ` +
    "would be drift, and the next `pulumi up` would undo it. Nothing was sent. Leave dispatchPaused out of the program " +
    "and deploy that first, or set it to true and deploy that instead of draining."
  );
}
