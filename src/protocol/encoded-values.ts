/** Encodings of values with a special meaning between a program, the engine and a provider. */

/** Stands for a value that is not known yet, whatever its type. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** Properties as they travel and as the state has them: plain JSON. */
export type Properties = Record<string, unknown>;

/** Returns whether a value, or anything within it, is not known yet. */
export function isUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(isUnknown);
  return typeof value === "object" && value !== null && Object.values(value).some(isUnknown);
}

/** Marks a value as a secret: the engine encrypts it in state and masks it in output. */
export function secret(value: unknown): unknown {
  return { [SIGNATURE]: SECRET, value };
}

/** Marks a value as a secret in a file that the engine reads: it encrypts the plain text. */
export function secretInFile(value: unknown): unknown {
  return { [SIGNATURE]: SECRET, plaintext: JSON.stringify(value) };
}

/** Returns whether a value is marked as a secret. */
export function isSecret(value: unknown): value is object {
  return typeof value === "object" && value !== null && Reflect.get(value, SIGNATURE) === SECRET;
}

/** Returns whether a value, or anything within it, is marked as a secret. */
export function hasSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  if (Array.isArray(value)) return value.some(hasSecret);
  return typeof value === "object" && value !== null && Object.values(value).some(hasSecret);
}

/** Returns the value of a secret, and any other value as it is. */
export function reveal(value: unknown): unknown {
  return isSecret(value) ? Reflect.get(value, "value") : value;
}

/** Returns a value without marks, also without those within it. */
export function revealAll(value: unknown): unknown {
  const own = reveal(value);
  if (Array.isArray(own)) return own.map(revealAll);
  if (typeof own !== "object" || own === null) return own;
  return Object.fromEntries(Object.entries(own).map(([name, entry]) => [name, revealAll(entry)]));
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
