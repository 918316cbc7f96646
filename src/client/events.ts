/** A request failed in a way that may pass, and is sent again after a wait. */
export interface RetryEvent {
  type: "retry";
  method: string;
  /** Path of the request, without its query. */
  path: string;
  /** How many times the request has been sent so far. */
  attempt: number;
  /** `connection`: lost or refused. `timeout`: no whole answer in time. `status`: a 5xx. `answer`: cut off or unreadable. */
  reason: "connection" | "timeout" | "status" | "answer";
  /** The status, where the service answered with one. */
  status?: number;
  /** Milliseconds until it is sent again. */
  waitMs: number;
}

/** The service's request limit is reached; the request is sent again when the limit's window has passed. */
export interface RateLimitEvent {
  type: "rateLimit";
  method: string;
  /** Path of the request, without its query. */
  path: string;
  /** How many times the request has been sent so far. */
  attempt: number;
  /** Whose limit, in the service's words, such as `rest` or `user`. */
  scope?: string;
  /** Requests allowed in one window. */
  limit?: number;
  /** Milliseconds until it is sent again. */
  waitMs: number;
}

/** What the client tells while it works, for progress output. Never carries secrets. */
export type ClientEvent = RetryEvent | RateLimitEvent;
