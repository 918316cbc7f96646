import type { RequestOptions } from "../client/index.js";
import type { Context } from "./calls.js";

const MOST_TRIES = 6;
const FIRST_WAIT_MS = 500;

/**
 * Sends a write whose target or condition others may change at any time, such as a suite's slug. It looks before each
 * try, because a blind repetition could reach another object. A change between the look and the write stays possible.
 *
 * @param look finds what the write needs; undefined ends it
 * @param send sends the write, with options by which the client does not repeat it
 * @returns undefined where the last look found nothing to write to
 */
export async function lookBeforeEachTry<Target, Result>(
  context: Context,
  look: () => Promise<Target | undefined>,
  send: (target: Target, once: RequestOptions) => Promise<Result>,
): Promise<Result | undefined> {
  for (let tries = 1; ; tries++) {
    const target = await look();
    if (target === undefined) return undefined;
    try {
      return await send(target, { maxRetries: 0 });
    } catch (error) {
      if (tries === MOST_TRIES || !context.mayPass(error)) throw error;
      await context.pause(FIRST_WAIT_MS * 2 ** (tries - 1));
    }
  }
}
