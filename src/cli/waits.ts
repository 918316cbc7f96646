import type { ClientEvent } from "../client/index.js";
import type { Progress } from "../inventory/listing.js";
import { note, progress } from "./terminal.js";

/** Shows how far a command has read, and how long the rate limit makes it wait. */
export class Waits {
  #until = 0;
  #listsLeft = 0;

  readonly onProgress = ({ kind, done, of, listsLeft }: Progress): void => {
    this.#listsLeft = listsLeft;
    const [first = "", ...rest] = kind.words.noun;
    progress(`${first.toUpperCase()}${rest.join("")}s read: ${done} of ${of}`);
  };

  /** Reports each wait once: every request that waits for it announces it. */
  readonly onEvent = (event: ClientEvent): void => {
    if (event.type !== "rateLimit") return;
    const now = performance.now();
    if (now < this.#until) return;
    this.#until = now + event.waitMs;
    note(waitText(event.waitMs, event.limit, this.#listsLeft));
  };
}

/**
 * Describes a wait for the rate limit, and the time for the requests that are left if it takes more such waits.
 *
 * @param limit requests in a minute, where the API reports it
 */
export function waitText(waitMs: number, limit: number | undefined, requestsLeft: number): string {
  const wait = `Rate limit reached. Resuming in ${Math.ceil(waitMs / 1000)}s.`;
  if (limit === undefined || limit === 0 || requestsLeft <= limit) return wait;
  const minutes = Math.ceil(waitMs / 60_000 + Math.ceil(requestsLeft / limit) - 1);
  return `${wait} ${requestsLeft} requests are left: about ${minutes} minutes at ${limit} a minute.`;
}
