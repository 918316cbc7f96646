import { sdk } from "../../protocol/sdk.js";

/**
 * Checks whether a unit test has called `pulumi.runtime.setMocks`. The SDK does not export the class of the monitor that it
 * then uses, which is the only one that has mocks.
 */
export function hasMocks(): boolean {
  const monitor: object | undefined = sdk().runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}
