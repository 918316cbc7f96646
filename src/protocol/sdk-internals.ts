/** Names in the SDK's own objects that it neither documents nor declares. */

/** Promise of a component's data: it resolves when the component is complete, for a stack when the program has ended. */
export const COMPONENT_DATA = "__data";
/** Set of a resource's children. */
export const CHILDREN = "__childResources";
/** Marks an error that Pulumi prints without its stack. */
export const RUN_ERROR = "__pulumiRunError";
