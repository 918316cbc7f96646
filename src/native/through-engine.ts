import type * as pulumi from "@pulumi/pulumi";
import type * as functions from "../lookups/index.js";
import { invoke, invokeOutput } from "../lookups/invoke/engine.js";

/**
 * The functions, served by the plugin through the engine. Their arguments, results and documentation are the main
 * entry's. The plugin returns the result of the function with the same name, so the declared types apply.
 */

/** Makes the form of a function for known arguments. */
export function plain(
  name: keyof typeof functions,
): (args?: object, opts?: pulumi.InvokeOptions) => Promise<never> {
  return (args, opts) => invoke(name, args, opts) as Promise<never>;
}

/** Makes the form of a function for outputs. */
export function output(
  name: keyof typeof functions,
): (args?: object, opts?: pulumi.InvokeOutputOptions) => pulumi.Output<never> {
  return (args, opts) => invokeOutput(name, args, opts) as pulumi.Output<never>;
}
