import type * as pulumi from "@pulumi/pulumi";

/**
 * Returns Pulumi's SDK, loaded on the first call. Its automation API and the TypeScript compiler take most of the
 * start-up time of a command that only reads descriptions.
 */
export function sdk(): typeof pulumi {
  return require("@pulumi/pulumi");
}

/** Returns the value that makes an Output an unknown one, whatever its type. */
export function unknownValue(): never {
  return sdk().unknown as never;
}

// Below: names in the SDK's own objects that it neither documents nor declares.

/** Promise of a component's data: it resolves when the component is complete, for a stack when the program has ended. */
export const COMPONENT_DATA = "__data";
export const CHILDREN = "__childResources";
/** A resource's transformations, with those of its parents. */
export const TRANSFORMATIONS = "__transformations";
/** Marks an error that Pulumi prints without its stack. */
export const RUN_ERROR = "__pulumiRunError";

/** Waits for an output, and returns undefined if its value is unknown. Pulumi's own functions take a stack trace for it. */
export async function promiseOf(output: unknown): Promise<unknown> {
  const { promise } = Object(output);
  return typeof promise === "function" ? promise() : undefined;
}

interface Constructing<Args> {
  withLocalStorage<Result>(work: () => Promise<Result>): Promise<Result>;
  awaitFeatureSupport(): Promise<void>;
  deserializeInputs(inputs: unknown, dependencies: unknown): Promise<Args>;
  hookBindingFromProto?(hooks: unknown): pulumi.ResourceHookBinding | undefined;
  waitForRPCs(): Promise<void>;
}

/** Loads what a component needs: the SDK's runtime takes most of the start-up time. */
export function constructing<Args>(): Constructing<Args> {
  return {
    ...require("@pulumi/pulumi/runtime/state.js"),
    ...require("@pulumi/pulumi/runtime/settings.js"),
    ...require("@pulumi/pulumi/runtime/resource.js"),
    ...require("@pulumi/pulumi/provider/server.js"),
  };
}

/** Checks whether the program has given the engine functions to call, such as transforms of the stack, or hooks. */
export function hasCallbacks(): boolean {
  const { getStore }: { getStore(): { callbacks?: unknown } } = require("@pulumi/pulumi/runtime/state.js");
  return getStore().callbacks !== undefined;
}
