/** A request the service refuses: the status, and the message and further fields it answers with. */
export class Refusal extends Error {
  readonly body: { readonly message: string; readonly [field: string]: unknown };

  constructor(
    readonly status: 301 | 400 | 401 | 403 | 404 | 413 | 422 | 429 | 500,
    message: string,
    fields: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "Refusal";
    this.body = { message, ...fields };
  }
}

/** Returns the refusal of what the token's user has no permission for. */
export function forbidden(): Refusal {
  return new Refusal(403, "Forbidden");
}

export function notFound(what: string): Refusal {
  return new Refusal(404, `No ${what} found`);
}

/** Returns what a path names. @throws {Refusal} 404. */
export function found<T>(record: T | undefined, what: string): T {
  if (record === undefined) throw notFound(what);
  return record;
}

export function validationFailed(...reasons: readonly string[]): Refusal {
  return new Refusal(422, `Validation failed: ${reasons.join(", ")}`);
}
