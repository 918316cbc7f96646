import type * as pulumi from "@pulumi/pulumi";
import { sdk } from "../../protocol/sdk.js";
import { functionToken } from "../../protocol/type-token.js";
import { toInputs } from "./arguments.js";

/** Calls a function through the engine: the plugin answers it, or the mocks of a unit test. */
export function invoke(name: string, args: object = {}, opts: pulumi.InvokeOptions = {}): Promise<unknown> {
  return sdk().runtime.invoke(functionToken(name), toInputs(args), opts);
}

/** The same for the `…Output` form: unknown as long as an argument or `dependsOn` is. */
export function invokeOutput(
  name: string,
  args: object = {},
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<unknown> {
  return sdk().runtime.invokeOutput(functionToken(name), toInputs(args), opts);
}
