import type * as pulumi from "@pulumi/pulumi";
import { sdk } from "../../../shared/protocol/sdk.js";
import { functionToken } from "../../../shared/protocol/type-token.js";
import { toInputs } from "./arguments.js";

/**
 * Calls of functions through the engine: the plugin answers them, or the mocks of a unit test. Their arguments, results and
 * documentation are the main entry's. The result is that of the function with the same name, so the declared types apply.
 */

export function plain(name: string) {
  return (args: object = {}, opts: pulumi.InvokeOptions = {}) =>
    sdk().runtime.invoke(functionToken(name), toInputs(args), opts) as Promise<never>;
}

export function output(name: string) {
  return (args: object = {}, opts: pulumi.InvokeOutputOptions = {}) =>
    sdk().runtime.invokeOutput(functionToken(name), toInputs(args), opts) as pulumi.Output<never>;
}
