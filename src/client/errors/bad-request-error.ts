import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** 400: the request is impossible in the present state, such as stopping an agent that isn't connected. */
export class BadRequestError extends ApiError {
  static {
    BadRequestError.prototype.name = "BadRequestError";
  }

  constructor(details: ApiErrorDetails) {
    super(details, "Correct the request. The same request fails again.");
  }
}
