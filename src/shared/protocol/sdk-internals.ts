/** Names in the SDK's own objects that it neither documents nor declares. */

/** Promise of a component's data: it resolves when the component is complete, for a stack when the program has ended. */
export const COMPONENT_DATA = "__data";
/** Set of a resource's children. */
export const CHILDREN = "__childResources";
/** A resource's transformations, with those of its parents. */
export const TRANSFORMATIONS = "__transformations";
/** Marks an error that Pulumi prints without its stack. */
export const RUN_ERROR = "__pulumiRunError";

/** Checks whether the program has given the engine functions to call, such as transforms of the stack, or hooks. */
export function hasCallbacks(): boolean {
  const { getStore }: { getStore(): { callbacks?: unknown } } = require("@pulumi/pulumi/runtime/state.js");
  return getStore().callbacks !== undefined;
}
