import { BuildPipelineError } from "./build-pipeline-error.js";
import { type Delivered, deliveredBy, deliveryAdvice, type TransmissionDetails } from "./connection-error.js";

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
