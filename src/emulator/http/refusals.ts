/** A request the service refuses: the status and the body it answers with. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: { readonly message: string; readonly [field: string]: unknown },
  ) {
    super(body.message);
    this.name = "Refusal";
  }
}

/** 401, as the live service words it; the address is this emulator's own. */
export function unauthenticated(base: string): Refusal {
  return new Refusal(401, {
    message: `Authentication required. Please supply a valid API Access Token: ${base}/`,
  });
}

/** 403 for a token without the scope an operation needs. */
export function missingScope(scope: string): Refusal {
  return new Refusal(403, { message: `Your access token doesn't have the ${scope} scope` });
}

/** 403 for what the organization or the user may not do. */
export function forbidden(message: string): Refusal {
  return new Refusal(403, { message });
}

/** 404: `No cluster found` and the like. */
export function notFound(what: string): Refusal {
  return new Refusal(404, { message: `No ${what} found` });
}

/** 400 for a request in a state or shape that does not fit. */
export function badRequest(message: string): Refusal {
  return new Refusal(400, { message });
}

/** 422 for a create or update that fails validation. */
export function validationFailed(...reasons: readonly string[]): Refusal {
  return new Refusal(422, { message: `Validation failed: ${reasons.join(", ")}` });
}

/** One reason why a build's creation fails validation. The document leaves its form open. */
export interface BuildFieldError {
  readonly field: string;
  readonly code: "missing_field" | "invalid";
  readonly message: string;
}

/** 422 of build creation. */
export function buildValidationFailed(errors: readonly BuildFieldError[]): Refusal {
  return new Refusal(422, { message: "Validation Failed", errors });
}

/** 422 with the reason why something cannot be done. */
export function refused(reason: string): Refusal {
  return new Refusal(422, { message: reason });
}
