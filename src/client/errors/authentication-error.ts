import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** 401: the access token is unknown, mistyped or revoked. */
export class AuthenticationError extends ApiError {
  static {
    AuthenticationError.prototype.name = "AuthenticationError";
  }

  constructor(details: ApiErrorDetails) {
    super(
      details,
      "Check the access token (BUILDPIPELINE_ACCESS_TOKEN, or buildpipeline:accessToken): it is mistyped, revoked, or for another service.",
    );
  }
}
