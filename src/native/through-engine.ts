import type * as pulumi from "@pulumi/pulumi";
import type * as functions from "../lookups/index.js";
import { invoke, invokeOutput } from "../lookups/invoke/engine.js";

/**
 * The functions, answered by the plugin through the engine. Arguments, results and their documentation are those of the
 * other entry: the plugin answers with what the function of the same name finds, so the type that is declared for each
 * is its result's.
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
