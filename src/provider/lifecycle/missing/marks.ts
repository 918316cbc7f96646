import { reveal } from "../../../shared/protocol/encoded-values.js";
import { isSameObject } from "../../../shared/protocol/identity.js";
import { EXTERNAL, ORIGIN, TOKEN_ID } from "../../../shared/protocol/properties.js";
import type { Reads } from "../../kind/behavior.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Observed, Outputs } from "../../kind/value-roles.js";
import { originOf, type RunService } from "../run/service.js";
import { currentSubject } from "../run/subject.js";
import { parentKindOf } from "../values/kinds.js";
import { idIn, type ResourceRef, type ResourceState } from "../values/state.js";

/**
 * Marks in the outputs: which service returned the object last, and to which access token. A 404 confirms a deletion
 * only if it comes from that service, and for some objects only if it is sent to that token.
 * Marks are never inputs, and the engine doesn't show them.
 */

export interface Observer {
  readonly origin: string;
  readonly tokenId: string | undefined;
}

/** Returns whether the state needs the access token of an observation: other tokens may be unable to read the object. */
export function needsToken(kind: AnyKind, outs: Observed | Outputs): boolean {
  return kind.hidden?.when(outs) === true || parentKindOf(kind)?.hidden !== undefined;
}

export function observedBy(kind: AnyKind, outs: Outputs, { origin, tokenId }: Observer): Outputs {
  const { [ORIGIN]: _, [TOKEN_ID]: __, [EXTERNAL]: ___, ...rest } = outs;
  return {
    ...rest,
    ...(needsOrigin(kind, outs, origin) && { [ORIGIN]: origin }),
    ...(needsToken(kind, outs) && tokenId !== undefined && { [TOKEN_ID]: tokenId }),
  };
}

/** Returns whether the state needs the origin of an observation. A gateway may leave the API's own origin in `url`. */
function needsOrigin(kind: AnyKind, { url }: Outputs, origin: string): boolean {
  return kind.hidden !== undefined || originOf(reveal(url)) !== origin;
}

/** Returns the outputs of an object that a program only reads: without marks, and so that a refresh adds none. */
export function asExternal(kind: AnyKind, outs: Outputs, origin: string): Outputs {
  return needsOrigin(kind, outs, origin) ? { ...outs, [EXTERNAL]: true } : outs;
}

/**
 * Returns whether outputs in state belong to an object that a program only reads. Those that earlier versions wrote don't
 * say so, and lack arguments that the service never returns and a managed resource has.
 */
export function isExternal({ kind, external, origin, outputs }: ResourceState): boolean {
  if (external !== undefined || origin !== undefined) return external !== undefined;
  return Object.entries(kind.arguments).some(
    ([name, field]) => field.default !== undefined && outputs[name] === undefined,
  );
}

/** Marks outputs that the service has just returned. Asks for the access token's id only if the state needs it. */
export async function withMarks(service: RunService, kind: AnyKind, outs: Outputs): Promise<Outputs> {
  const tokenId = needsToken(kind, outs) ? await service.tokenId() : undefined;
  const marked = observedBy(kind, outs, { origin: service.origin, tokenId });
  return currentSubject()?.withMarks(marked) ?? marked;
}

export function originIn({ origin, outputs }: ResourceState): unknown {
  return origin ?? outputs.url;
}

/** Refuses an object that the API returned in place of another one: a proxy's or a broken service's answer. */
export function guardIdentity(ref: ResourceRef, entity: object): void {
  const { kind, id } = ref;
  const found = idIn(ref, entity);
  if (isSameObject(found, id)) return;
  const { noun } = kind.words;
  throw new Error(
    `${noun} ${id}: the API returned the ${noun} ${found} in its place, so nothing was changed. ` +
      "Check that baseUrl is the address of the API, then run the command again.",
  );
}

/** Reads an object of the stack. @throws if the API returns another one */
export async function getOwn(reads: Reads, ref: ResourceRef): Promise<object | undefined> {
  const entity = await ref.kind.behavior.get(reads, ref);
  if (entity !== undefined) guardIdentity(ref, entity);
  return entity;
}
