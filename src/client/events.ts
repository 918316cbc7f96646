import type { Method } from "./api/operation.js";

/** A request failed temporarily. The client sends it again after a wait. */
export interface RetryEvent {
  type: "retry";
  method: string;
  /** Path of the request, without its query. */
  path: string;
  /** How many times the request has been sent so far. */
  attempt: number;
  /** `connection`: lost or refused. `timeout`: no complete response in time. `status`: a 5xx. `answer`: cut off or unreadable. */
  reason: "connection" | "timeout" | "status" | "answer";
  /** Status of the response, if there was one. */
  status?: number;
  /** Milliseconds until it is sent again. */
  waitMs: number;
}

/** The rate limit is reached. The client sends the request when the limit's window has passed. */
export interface RateLimitEvent {
  type: "rateLimit";
  method: string;
  /** Path of the request, without its query. */
  path: string;
  /** How many times the request has been sent so far: 0 when it waits because others have used up the limit. */
  attempt: number;
  /** Name of the limit as the service spells it, such as `rest` or `user`. */
  scope?: string;
  /** Requests allowed in one window. */
  limit?: number;
  /** Milliseconds until it is sent. */
  waitMs: number;
}

/** A request that is about to be sent. */
export interface OutgoingRequest {
  readonly method: Method;
  /** Path of the request, without its query. */
  readonly path: string;
  /** Which try of the request this is, from 1. */
  readonly attempt: number;
}

/** A response of the service, of whatever status. */
export interface IncomingResponse {
  readonly method: Method;
  /** Path of the request, without its query. */
  readonly path: string;
  /** Which try of the request this is, from 1. */
  readonly attempt: number;
  readonly status: number;
  /** Headers by their lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Events of the client while it works, for progress output. They never carry secrets. */
export type ClientEvent = RetryEvent | RateLimitEvent;
