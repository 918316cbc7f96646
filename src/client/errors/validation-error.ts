import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** 422: the service refuses a value. `serviceMessage` and `errors` have the reason. */
export class ValidationError extends ApiError {
  static {
    ValidationError.prototype.name = "ValidationError";
  }

  /** The problems as the service lists them. Their form isn't documented. Often empty. */
  readonly errors: readonly unknown[];

  constructor(details: ApiErrorDetails, errors: readonly unknown[]) {
    super(details, "Correct the fields that the response names, then try again.");
    this.errors = errors;
  }
}
