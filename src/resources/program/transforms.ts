import type * as pulumi from "@pulumi/pulumi";
import { sdk } from "../../protocol/sdk.js";
import { hasCallbacks, TRANSFORMATIONS } from "../../protocol/sdk-internals.js";

/**
 * Checks whether a transform may change a resource after its constructor has validated it: a transform of the resource,
 * of what it lives in, or of the stack. The SDK doesn't tell a stack's transforms from hooks. It keeps nothing of the
 * option `transforms` of a component, which can't be detected.
 */
export function mayBeTransformed(options: pulumi.CustomResourceOptions): boolean {
  const parent = options.parent ?? sdk().runtime.getStackResource();
  const inherited: unknown = parent && Reflect.get(parent, TRANSFORMATIONS);
  const lists = [options.transforms, options.transformations, inherited];
  return lists.some((list) => Array.isArray(list) && list.length > 0) || hasCallbacks();
}
