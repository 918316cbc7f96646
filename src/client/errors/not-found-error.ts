import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** 404: no such object, or one the access token may not see: the API doesn't distinguish the two. */
export class NotFoundError extends ApiError {
  static {
    NotFoundError.prototype.name = "NotFoundError";
  }

  constructor(details: ApiErrorDetails) {
    super(
      details,
      "Check the ids, the organization and the access token: the service answers the same when a permission is missing.",
    );
  }
}
