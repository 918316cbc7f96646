import { isUnknown } from "../../../shared/protocol/encoded-values.js";
import { identityOf } from "../../../shared/protocol/identity.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Arguments } from "../../kind/value-roles.js";
import type { Session } from "../run/session.js";
import { decode, sameArgument, sameOnService, userIn } from "../values/codec.js";
import { kinds } from "../values/kinds.js";
import { idIn, type Where } from "../values/state.js";

/** Who has a value that must be unique. */

/** Returns the object with the value that the arguments want to have: from a list, or where no list may show it. */
export async function findHolder(
  { service }: Session,
  { kind, organization }: Where,
  args: Arguments,
  entities: readonly object[],
): Promise<object | undefined> {
  const listed = holderOf(kind, args, entities);
  const wanted = wantedValue(kind, args);
  if (listed !== undefined || typeof wanted !== "string") return listed;
  return kind.unique?.holder?.(service.context(organization), wanted);
}

export function wantedValue({ unique }: AnyKind, args: Arguments): unknown {
  if (unique === undefined) return undefined;
  const { argument, derived } = unique;
  const own = args[argument];
  const value = own ?? (derived && args[derived.from]);
  if (isUnknown(value)) return undefined;
  return own == null && typeof value === "string" ? (derived?.form?.(value) ?? value) : value;
}

export function holderOf(kind: AnyKind, args: Arguments, entities: readonly object[]): object | undefined {
  if (kind.unique === undefined) return undefined;
  const { argument, taken } = kind.unique;
  const form = kind.once?.form ?? identityOf;
  const wanted = wantedValue(kind, args);
  if (taken === undefined) return entities.find((entity) => hasSame(kind, argument, args, entity));
  if (typeof wanted !== "string") return undefined;
  return entities.find((entity) =>
    taken(entity).some((value) => value != null && form(value) === form(wanted)),
  );
}

export function hasSame(kind: AnyKind, name: string, args: Arguments, entity: object): boolean {
  return sameOnService(kind, name, args[name], decode(kind, entity)[name]);
}

/** The most time between the creation of an object and that of what the service makes with it. */
const MADE_WITHIN_MS = 10_000;

/**
 * Returns whether a pair came into being with the object that it refers to, and this stack's token made that: in this
 * run, or a moment before the pair.
 */
export async function isTakenOver(
  { service, run }: Session,
  where: Where,
  args: Arguments,
  pair: object,
): Promise<boolean> {
  const { kind, organization } = where;
  const argument = typeof kind.comesWithOthers === "string" ? kind.comesWithOthers : "";
  const made = kinds.get(kind.arguments[argument]?.refersTo ?? "");
  const id = args[argument];
  if (made === undefined || typeof id !== "string") return false;
  const place = { organization, kind: made, parent: "" };
  if (run.of({ ...place, id }).written === "created") return true;
  if (service.user === undefined) return false;
  const owner = (await service.collections.list(place)).find((one) =>
    sameArgument(kind, argument, idIn(place, one), id),
  );
  if (owner === undefined) return false;
  const { createdAt: from, createdBy } = decode(made, owner);
  const { createdAt: at } = decode(kind, pair);
  const late = Date.parse(String(at)) - Date.parse(String(from));
  return userIn({ createdBy }) === service.user && late >= 0 && late <= MADE_WITHIN_MS;
}
