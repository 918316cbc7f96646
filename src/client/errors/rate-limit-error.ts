import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** The service's rate limits, as a 429 reports them. */
export interface RateLimit {
  /** Name of the limit as the service spells it, such as `rest` or `user`. */
  scope?: string | undefined;
  /** Requests allowed in one window. */
  limit?: number | undefined;
  /** Requests counted in this window. */
  current?: number | undefined;
  /** Seconds until every exhausted window has ended. */
  reset?: number | undefined;
  /** Milliseconds that one call waits for limits, if that time ended the call. */
  maxWaitMs?: number | undefined;
}

/** 429: the rate limit would need a longer wait than `maxRateLimitWaitMs`. Nothing was carried out. */
export class RateLimitError extends ApiError {
  static {
    RateLimitError.prototype.name = "RateLimitError";
  }

  /** Name of the limit as the service spells it, such as `rest` or `user`. */
  readonly scope: string | undefined;
  /** Requests allowed in one window. */
  readonly limit: number | undefined;
  /** Requests counted in this window. */
  readonly current: number | undefined;
  /** Seconds until the window ends. */
  readonly reset: number | undefined;

  constructor(details: ApiErrorDetails, { scope, limit, current, reset, maxWaitMs }: RateLimit) {
    const when = reset === undefined ? "later" : `in ${reset} seconds`;
    const patience =
      maxWaitMs === undefined
        ? ""
        : ` A call waits no longer than ${maxWaitMs / 1000} seconds for limits (maxRateLimitWaitMs).`;
    super(details, `Nothing was carried out. Try again ${when}, with fewer requests at a time.${patience}`);
    this.scope = scope;
    this.limit = limit;
    this.current = current;
    this.reset = reset;
  }
}
