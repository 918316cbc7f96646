import { ConnectionError, NotFoundError, ServerError, TimeoutError } from "../client/index.js";

/** Returns whether a request got no response, or none of the service itself. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServerError;
}

/** Returns whether the API reports something as missing. It does the same where a permission is missing. */
export function isMissing(error: unknown): boolean {
  return error instanceof NotFoundError;
}
