import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** 422: the service refuses a value. `serviceMessage` and `errors` have the reason. */
export class ValidationError extends ApiError {
  static {
    ValidationError.prototype.name = "ValidationError";
  }

  /** The problems as the service lists them. Their form isn't documented. Often empty. */
  readonly errors: readonly unknown[];

  constructor(details: ApiErrorDetails, errors: readonly unknown[]) {
    super(details, adviceFor(details));
    this.errors = errors;
  }
}

/** A refused deletion has no fields to correct. */
function adviceFor({ method, path }: ApiErrorDetails): string {
  if (method !== "DELETE") return "Correct the fields that the response names, then try again.";
  const advice = "Remove what the response names, then try again.";
  if (!/\/queues\/[^/]+$/.test(path)) return advice;
  return `${advice} If agents are connected to the queue, empty it with \`buildpipeline drain\`, and stop the agents.`;
}
