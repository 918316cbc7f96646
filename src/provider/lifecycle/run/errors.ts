import { ConnectionError, NotFoundError, ServerError, TimeoutError } from "../../../client/index.js";
import { cut, shownByEngine } from "../../../shared/messages/foreign-text.js";
import { messageOf } from "../../../shared/messages/of-error.js";
import { inSentence, withCodeOf } from "../../../shared/protocol/message-codes.js";

export { messageOf };

/** An error's message travels in an HTTP/2 header, where a character takes up to 12 bytes of at most 64 KB. */
const LONGEST = 2_000;

export function sendableMessage(cause: unknown): string {
  const message = withCodeOf(messageOf(cause), cause);
  return shownByEngine(inSentence(message, (sentence) => cut(sentence, LONGEST)));
}

/** Returns whether a request got no response, or none of the service itself. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServerError;
}

/** Returns whether the API reports something as missing. It does the same where a permission is missing. */
export function isMissing(error: unknown): boolean {
  return error instanceof NotFoundError;
}
