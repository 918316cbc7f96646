import type { RequestOptions } from "./api/api.js";
import { isPassing } from "./errors/api-errors.js";
import {
  ApiError,
  BuildPipelineError,
  ConnectionError,
  mayHaveBeenCarriedOut,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
} from "./index.js";
import type { OnTheWay } from "./transport/exchange.js";

export interface Write<Response, Result> {
  /** @param options for the request of which a look needs to know when it was on its way */
  send(options: RequestOptions): Promise<Response>;
  /** Returns the result in a success. @throws why the success can't be used */
  accept(response: Response, request: OnTheWay | undefined): Result | Promise<Result>;
  /** @returns the result of a lost try; undefined if the service doesn't show it @throws to end the write */
  look(lost: readonly LostTry[], error: unknown): Promise<Result | undefined>;
  readonly repeats: Repetition;
  /** Waits between two tries that are `looked up`. Default: not at all. */
  pause?(milliseconds: number): Promise<void>;
}

/**
 * When a write is sent again that a look doesn't show.
 *
 * - `never`: a second one would do a second thing. Exception: the service itself reports that it is unavailable.
 * - `refused`: the service refuses a second one.
 * - `by the client`: the client has repeated it already, because a second one changes nothing.
 * - `looked up`: others can reuse the address, so each try finds its target first, and the client repeats nothing.
 */
export type Repetition = "never" | "refused" | "by the client" | "looked up";

/** A try that the service may have carried out: its response is lost or can't be used. */
export interface LostTry {
  readonly error: unknown;
  /** When the request was on its way that got the options; undefined where it was never sent. */
  readonly request: OnTheWay | undefined;
  /** The service responded with success, so that nothing works on the request any more. */
  readonly ended: boolean;
}

export type WriteOutcome<Result> =
  | {
      readonly is: "made";
      readonly result: Result;
      /** Tries that the service may have carried out as well. */
      readonly lost: readonly LostTry[];
      /** A look shows the result, and no response does: the last of the lost tries may have made it. */
      readonly found: boolean;
    }
  | { readonly is: "refused" | "not sent"; readonly error: unknown }
  | { readonly is: "unknown"; readonly error: unknown; readonly lost: readonly LostTry[] };

const MOST_TRIES = { never: 3, refused: 3, "by the client": 1, "looked up": 6 } as const;
/** The wait before the second try of a write that is `looked up`. Each further one is twice as long. */
const FIRST_WAIT_MS = 500;

export async function sendWrite<Response, Result>(
  write: Write<Response, Result>,
): Promise<WriteOutcome<Result>> {
  const lost: LostTry[] = [];
  for (let tries = 1; ; tries++) {
    const tried = await sendOnce(write);
    if ("result" in tried) return { is: "made", result: tried.result, lost, found: false };
    if ("request" in tried) lost.push(tried);
    const { error } = tried;
    if (lost.length > 0) {
      const result = await write.look(lost, error);
      if (result !== undefined) return { is: "made", result, lost, found: true };
    }
    const isRead = error instanceof BuildPipelineError && "method" in error && error.method === "GET";
    // The client has repeated a read as often as it repeats anything, and nothing was sent.
    const isOver = tries === MOST_TRIES[write.repeats] || (isRead && lost.length === 0);
    if (isOver || !mayBeSentAgain(write.repeats, tried)) {
      if (lost.length > 0) return { is: "unknown", error, lost };
      const isRefused = error instanceof BuildPipelineError && error.outcome === "rejected";
      return { is: isRefused ? "refused" : "not sent", error };
    }
    if (write.repeats === "looked up") await write.pause?.(FIRST_WAIT_MS * 2 ** (tries - 1));
  }
}

/** Sends a write. @returns its result @throws if it was not carried out, or nobody knows */
export async function resultOf<Response, Result>(write: Write<Response, Result>): Promise<Result> {
  const outcome = await sendWrite(write);
  if (outcome.is === "made") return outcome.result;
  throw outcome.error;
}

async function sendOnce<Response, Result>({
  send,
  accept,
}: Write<Response, Result>): Promise<{ result: Result } | LostTry | { error: unknown }> {
  const requests: OnTheWay[] = [];
  let response: Response;
  try {
    response = await send({ onEnd: (request) => requests.push(request) });
  } catch (error) {
    if (!mayHaveBeenCarriedOut(error)) return { error };
    return { error, request: requests.at(-1), ended: error instanceof UnexpectedResponseError };
  }
  try {
    return { result: await accept(response, requests.at(-1)) };
  } catch (error) {
    return { error, request: requests.at(-1), ended: true };
  }
}

function mayBeSentAgain(repeats: Repetition, tried: LostTry | { readonly error: unknown }): boolean {
  if (repeats === "looked up")
    return (
      [ConnectionError, TimeoutError, RateLimitError].some((passing) => tried.error instanceof passing) ||
      (tried.error instanceof ApiError && isPassing(tried.error)) ||
      (tried.error instanceof BuildPipelineError && tried.error.outcome === "unknown")
    );
  if (!("request" in tried)) return false;
  if (repeats === "refused") return true;
  // The service itself, and no proxy, reports that it is unavailable.
  return tried.error instanceof ServerError && tried.error.status === 503 && tried.error.inServiceForm;
}
