import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** 403: the access token is valid, and lacks a scope or a permission. */
export class PermissionError extends ApiError {
  static {
    PermissionError.prototype.name = "PermissionError";
  }

  /** The scope to add: the one that the service names, or else the one in the API's documentation. */
  readonly missingScope: string | undefined;

  constructor(details: ApiErrorDetails, documentedScope: string | null) {
    const named = /\b(?:read|write|view)_[a-z]+(?:_[a-z]+)*\b/.exec(details.serviceMessage)?.[0];
    super(details, advice(named, documentedScope));
    this.missingScope = named ?? documentedScope ?? undefined;
  }
}

function advice(named: string | undefined, documented: string | null): string {
  if (named !== undefined)
    return `Missing scope: ${named}. Give the access token this scope, or use one that has it.`;
  if (documented === null) return "Check what the access token's user may do in this organization.";
  return `Missing scope: ${documented}, as far as documented. Give the access token this scope, and check what its user may do.`;
}
