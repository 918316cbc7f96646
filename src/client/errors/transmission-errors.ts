import { type Advice, BuildPipelineError, nameErrors, type RequestOutcome } from "./build-pipeline-error.js";

/**
 * Says if a request reached the service. `no` is certain, so it may be sent again. After `unknown` it may have been
 * carried out: look before you repeat a write.
 */
export type Delivered = "no" | "unknown";

export interface RequestDetails {
  method: string;
  path: string;
  attempts: number;
  /** Of all tries together: `unknown` where an earlier one lost its response. */
  outcome: RequestOutcome;
}

function deliveryAdvice({ method, outcome }: RequestDetails): Advice {
  if (outcome === "not sent")
    // Error not-delivered: The connection failed. The message says whether the API may have carried out the request.
    // Fix: Check `baseUrl`, proxy, certificate and firewall.
    return ["not-delivered", "The request did not reach the service."];
  if (method === "GET") return ["no-response", "Nothing was changed."];
  // Error perhaps-carried-out: The response to an update or a deletion was lost.
  // Fix: Run `pulumi up --refresh`, which doesn't repeat finished changes.
  const words = "The request may have been carried out: check the service before you repeat it.";
  return ["perhaps-carried-out", words];
}

abstract class TransmissionError extends BuildPipelineError {
  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  /** Number of tries to send the request. */
  readonly attempts: number;
  readonly delivered: Delivered;

  constructor(said: (advice: string) => string, details: RequestDetails, options?: { cause?: unknown }) {
    const { method, path, attempts, outcome } = details;
    const [code, advice] = deliveryAdvice(details);
    super(code, said(advice), { ...options, outcome });
    this.method = method;
    this.path = path;
    this.attempts = attempts;
    this.delivered = outcome === "not sent" ? "no" : "unknown";
  }
}

/** The service could not be reached, or the connection was lost before its response was complete. */
export class ConnectionError extends TransmissionError {
  /** The system's code, such as `ECONNREFUSED` or `ENOTFOUND`, where there is one. */
  readonly systemCode: string | undefined;

  constructor(details: RequestDetails, cause: Error & { code?: string }) {
    const { method, path, attempts } = details;
    const tries = attempts > 1 ? ` ${attempts} times` : "";
    super(
      (advice) =>
        `${method} ${path} failed${tries}: ${cause.message}. ${advice} Check baseUrl and the network.`,
      details,
      { cause },
    );
    this.systemCode = cause.code;
  }
}

/** No complete response within `timeoutMs`. */
export class TimeoutError extends TransmissionError {
  /** The limit of each try, in milliseconds. */
  readonly timeoutMs: number;

  constructor(details: RequestDetails, timeoutMs: number) {
    const { method, path, attempts } = details;
    const tries = attempts > 1 ? `, ${attempts} times` : "";
    super(
      (advice) => `${method} ${path} got no complete response within ${timeoutMs} ms${tries}. ${advice}`,
      details,
    );
    this.timeoutMs = timeoutMs;
  }
}

const CHANGED =
  "Check that baseUrl is the address of the API. If it is, the API has changed: update this package.";

/** What to do where a web page came in place of a response. */
export const REPLACED =
  "Something in front of the API may have answered, such as a sign-in or a maintenance page: check baseUrl and the proxy, or " +
  "try again later.";

/** Difference between a response and the API's documentation. It has the type of the wrong value, never the value. */
export interface ResponseMismatch {
  /** Where: `jobs[3].id`, or `body`, or `status`, or the name of a header. */
  field: string;
  /** Type or value that the API documents there. */
  expected: string;
  /** Type of the value that was there. */
  received: string;
  /** What to do, if the cause is known. */
  advice?: string;
}

/** Explains a body that can't be read, because something between the client and the API compressed it. */
export function compressedBy(coding: string): string {
  return (
    `A gateway compressed the response (${coding}), though the request asked for none (accept-encoding: identity). ` +
    "Turn its compression off for this address."
  );
}

/**
 * The response is a success, but lacks something that the API documents and that identifies the object, is secret, or
 * is set by requests. The client returns other fields of an unexpected type as they came. The request was probably
 * carried out. A page from a proxy may have replaced the response. The error doesn't quote values of the response: they
 * may be secret.
 */
export class UnexpectedResponseError extends BuildPipelineError {
  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  readonly status: number;
  /** Number of times the request was sent. */
  readonly attempts: number;
  /** Place of the problem: `jobs[3].id`, or `body`, or `status`, or the name of a header. */
  readonly field: string;
  /** Type or value that the API documents there. */
  readonly expected: string;

  constructor({ method, path, attempts }: RequestDetails, status: number, mismatch: ResponseMismatch) {
    const { field, expected, received, advice = CHANGED } = mismatch;
    const found = field === "status" ? "" : `, but ${field} is ${received}`;
    super(
      "response-unexpected",
      // Error response-unexpected: A success that the API doesn't document, such as a page of a proxy, or a deletion that
      // was only accepted.
      // Fix: Check `baseUrl` and the proxy. After a change, look on Buildkite whether it was made.
      `${method} ${path} responded with ${status}${found}; expected ${expected}. ${advice}`,
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

nameErrors({ ConnectionError, TimeoutError, UnexpectedResponseError });
