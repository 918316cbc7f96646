import { BuildPipelineError } from "./build-pipeline-error.js";
import { type Delivered, deliveryAdvice, type TransmissionDetails } from "./connection-error.js";

/** No complete answer within `timeoutMs`. */
export class TimeoutError extends BuildPipelineError {
  static {
    TimeoutError.prototype.name = "TimeoutError";
  }

  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  /** How many times the request was sent, or tried to be. */
  readonly attempts: number;
  readonly delivered: Delivered;
  /** The limit of each try, in milliseconds. */
  readonly timeoutMs: number;

  constructor({ method, path, attempts, delivered }: TransmissionDetails, timeoutMs: number) {
    const tries = attempts > 1 ? `, ${attempts} times` : "";
    super(
      `${method} ${path} got no complete answer within ${timeoutMs} ms${tries}. ${deliveryAdvice(delivered)}`,
    );
    this.method = method;
    this.path = path;
    this.attempts = attempts;
    this.delivered = delivered;
    this.timeoutMs = timeoutMs;
  }
}
