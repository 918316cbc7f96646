/**
 * Replaces each half of a surrogate pair by U+FFFD, in a text or anywhere in plain data. The service may send halves,
 * as JSON can spell them. gRPC can't: it throws on one in an error, and the engine refuses one in a value.
 */
export function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return wellFormedFields(value);
}

/** Makes the texts and field names of an object well-formed. */
export function wellFormedFields(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name.toWellFormed(), wellFormed(entry)]),
  );
}
