import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** A status no operation is documented to answer with, such as a redirect (never followed: the access token stays with `baseUrl`). */
export class UnexpectedStatusError extends ApiError {
  static {
    UnexpectedStatusError.prototype.name = "UnexpectedStatusError";
  }

  constructor(details: ApiErrorDetails) {
    super(
      details,
      "The API doesn't use this status. Check that baseUrl is the address of the service itself.",
    );
  }
}
