import type { AnyKind, Known } from "../resources/kind.js";
import { isMissing, type Session } from "./session.js";
import { outputs } from "./state.js";

/** A listed object in full: a list may tell less of it than a single read does. */
export async function whole(
  session: Session,
  organization: string,
  kind: AnyKind,
  listed: object,
  known: Known<Record<string, unknown>>,
): Promise<object> {
  if (!kind.collection.partial) return listed;
  const told = { ...known, ...outputs(kind, {}, listed, { organization }) };
  try {
    const read = await kind.calls.read(session.service(organization), kind.calls.identify(listed), told);
    return read ?? listed;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return listed;
  }
}
