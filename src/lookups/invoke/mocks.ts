import * as pulumi from "@pulumi/pulumi";
import { toInputs } from "./arguments.js";

/**
 * Whether a unit test has called `pulumi.runtime.setMocks`. The SDK does not export the class of the monitor that it
 * then uses, which is the only one that has mocks.
 */
export function hasMocks(): boolean {
  const monitor: object | undefined = pulumi.runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}

/** Has the mocks answer a lookup, as they answer the functions of every package. */
export function invokeMock(
  name: string,
  args: object = {},
  opts: pulumi.InvokeOptions = {},
): Promise<unknown> {
  return pulumi.runtime.invoke(token(name), toInputs(args), opts);
}

/** The same for the `…Output` form: unknown as long as an argument or `dependsOn` is. */
export function invokeMockOutput(
  name: string,
  args: object = {},
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<unknown> {
  return pulumi.runtime.invokeOutput(token(name), toInputs(args), opts);
}

function token(name: string): string {
  return `buildpipeline:index:${name}`;
}
