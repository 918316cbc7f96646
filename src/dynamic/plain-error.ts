import { messageOf, printable } from "../provider/errors.js";

/**
 * An error as the dynamic-provider host should see it. The host prints `${error}: ${error.stack}` and the engine
 * shows all of it: without name and stack, that is one clean line.
 */
export function plainError(cause: unknown, extra: object = {}): Error {
  const error = new Error(printable(messageOf(cause)));
  error.name = "";
  error.stack = "";
  return Object.assign(error, extra);
}
