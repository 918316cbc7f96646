import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** 5xx: the service has a problem. Requests that may be repeated were; a POST was not, and may have been carried out. */
export class ServerError extends ApiError {
  static {
    ServerError.prototype.name = "ServerError";
  }

  constructor(details: ApiErrorDetails) {
    super(
      details,
      "The service has a problem: try again later, and look first whether the change was made after all.",
    );
  }
}
