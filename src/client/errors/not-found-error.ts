import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** 404: the object doesn't exist, or the access token may not read it. The API doesn't distinguish the two. */
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
