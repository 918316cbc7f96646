import type { AnyKind } from "../resources/kind.js";
import type { Properties } from "./engine-values.js";
import type { Session } from "./session.js";
import { ORIGIN, TOKEN_ID } from "./state.js";

/**
 * Marks in the outputs: which service returned the object last, and to which access token. A 404 confirms a deletion
 * only if it comes from that service, and for some objects only if it is sent to that token.
 *
 * The description of a kind decides which it needs. Marks are never inputs, and the engine doesn't show them.
 */

/** Who observed an object. */
export interface Observer {
  /** Origin of the service. */
  readonly origin: string;
  /** UUID of the API access token, where it is known. */
  readonly tokenId: string | undefined;
}

/** Returns whether the state needs the access token of an observation: other tokens may be unable to read the object. */
export function needsToken(kind: AnyKind, outs: Properties): boolean {
  return kind.hidden?.when(outs) === true;
}

/** Returns the outputs of an object with the marks of an observation. */
export function marked(kind: AnyKind, outs: Properties, { origin, tokenId }: Observer): Properties {
  const { [ORIGIN]: _, [TOKEN_ID]: __, ...rest } = outs;
  const hasAddress = Object.hasOwn(kind.outputs, "url");
  return {
    ...rest,
    ...((kind.hidden !== undefined || !hasAddress) && { [ORIGIN]: origin }),
    ...(needsToken(kind, outs) && tokenId !== undefined && { [TOKEN_ID]: tokenId }),
  };
}

/** Returns the outputs of an object that the service has just returned to this process, with its marks. */
export async function withMarks(session: Session, kind: AnyKind, outs: Properties): Promise<Properties> {
  return marked(kind, outs, await observerOf(session, kind, outs));
}

/** Returns this process as the observer of an object. It asks for its token only if the state needs it. */
export async function observerOf(session: Session, kind: AnyKind, outs: Properties): Promise<Observer> {
  const tokenId = needsToken(kind, outs) ? await session.tokenId() : undefined;
  return { origin: session.origin, tokenId };
}

/** Returns where an object was returned from last, as its state says. */
export function originIn(outs: Properties): unknown {
  return outs[ORIGIN] ?? outs.url;
}
