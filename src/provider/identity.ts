import type { Address, Reads } from "../resources/calls.js";
import type { AnyKind } from "../resources/kind.js";

/** Refuses an object that the API returned in place of the one with an id: a proxy's or a broken service's answer. */
export function guardIdentity(kind: AnyKind, id: string, entity: object): void {
  const found = kind.identify(entity);
  if (found === id) return;
  const { noun } = kind.words;
  throw new Error(
    `${noun} ${id}: the API returned the ${noun} ${found} in its place, so nothing was changed. ` +
      "Check that baseUrl is the address of the API, then run the command again.",
  );
}

/**
 * Reads an object of the stack.
 *
 * @throws if the API returns another one
 */
export async function getOwn(kind: AnyKind, reads: Reads, address: Address): Promise<object | undefined> {
  const entity = await kind.calls.get(reads, address);
  if (entity !== undefined) guardIdentity(kind, address.id, entity);
  return entity;
}
