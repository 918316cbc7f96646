import {
  ConnectionError,
  NotFoundError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
} from "../client/index.js";

/** Returns whether a request got no response, or none of the service itself. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServerError;
}

/** Returns whether the same request may succeed a moment later. */
export function mayPass(error: unknown): boolean {
  return isUnreachable(error) || error instanceof RateLimitError || error instanceof UnexpectedResponseError;
}

/** Returns whether the API reports something as missing. It does the same where a permission is missing. */
export function isMissing(error: unknown): boolean {
  return error instanceof NotFoundError;
}
