import type { ClientEvent } from "../../../client/index.js";
import { capitalized } from "../../../shared/messages/nouns.js";
import { RateLimitWaits, rateLimitText } from "../../../shared/messages/rate-limit.js";
import type { Progress } from "../inventory/listing.js";
import { note, progress } from "./terminal.js";

/** Shows how much a command has read, and how long it waits for the rate limit. */
export class Waits {
  #limit: number | undefined;
  #listsLeft = 0;
  readonly #waits = new RateLimitWaits(
    () => performance.now(),
    (waitMs) => note(waitText(waitMs, this.#limit, this.#listsLeft)),
  );

  readonly onProgress = ({ kind, done, of, listsLeft }: Progress): void => {
    this.#listsLeft = listsLeft;
    progress(`${capitalized(kind.words.noun)}s read: ${done} of ${of}`);
  };

  readonly onEvent = (event: ClientEvent): void => {
    if (event.type === "retry") {
      // Waits after other failures end within a second or two.
      if (event.reason === "timeout") note(`No response to ${event.method} ${event.path}. Trying again.`);
      return;
    }
    this.#limit = event.limit;
    this.#waits.report(event.waitMs);
  };
}

/**
 * Describes a wait for the rate limit, and the time for the requests that are left if it takes more such waits.
 *
 * @param limit requests in a minute, where the API reports it
 */
export function waitText(waitMs: number, limit: number | undefined, requestsLeft: number): string {
  const wait = rateLimitText(waitMs);
  if (limit === undefined || limit === 0 || requestsLeft <= limit) return wait;
  const minutes = Math.ceil(waitMs / 60_000 + Math.ceil(requestsLeft / limit) - 1);
  return `${wait} ${requestsLeft} requests are left: about ${minutes} minutes at ${limit} a minute.`;
}
