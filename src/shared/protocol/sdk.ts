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
