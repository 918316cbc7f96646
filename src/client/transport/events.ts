import type { Method } from "./exchange.js";

/** Reports that a request failed temporarily and that the client repeats it after a wait. */
export interface RetryEvent {
  type: "retry";
  method: string;
  /** Path of the request, without its query. */
  path: string;
  /** How many times the request has been sent so far. */
  attempt: number;
  /**
   * `connection`: lost or refused. `timeout`: no complete response in time. `status`: a 5xx. `answer`: cut off or
   * unreadable.
   */
  reason: "connection" | "timeout" | "status" | "answer";
  /** Status of the response, if there was one. */
  status?: number;
  /** Milliseconds until the request is sent again. */
  waitMs: number;
}

/** Reports that the rate limit is reached. The client sends the request after the limit's window has passed. */
export interface RateLimitEvent {
  type: "rateLimit";
  method: string;
  /** Path of the request, without its query. */
  path: string;
  /** How many times the request has been sent so far; 0 if it waits because other requests have used up the limit. */
  attempt: number;
  /** Name of the limit as the API spells it, such as `rest` or `user`. */
  scope?: string;
  /** Requests allowed in one window. */
  limit?: number;
  /** Milliseconds until the request is sent. */
  waitMs: number;
}

/** A request that is about to be sent. */
export interface OutgoingRequest {
  readonly method: Method;
  /** Path of the request, without its query. */
  readonly path: string;
  /** Number of this attempt of the request, from 1. */
  readonly attempt: number;
}

/** A response of the API with any status. */
export interface IncomingResponse extends OutgoingRequest {
  readonly status: number;
  /** Headers by their lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Events that the client reports for progress output. They never contain secrets. */
export type ClientEvent = RetryEvent | RateLimitEvent;
