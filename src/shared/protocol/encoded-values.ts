/** Encodings of values with a special meaning between a program, the engine and a provider. */

/** Stands for a value that is not known yet, whatever its type. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const ASSET = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE = "0def7320c3a5731c473e5ecbe6d01bc7";

/** Properties as they travel and as the state has them: plain JSON. */
export type Properties = Record<string, unknown>;

export function isUnknown(value: unknown): boolean {
  return contains(value, (part) => part === UNKNOWN);
}

/** Marks a value as a secret: the engine encrypts it in state and masks it in output. */
export function secret(value: unknown): unknown {
  return { [SIGNATURE]: SECRET, value };
}

/** Marks a value as a secret in a file that the engine reads: it encrypts the plain text. */
export function secretInFile(value: unknown): unknown {
  return { [SIGNATURE]: SECRET, plaintext: JSON.stringify(value) };
}

export function isSecret(
  value: unknown,
): value is { readonly value?: unknown; readonly plaintext?: unknown } {
  return typeof value === "object" && value !== null && SIGNATURE in value && value[SIGNATURE] === SECRET;
}

/** Checks whether a value is an asset or archive: as a program makes it, or as it travels. */
export function isAsset(value: object): boolean {
  const mark: unknown = Reflect.get(value, SIGNATURE);
  return "__pulumiAsset" in value || "__pulumiArchive" in value || mark === ASSET || mark === ARCHIVE;
}

export function hasSecret(value: unknown): boolean {
  return contains(value, isSecret);
}

/** What the engine prints in place of a secret. */
export const MASKED = "[secret]";

/** Returns whether output of the engine hides a value, or anything within it, as a secret. */
export function isMasked(value: unknown): boolean {
  return contains(value, (part) => part === MASKED || isSecret(part));
}

/** Returns whether output of the engine shows a value: it is neither a secret nor unknown. */
export function isShown(value: unknown): boolean {
  return value !== undefined && value !== null && value !== UNKNOWN && !isMasked(value);
}

function contains(value: unknown, isIt: (part: unknown) => boolean): boolean {
  if (isIt(value)) return true;
  return (
    typeof value === "object" && value !== null && Object.values(value).some((part) => contains(part, isIt))
  );
}

/** Returns the value of a secret, and any other value as it is. An event log has a secret's value as JSON. */
export function reveal(value: unknown): unknown {
  if (!isSecret(value)) return value;
  if (typeof value.plaintext !== "string") return value.value;
  try {
    return JSON.parse(value.plaintext);
  } catch {
    return value.plaintext;
  }
}

export function revealAll(value: unknown): unknown {
  const own = reveal(value);
  if (Array.isArray(own)) return own.map(revealAll);
  if (typeof own !== "object" || own === null) return own;
  return Object.fromEntries(Object.entries(own).map(([name, entry]) => [name, revealAll(entry)]));
}

/** Returns {@link portable} properties without null: others fail in the host or the engine, after the work was done. */
export function withoutUndefined(properties: object): Properties {
  return fieldsOf(properties, (value) => value !== undefined && value !== null);
}

/**
 * Returns plain data as gRPC and the engine can carry it: without `undefined`, and with U+FFFD for each half of a
 * surrogate pair. The service may send halves, as JSON can spell them. gRPC throws on one in an error, and the engine
 * refuses one in a value.
 */
export function portable(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map((entry) => (entry === undefined ? null : portable(entry)));
  if (typeof value !== "object" || value === null) return value;
  return fieldsOf(value, (entry) => entry !== undefined);
}

function fieldsOf(value: object, isKept: (entry: unknown) => boolean): Properties {
  const kept = Object.entries(value).filter(([, entry]) => isKept(entry));
  return Object.fromEntries(kept.map(([name, entry]) => [name.toWellFormed(), portable(entry)]));
}
