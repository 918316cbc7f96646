import { BuildPipelineError } from "./build-pipeline-error.js";

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
