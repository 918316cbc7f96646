import type { ApiError, ApiErrorDetails } from "./api-error.js";
import { AuthenticationError } from "./authentication-error.js";
import { BadRequestError } from "./bad-request-error.js";
import { ConflictError } from "./conflict-error.js";
import { NotFoundError } from "./not-found-error.js";
import { PermissionError } from "./permission-error.js";
import { type RateLimit, RateLimitError } from "./rate-limit-error.js";
import { ServerError } from "./server-error.js";
import { UnexpectedStatusError } from "./unexpected-status-error.js";
import { ValidationError } from "./validation-error.js";

/** Fields of some errors in addition to {@link ApiErrorDetails}. */
export interface Particulars {
  /** The scope the operation is documented to need. */
  scope: string | null;
  errors: readonly unknown[];
  inServiceForm: boolean;
  rateLimit: RateLimit | undefined;
}

/** Returns the error for a response without success. */
export function apiErrorOfStatus(
  details: ApiErrorDetails,
  { scope, errors, inServiceForm, rateLimit }: Particulars,
): ApiError {
  switch (details.status) {
    case 400:
      return new BadRequestError(details);
    case 401:
      return new AuthenticationError(details);
    case 403:
      return new PermissionError(details, scope);
    case 404:
      return new NotFoundError(details);
    case 409:
      return new ConflictError(details);
    case 422:
      return new ValidationError(details, errors);
    case 429:
      return new RateLimitError(details, rateLimit ?? {});
    default:
      return details.status >= 500
        ? new ServerError(details, { inServiceForm })
        : new UnexpectedStatusError(details);
  }
}
