/**
 * An error as the dynamic-provider host should see it. The host prints `${error}: ${error.stack}` and the engine
 * shows all of it: without name and stack, that is one clean line.
 */
export function plainError(cause: unknown, extra: object = {}): Error {
  const error = new Error(messageOf(cause));
  error.name = "";
  error.stack = "";
  return Object.assign(error, extra);
}

/** What an error says, whatever was thrown. */
export function messageOf(cause: unknown): string {
  if (cause instanceof Error && cause.message !== "") return cause.message;
  return cause === undefined || cause === null ? "Failed without telling why." : String(cause);
}
