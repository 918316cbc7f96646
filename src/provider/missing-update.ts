import type { AnyKind } from "../resources/kind.js";
import { messageOf } from "./errors.js";

/**
 * Explains that an object to be updated is missing, and how to create it again.
 *
 * @param cause the API's response
 */
export function missingUpdate(kind: AnyKind, id: string, cause?: unknown): Error {
  return new Error(
    `${kind.name}: the ${kind.words.noun} ${id} could not be updated. The API has no such ${kind.words.noun}: it was probably deleted. ` +
      `pulumi up --refresh creates it again.${cause === undefined ? "" : ` ${messageOf(cause)}`}`,
  );
}
