import type { AnyKind } from "../resources/kind.js";
import { messageOf } from "./errors.js";
import { isMissing } from "./session.js";

/** Explains why an update failed where the object is missing, and how to create it again. */
export function explainMissing(kind: AnyKind, id: string, error: unknown): unknown {
  if (!isMissing(error)) return error;
  return new Error(
    `${kind.name}: the ${kind.noun} ${id} could not be updated. The API has no such ${kind.noun}: it was probably deleted. ` +
      `pulumi up --refresh creates it again. ${messageOf(error)}`,
    { cause: error },
  );
}
