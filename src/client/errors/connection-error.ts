import { BuildPipelineError } from "./build-pipeline-error.js";
import type { RequestOutcome } from "./request-outcome.js";

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
