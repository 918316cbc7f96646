import { BuildPipelineError } from "./build-pipeline-error.js";

/**
 * Whether a request reached the service: `no` is certain, so it may be sent again; after `unknown` it may have been
 * carried out, so look before you repeat what must not happen twice.
 */
export type Delivered = "no" | "unknown";

/** What a failed transmission is made of. */
export interface TransmissionDetails {
  method: string;
  path: string;
  attempts: number;
  delivered: Delivered;
}

/** What to do about a transmission that failed. */
export function deliveryAdvice(delivered: Delivered): string {
  return delivered === "no"
    ? "The request did not reach the service."
    : "The request may have been carried out: look before you repeat it.";
}

/** The service could not be reached, or the connection was lost before its answer was complete. */
export class ConnectionError extends BuildPipelineError {
  static {
    ConnectionError.prototype.name = "ConnectionError";
  }

  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  /** How many times the request was sent, or tried to be. */
  readonly attempts: number;
  readonly delivered: Delivered;
  /** The system's code, such as `ECONNREFUSED` or `ENOTFOUND`, where there is one. */
  readonly code: string | undefined;

  constructor({ method, path, attempts, delivered }: TransmissionDetails, cause: Error & { code?: string }) {
    const tries = attempts > 1 ? ` ${attempts} times` : "";
    super(
      `${method} ${path} failed${tries}: ${cause.message}. ${deliveryAdvice(delivered)} Check baseUrl and the network.`,
      {
        cause,
      },
    );
    this.method = method;
    this.path = path;
    this.attempts = attempts;
    this.delivered = delivered;
    this.code = cause.code;
  }
}
