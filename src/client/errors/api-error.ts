import { BuildPipelineError } from "./build-pipeline-error.js";
import type { RequestOutcome } from "./request-outcome.js";

/** Fields of {@link ApiError}. */
export interface ApiErrorDetails {
  method: string;
  path: string;
  status: number;
  serviceMessage: string;
  attempts: number;
  /** Of all tries together: `unknown` where an earlier one lost its response. */
  outcome: RequestOutcome;
  requestId?: string | undefined;
}

/** The API refused the request. Each status with a meaning has its own class. */
export abstract class ApiError extends BuildPipelineError {
  static {
    ApiError.prototype.name = "ApiError";
  }

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

  constructor(
    { method, path, status, serviceMessage, attempts, outcome, requestId }: ApiErrorDetails,
    advice: string,
  ) {
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
