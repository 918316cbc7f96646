import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** A status that the API doesn't document, such as a redirect. The client follows no redirects. */
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
