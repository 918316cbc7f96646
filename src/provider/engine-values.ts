/** Values with a special meaning on the wire between Pulumi's engine and a provider. */

/** Stands for a value that is not known yet, whatever its type. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** What the engine keeps and the provider hands around: plain JSON. */
export type Properties = Record<string, unknown>;

/** Whether a value, or anything within it, is not known yet. */
export function isUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(isUnknown);
  return typeof value === "object" && value !== null && Object.values(value).some(isUnknown);
}

/** Marks a value as a secret: the engine encrypts it in state and masks it in output. */
export function secret(value: unknown): unknown {
  return { [SIGNATURE]: SECRET, value };
}

/** The value of a secret, or the value itself where it is none. */
export function reveal(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const wrapped: Properties = { ...value };
  return wrapped[SIGNATURE] === SECRET ? wrapped.value : value;
}

/**
 * Returns properties that the wire can carry. `undefined` anywhere fails in the host and half a surrogate pair in the
 * engine, both after the work was done.
 */
export function withoutUndefined(properties: Properties): Properties {
  const present: Properties = {};
  for (const [name, value] of Object.entries(properties)) {
    if (value !== undefined && value !== null) present[name.toWellFormed()] = stripped(value);
  }
  return present;
}

function stripped(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map((entry) => (entry === undefined ? null : stripped(entry)));
  if (typeof value !== "object" || value === null) return value;
  const present: Properties = {};
  for (const [name, entry] of Object.entries(value))
    if (entry !== undefined) present[name.toWellFormed()] = stripped(entry);
  return present;
}
