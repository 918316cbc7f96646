import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** 409: another client is changing the same object. */
export class ConflictError extends ApiError {
  static {
    ConflictError.prototype.name = "ConflictError";
  }

  constructor(details: ApiErrorDetails) {
    super(details, "Read the object again, then repeat the change if it is still wanted.");
  }
}
