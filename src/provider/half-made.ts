import type { Properties } from "../protocol/encoded-values.js";
import type { Outputs } from "../resources/value-roles.js";
import type { Session } from "./session.js";

/** An object as the state records it after a creation or an update. */
export interface Recorded {
  readonly id: string;
  readonly outs: Outputs;
  /** It exists, but isn't as it should be: why. */
  readonly initializationError?: string;
}

/**
 * Bytes of properties that an error can carry. An error travels in HTTP/2 trailers, of which Node sends 64 KB at most:
 * for larger ones it sends nothing, and the engine waits forever. The rest is for base64 and the message.
 */
const LARGEST = 24_000;
/** An upper bound of what protobuf adds to a value: tags and lengths of the value, its name and its entry. */
const OVERHEAD = 24;

/**
 * Decides how the engine learns that an object exists unfinished. An error that carries its properties makes the next
 * update repair it. If they are too large, this warns and returns false. Then the call succeeds, so that the resource
 * is recorded.
 */
export function fitsInError(session: Session, properties: Properties, why: string): boolean {
  if (sizeOf(properties) <= LARGEST) return true;
  session.reporter.warn(`${why} The resource is recorded in state. Run pulumi up --refresh to complete it.`);
  return false;
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return OVERHEAD + Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return OVERHEAD;
  return Object.entries(value).reduce(
    (size, [name, entry]) => size + Buffer.byteLength(name) + sizeOf(entry),
    OVERHEAD,
  );
}
