import type { StateResource } from "../inventory/stack-export.js";

/** Why a stack does not leave pausing of a queue to others; undefined if it does, or does not have the queue. */
export function managedPause(queueId: string, resources: readonly StateResource[]): string | undefined {
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
