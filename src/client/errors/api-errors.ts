import { counted } from "../../shared/messages/nouns.js";
import { type Advice, BuildPipelineError, nameErrors } from "./build-pipeline-error.js";
import { compressedBy, type RequestDetails } from "./transmission-errors.js";

export interface ServiceMessage {
  /** One line, without secrets; "" when there is nothing readable. */
  readonly serviceMessage: string;
  readonly errors: readonly unknown[];
  /** True if the body has the service's own form: JSON with a `message`. */
  readonly inServiceForm: boolean;
  /** The coding of a body that is compressed, and so can't be read. */
  readonly compression?: string | undefined;
  /** The web page that came in place of JSON: `a web page ("Sign in")`. */
  readonly page?: string | undefined;
}

/** Words with which a service refuses for now. Quoted parts may be names that somebody gave. */
const FOR_NOW = /\b(?:busy|locked|try again (?:later|shortly|soon|in)|retry later)\b/i;
const QUOTED = /"[^"]*"|(?<!\w)'[^']*'|`[^`]*`|“[^”]*”/g;

/** Returns a message without the names that it may quote. */
export function withoutQuoted(serviceMessage: string): string {
  return serviceMessage.replace(QUOTED, "");
}

/**
 * Checks whether the service refuses a request for the moment, such as while another one has locked the object, and not
 * because of what it asks for.
 */
export function isPassing({ status, serviceMessage }: { status: number; serviceMessage: string }): boolean {
  if (status === 422) return FOR_NOW.test(withoutQuoted(serviceMessage));
  return status === 409 || status === 423 || status === 425;
}

/** A refused request. Each class of {@link ApiError} takes what it reports. */
export interface ApiErrorDetails extends RequestDetails, ServiceMessage {
  status: number;
  requestId: string | undefined;
  /** Scopes of which the operation needs one, by the response or the API's documentation. */
  accepted: readonly string[];
  /** Scopes of the access token, where they are known. */
  held: ReadonlySet<string> | undefined;
  /** Seconds after which the service asks to try again. */
  retryAfter: number | undefined;
  rateLimit: RateLimit;
  /** The response asks to wait for a rate limit. */
  isRateLimited: boolean;
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

  constructor(details: ApiErrorDetails, [code, advice]: Advice) {
    const { method, path, status, serviceMessage, compression, page, attempts, outcome, requestId } = details;
    const replaced = page === undefined ? "." : `, with ${page} in place of JSON.`;
    const unread = compression === undefined ? replaced : `. ${compressedBy(compression)}`;
    const said =
      serviceMessage === "" ? unread : `: ${serviceMessage}${/[.!?…]$/.test(serviceMessage) ? "" : "."}`;
    const tries = attempts > 1 ? ` (sent ${attempts} times)` : "";
    const doubt =
      page === undefined || status >= 500
        ? ""
        : "A gateway may have answered in place of the API: check baseUrl first. ";
    super(code, `${method} ${path} failed with ${status}${tries}${said} ${doubt}${advice}`, { outcome });
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

/** 401: the access token is unknown, mistyped, revoked or expired. */
export class AuthenticationError extends ApiError {}

/** 403: the access token is valid, and lacks a scope or a permission, or may not be used from here. */
export class PermissionError extends ApiError {
  /** The scope to add. Undefined where neither the service nor the token's scopes show that one is missing. */
  readonly missingScope: string | undefined;

  constructor(details: ApiErrorDetails) {
    const { accepted, held } = details;
    const named = namedScope(details);
    const needed = named === undefined ? accepted : [named];
    const holds = needed.find((scope) => held?.has(scope));
    const missing =
      holds === undefined && (named !== undefined || held !== undefined) ? needed[0] : undefined;
    super(details, permissionAdvice(missing, holds, needed[0]));
    this.missingScope = missing;
  }
}

/** Returns the scope that the service's own words say is missing. */
export function namedScope({ serviceMessage }: Pick<ServiceMessage, "serviceMessage">): string | undefined {
  if (!/\bscopes?\b/i.test(serviceMessage)) return undefined;
  return /\b(?:read|write|view)_[a-z]+(?:_[a-z]+)*\b/.exec(serviceMessage)?.[0];
}

const OTHER_CAUSES =
  "what its user may do, from which addresses it may be used, and whether the organization requires single sign-on";

function permissionAdvice(
  missing: string | undefined,
  holds: string | undefined,
  needed: string | undefined,
): Advice {
  if (missing !== undefined) {
    const words = `Missing scope: ${missing}. Give the access token this scope, or use one that has it.`;
    return ["scope-missing", words];
  }
  const code = "permission-missing";
  // Error permission-missing: Status 403 that names no scope: the user of the token lacks a permission, the address of
  // this machine is not allowed, or the organization requires single sign-on.
  // Fix: Read what the API says, and check what the message lists.
  if (holds !== undefined) return [code, `The access token has the scope ${holds}: check ${OTHER_CAUSES}.`];
  if (needed === undefined) return [code, "Check what the access token's user may do in this organization."];
  return [code, `Check that the access token has the scope ${needed}, ${OTHER_CAUSES}.`];
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

function refusedValueAdvice(details: ApiErrorDetails): Advice {
  const { method, path, serviceMessage } = details;
  if (isPassing(details)) return passingAdvice(details);
  // A refused deletion has no fields to correct.
  if (method !== "DELETE" && /^(?:validation failed)?\W*$/i.test(serviceMessage)) {
    const words = "The response names no reason: compare what was sent with the API's documentation.";
    return ["value-refused", words];
  }
  // Error value-refused: Status 422: the API refuses a value. Its message says why, if it says it.
  // Fix: Correct the argument.
  if (method !== "DELETE")
    return ["value-refused", "Correct the fields that the response names, then try again."];
  const code = "deletion-prevented";
  // Error deletion-prevented: Status 422: the API refuses a deletion, for example of a queue with connected agents.
  // Fix: Remove what prevents it. `buildpipeline drain` empties a queue; then stop its agents.
  const advice = "Remove what the response names, then try again.";
  if (!/\/queues\/[^/]+$/.test(path)) return [code, advice];
  const ofQueue =
    "If agents are connected to the queue, empty it with `buildpipeline drain`, and stop the agents.";
  return [code, `${advice} ${ofQueue}`];
}

function passingAdvice({ retryAfter }: ApiErrorDetails): Advice {
  // Error busy: Status 423 or 425, or 422 with words such as "busy" or "locked": another request has the object. The
  // client repeated its own a few times.
  // Fix: Run the command again, after the time that the message names.
  const words = `The service refuses this only for now, and changed nothing. Try again ${later(retryAfter)}.`;
  return ["busy", words];
}

function troubleAdvice({ method, retryAfter }: ApiErrorDetails): Advice {
  const code = "service-problem";
  // Error service-problem: Status 408 or 500 to 599, also after the client repeated what is safe to repeat.
  // Fix: If the request was a change, look on Buildkite whether it was made. Then try again.
  if (method === "GET") return [code, `The service has a problem. Try again ${later(retryAfter)}.`];
  const asked = retryAfter ? ` It asks to wait ${counted(retryAfter, "second")}.` : "";
  return [code, `The service has a problem. Check whether the change was made before you try again.${asked}`];
}

function later(seconds: number | undefined): string {
  return seconds ? `in ${counted(seconds, "second")}, as the service asks` : "later";
}

/** The service's rate limits, as a 429 reports them. `reset`: until every exhausted window has ended. */
export type RateLimit = Pick<RateLimitError, "scope" | "limit" | "current"> & { readonly reset: number };

/**
 * 429, or a gateway's 403 for its rate limit: it would need a longer wait than `maxRateLimitWaitMs`. Nothing was carried
 * out.
 */
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
        : ` A call waits no longer than ${counted(longest / 1000, "second")} for limits (maxRateLimitWaitMs).`;
    super(details, [
      "rate-limit",
      // Error rate-limit: The rate limit allowed no request for 15 minutes, so nothing was sent.
      // Fix: Run the command again later. Other clients use the same token or organization.
      `Nothing was carried out. Try again in ${counted(reset, "second")}, with fewer requests at a time.${patience}`,
    ]);
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
    super(details, troubleAdvice(details));
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

const BY_STATUS: Readonly<Record<number, new (details: ApiErrorDetails, advice: Advice) => ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
};

/** What to do after a status, where the rest of the response doesn't matter. */
const ADVICE: Readonly<Record<number, Advice | ((details: ApiErrorDetails) => Advice)>> = {
  // Error bad-request: Status 400: the request is impossible in the object's present state. For example, only a
  // connected agent can be stopped.
  // Fix: Correct the request.
  400: ["bad-request", "Correct the request. The same request fails again."],
  401: [
    "token-refused",
    // Error token-refused: Status 401: the API doesn't know the API access token.
    // Fix: Set a valid one.
    "Check the access token (BUILDPIPELINE_ACCESS_TOKEN, or buildpipeline:accessToken): it is mistyped, revoked, expired, or for another service.",
  ],
  404: [
    "not-found",
    // Error not-found: Status 404: someone deleted the object, or the API access token can't read it.
    // Fix: Run `pulumi refresh`, which tells the two apart. If the object is missing, the next `pulumi up` creates it.
    "Check the ids, the organization and the access token: the service answers the same when a permission is missing.",
  ],
  407: [
    "proxy-refused",
    // Error proxy-refused: Status 407: a proxy lets nobody through without a password.
    // Fix: Write it into the address of the proxy.
    "A proxy asks for a user and a password. Write them into HTTPS_PROXY, as in http://user:password@proxy:3128.",
  ],
  408: troubleAdvice,
  409: [
    "conflict",
    // Error conflict: Status 409: another client changed the object at the same time.
    // Fix: Run `pulumi up --refresh`.
    "Read the object again, then repeat the change if it is still wanted.",
  ],
  423: passingAdvice,
  425: passingAdvice,
};
const OTHERWISE: Advice = [
  "status-unexpected",
  // Error status-unexpected: A status that the API doesn't document, such as a redirect.
  // Fix: Check `baseUrl` and the proxy.
  "The API doesn't use this status. Check that baseUrl is the address of the service itself.",
];

export function apiErrorOfStatus(details: ApiErrorDetails): ApiError {
  const { status, isRateLimited } = details;
  if (isRateLimited) return new RateLimitError(details);
  const Class = BY_STATUS[status] ?? (status >= 500 ? ServerError : UnexpectedStatusError);
  const advice = ADVICE[status] ?? OTHERWISE;
  return new Class(details, typeof advice === "function" ? advice(details) : advice);
}
