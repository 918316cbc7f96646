import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** 422: the service refuses the request; the reason is in `serviceMessage` and `errors`. */
export class ValidationError extends ApiError {
  static {
    ValidationError.prototype.name = "ValidationError";
  }

  /** The single problems as the service lists them (section 4.11: creating a build); their form is not documented. Often empty. */
  readonly errors: readonly unknown[];

  constructor(details: ApiErrorDetails, errors: readonly unknown[]) {
    super(details, "Correct the fields that the response names, then try again.");
    this.errors = errors;
  }
}
