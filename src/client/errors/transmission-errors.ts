import { BuildPipelineError, type RequestOutcome } from "./build-pipeline-error.js";

/**
 * Says if a request reached the service. `no` is certain, so it may be sent again. After `unknown` it may have been
 * carried out: look before you repeat a write.
 */
export type Delivered = "no" | "unknown";

/** Fields of a failed transmission. */
export interface TransmissionDetails {
  method: string;
  path: string;
  attempts: number;
  outcome: RequestOutcome;
}

/** Returns what a failed transmission means for the service's objects. A GET changes none. */
export function deliveryAdvice({ method, outcome }: TransmissionDetails): string {
  if (outcome === "not sent") return "The request did not reach the service.";
  return method === "GET"
    ? "Nothing was changed."
    : "The request may have been carried out: check the service before you repeat it.";
}

/** Checks whether a request with this outcome reached the service. */
export function deliveredBy(outcome: RequestOutcome): Delivered {
  return outcome === "not sent" ? "no" : "unknown";
}

/** The service could not be reached, or the connection was lost before its response was complete. */
export class ConnectionError extends BuildPipelineError {
  static {
    ConnectionError.prototype.name = "ConnectionError";
  }

  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  /** Number of tries to send the request. */
  readonly attempts: number;
  readonly delivered: Delivered;
  /** The system's code, such as `ECONNREFUSED` or `ENOTFOUND`, where there is one. */
  readonly code: string | undefined;

  constructor(details: TransmissionDetails, cause: Error & { code?: string }) {
    const { method, path, attempts, outcome } = details;
    const tries = attempts > 1 ? ` ${attempts} times` : "";
    super(
      `${method} ${path} failed${tries}: ${cause.message}. ${deliveryAdvice(details)} Check baseUrl and the network.`,
      { cause, outcome },
    );
    this.method = method;
    this.path = path;
    this.attempts = attempts;
    this.delivered = deliveredBy(outcome);
    this.code = cause.code;
  }
}

/** No complete response within `timeoutMs`. */
export class TimeoutError extends BuildPipelineError {
  static {
    TimeoutError.prototype.name = "TimeoutError";
  }

  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  /** Number of tries to send the request. */
  readonly attempts: number;
  readonly delivered: Delivered;
  /** The limit of each try, in milliseconds. */
  readonly timeoutMs: number;

  constructor(details: TransmissionDetails, timeoutMs: number) {
    const { method, path, attempts, outcome } = details;
    const tries = attempts > 1 ? `, ${attempts} times` : "";
    super(
      `${method} ${path} got no complete response within ${timeoutMs} ms${tries}. ${deliveryAdvice(details)}`,
      { outcome },
    );
    this.method = method;
    this.path = path;
    this.attempts = attempts;
    this.delivered = deliveredBy(outcome);
    this.timeoutMs = timeoutMs;
  }
}

/** Fields of {@link UnexpectedResponseError}. */
export interface UnexpectedResponseDetails {
  method: string;
  path: string;
  status: number;
  attempts: number;
  /** Where: `jobs[3].id`, or `body`, or the name of a header. */
  field: string;
  /** Type or value that the API documents there. */
  expected: string;
  /** Type of the value that was there. It is never quoted. */
  received: string;
}

/**
 * The response is a success, but lacks something that the API documents. The request was probably carried out. A page
 * from a proxy may have replaced the response. The error doesn't quote values of the response: they may be secret.
 */
export class UnexpectedResponseError extends BuildPipelineError {
  static {
    UnexpectedResponseError.prototype.name = "UnexpectedResponseError";
  }

  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  readonly status: number;
  /** Number of times the request was sent. */
  readonly attempts: number;
  /** Place of the problem: `jobs[3].id`, or `body`, or the name of a header. */
  readonly field: string;
  /** Type or value that the API documents there. */
  readonly expected: string;

  constructor({ method, path, status, attempts, field, expected, received }: UnexpectedResponseDetails) {
    super(
      `${method} ${path} responded with ${status}, but ${field} is ${received}; expected ${expected}. ` +
        "Check that baseUrl is the address of the API. If it is, the API has changed: update this package.",
      { outcome: "unknown" },
    );
    this.method = method;
    this.path = path;
    this.status = status;
    this.attempts = attempts;
    this.field = field;
    this.expected = expected;
  }
}
