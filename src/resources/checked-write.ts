import type { RequestOptions } from "../client/index.js";
import type { Context } from "./calls.js";

const MOST_TRIES = 6;
const FIRST_WAIT_MS = 500;

/**
 * Sends a write with a target or condition that others may change at any time, such as a suite's slug. It looks before
 * each try, because a blind repetition could reach another object. A change between the look and the write stays
 * possible.
 *
 * @param look finds the target of the write. Undefined ends it
 * @param send sends the write, with options that keep the client from repeating it
 * @returns undefined if the last look found no target
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
