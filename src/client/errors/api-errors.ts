import { BuildPipelineError, nameErrors } from "./build-pipeline-error.js";
import type { RequestDetails } from "./transmission-errors.js";

export interface ServiceMessage {
  /** One line, without secrets; "" when there is nothing readable. */
  serviceMessage: string;
  errors: readonly unknown[];
  /** True if the body has the service's own form: JSON with a `message`. */
  inServiceForm: boolean;
}

/** A refused request. Each class of {@link ApiError} takes what it reports. */
export interface ApiErrorDetails extends RequestDetails, ServiceMessage {
  status: number;
  requestId: string | undefined;
  /** The scope the operation is documented to need. */
  scope: string | null;
  rateLimit: RateLimit;
  /** Milliseconds that one call waits for limits, if that time ended the call. */
  maxRateLimitWaitMs: number | undefined;
}

/** The API refused the request. Each status with a meaning has its own class. */
export abstract class ApiError extends BuildPipelineError {
  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  readonly status: number;
  /** Message of the service, on one line and without secrets; "" if it has no readable one. */
  readonly serviceMessage: string;
  /**
   * Number of times the request was sent. If `outcome` is "unknown", the response to an earlier try was lost, and that
   * try may have been carried out. A deletion that then gets 404 may have succeeded.
   */
  readonly attempts: number;
  /** The service's id of the request. Buildkite's support can look it up. */
  readonly requestId: string | undefined;

  constructor(details: ApiErrorDetails, advice: string) {
    const { method, path, status, serviceMessage, attempts, outcome, requestId } = details;
    const said =
      serviceMessage === "" ? "." : `: ${serviceMessage}${/[.!?…]$/.test(serviceMessage) ? "" : "."}`;
    const tries = attempts > 1 ? ` (sent ${attempts} times)` : "";
    super(`${method} ${path} failed with ${status}${tries}${said} ${advice}`, { outcome });
    this.method = method;
    this.path = path;
    this.status = status;
    this.serviceMessage = serviceMessage;
    this.attempts = attempts;
    this.requestId = requestId;
  }
}

/** 400: the request is impossible in the present state, such as stopping an agent that isn't connected. */
export class BadRequestError extends ApiError {}

/** 401: the access token is unknown, mistyped or revoked. */
export class AuthenticationError extends ApiError {}

/** 403: the access token is valid, and lacks a scope or a permission. */
export class PermissionError extends ApiError {
  /** The scope to add: the one that the service names, or else the one in the API's documentation. */
  readonly missingScope: string | undefined;

  constructor(details: ApiErrorDetails) {
    const named = /\b(?:read|write|view)_[a-z]+(?:_[a-z]+)*\b/.exec(details.serviceMessage)?.[0];
    super(details, advice(named, details.scope));
    this.missingScope = named ?? details.scope ?? undefined;
  }
}

function advice(named: string | undefined, documented: string | null): string {
  if (named !== undefined)
    return `Missing scope: ${named}. Give the access token this scope, or use one that has it.`;
  if (documented === null) return "Check what the access token's user may do in this organization.";
  return `Missing scope: ${documented}, as far as documented. Give the access token this scope, and check what its user may do.`;
}

/** 404: the object doesn't exist, or the access token may not read it. The API doesn't distinguish the two. */
export class NotFoundError extends ApiError {}

/** 409: another client is changing the same object. */
export class ConflictError extends ApiError {}

/** 422: the service refuses a value. `serviceMessage` and `errors` have the reason. */
export class ValidationError extends ApiError {
  /** The problems as the service lists them. Their form isn't documented. Often empty. */
  readonly errors: readonly unknown[];

  constructor(details: ApiErrorDetails) {
    super(details, refusedValueAdvice(details));
    this.errors = details.errors;
  }
}

/** A refused deletion has no fields to correct. */
function refusedValueAdvice({ method, path }: ApiErrorDetails): string {
  if (method !== "DELETE") return "Correct the fields that the response names, then try again.";
  const advice = "Remove what the response names, then try again.";
  if (!/\/queues\/[^/]+$/.test(path)) return advice;
  return `${advice} If agents are connected to the queue, empty it with \`buildpipeline drain\`, and stop the agents.`;
}

/** The service's rate limits, as a 429 reports them. `reset`: until every exhausted window has ended. */
export type RateLimit = Pick<RateLimitError, "scope" | "limit" | "current"> & { readonly reset: number };

/** 429: the rate limit would need a longer wait than `maxRateLimitWaitMs`. Nothing was carried out. */
export class RateLimitError extends ApiError {
  /** Name of the limit as the service spells it, such as `rest` or `user`. */
  readonly scope: string | undefined;
  /** Requests allowed in one window. */
  readonly limit: number | undefined;
  /** Requests counted in this window. */
  readonly current: number | undefined;
  /** Seconds until the window ends. */
  readonly reset: number | undefined;

  constructor(details: ApiErrorDetails) {
    const { scope, limit, current, reset } = details.rateLimit;
    const longest = details.maxRateLimitWaitMs;
    const patience =
      longest === undefined
        ? ""
        : ` A call waits no longer than ${longest / 1000} seconds for limits (maxRateLimitWaitMs).`;
    super(
      details,
      `Nothing was carried out. Try again in ${reset} seconds, with fewer requests at a time.${patience}`,
    );
    this.scope = scope;
    this.limit = limit;
    this.current = current;
    this.reset = reset;
  }
}

/** 5xx: the service has a problem. The client repeated requests that are safe to repeat. A POST may have been carried out. */
export class ServerError extends ApiError {
  /** True if the body has the service's own form, JSON with a `message`. A proxy's page does not. */
  readonly inServiceForm: boolean;

  constructor(details: ApiErrorDetails) {
    super(
      details,
      details.method === "GET"
        ? "The service has a problem. Try again later."
        : "The service has a problem. Check whether the change was made before you try again.",
    );
    this.inServiceForm = details.inServiceForm;
  }
}

/** A status that the API doesn't document, such as a redirect. The client follows no redirects. */
export class UnexpectedStatusError extends ApiError {}

nameErrors({
  ApiError,
  BadRequestError,
  AuthenticationError,
  PermissionError,
  NotFoundError,
  ConflictError,
  ValidationError,
  RateLimitError,
  ServerError,
  UnexpectedStatusError,
});

const BY_STATUS: Readonly<Record<number, new (details: ApiErrorDetails, advice: string) => ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: RateLimitError,
};

/** What to do after a status, where the rest of the response doesn't matter. */
const ADVICE: Readonly<Record<number, string>> = {
  400: "Correct the request. The same request fails again.",
  401: "Check the access token (BUILDPIPELINE_ACCESS_TOKEN, or buildpipeline:accessToken): it is mistyped, revoked, or for another service.",
  404: "Check the ids, the organization and the access token: the service answers the same when a permission is missing.",
  409: "Read the object again, then repeat the change if it is still wanted.",
};
const OTHERWISE = "The API doesn't use this status. Check that baseUrl is the address of the service itself.";

export function apiErrorOfStatus(details: ApiErrorDetails): ApiError {
  const { status } = details;
  const Class = BY_STATUS[status] ?? (status >= 500 ? ServerError : UnexpectedStatusError);
  return new Class(details, ADVICE[status] ?? OTHERWISE);
}
