import { isUnknown } from "../../../shared/protocol/encoded-values.js";
import { identityOf } from "../../../shared/protocol/identity.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Arguments, Known } from "../../kind/value-roles.js";
import type { Session } from "../run/session.js";
import { decode, sameOnService, userIn } from "../values/codec.js";
import { kindOfArgument } from "../values/kinds.js";
import { idIn, type Where } from "../values/state.js";

/** Who has a value that must be unique. */

/**
 * Returns the object with the value that the arguments want to have: from a list, or where no list may show it.
 *
 * @param mayLook whether it is worth a request beyond the list, which it isn't for each of very many creations
 */
export async function findHolder(
  { service, reporter }: Session,
  where: Where,
  args: Arguments,
  entities: readonly object[],
  mayLook: (where: Where) => boolean = () => true,
): Promise<object | undefined> {
  const { kind, organization } = where;
  const { unique } = kind;
  const listed = holderOf(kind, args, entities);
  const wanted = wantedValue(kind, args);
  if (listed !== undefined || typeof wanted !== "string" || unique?.holder === undefined) return listed;
  if (mayLook(where)) return unique.holder(service.context(organization), wanted);
  reporter.warnOfFirst(
    `${kind.name}.${unique.argument}: so many ${kind.words.noun}s are new that this and further ones were looked for in lists only, ` +
      `which may lack archived ones. If one of those has the ${unique.argument}, the API refuses the creation, and the error has its import.`,
  );
  return undefined;
}

export function wantedValue({ unique }: AnyKind, args: Arguments): unknown {
  if (unique === undefined) return undefined;
  const { argument, derived } = unique;
  const own = args[argument];
  const value = own ?? (derived && args[derived.from]);
  if (isUnknown(value)) return undefined;
  return own == null && typeof value === "string" ? (derived?.form?.(value) ?? value) : value;
}

/** Returns the argument that says what must be unique, and another one from which the service may derive it differently. */
export function wantedBy({ unique }: AnyKind, args: Arguments): { argument: string; guessedFrom?: string } {
  const { argument = "", derived } = unique ?? {};
  if (derived === undefined || args[argument] != null) return { argument };
  if (derived.form === undefined) return { argument: derived.from };
  const from = args[derived.from];
  const isCertain = typeof from !== "string" || (derived.isCertain?.(from) ?? true);
  return isCertain ? { argument } : { argument, guessedFrom: derived.from };
}

export function holderOf(kind: AnyKind, args: Arguments, entities: readonly object[]): object | undefined {
  if (kind.unique === undefined) return undefined;
  const { argument, taken } = kind.unique;
  const form = formOf(kind);
  const wanted = wantedValue(kind, args);
  if (taken === undefined) return entities.find((entity) => hasSame(kind, argument, args, entity));
  if (typeof wanted !== "string") return undefined;
  return entities.find((entity) =>
    taken(entity).some((value) => value != null && form(value) === form(wanted)),
  );
}

/** Returns what makes values of which only one object may have one comparable. */
export function formOf({ once }: AnyKind): (value: string) => string {
  return once?.form ?? identityOf;
}

export function hasSame(kind: AnyKind, name: string, args: Arguments, entity: object): boolean {
  return sameOnService(kind, name, args[name], decode(kind, entity)[name]);
}

/** The most time between the creation of an object and that of what the service makes with it. */
const MADE_WITHIN_MS = 10_000;
/** Times of one service may be rounded down to a second. */
const GRAIN_MS = 1_000;

/**
 * Returns whether an object is what the creation of another one gave, and nobody's yet: this program declares that other
 * one, and no entry of it has this one.
 */
export function cameAlong({ run }: Session, where: Where, args: Arguments, object: object): boolean {
  const { kind, organization } = where;
  const { argument = "", gives } = kind.comesWith ?? {};
  const made = kindOfArgument(kind, argument);
  const id = args[argument];
  if (made === undefined || typeof id !== "string") return false;
  const { written, entry, known = {} } = run.of({ organization, kind: made, id });
  const own = run.of({ ...where, id: idIn(where, object) });
  const isDeclared = written === "created" || entry === "kept";
  if (!isDeclared || own.planned !== undefined || own.written === "created") return false;
  const observed = decode(kind, object);
  const late = timeOf(observed) - timeOf(known);
  // A suite doesn't say when it was created.
  const isSoonAfter = Number.isNaN(late) ? written === "created" : late > -GRAIN_MS && late <= MADE_WITHIN_MS;
  const given = gives?.({ known, creator: userIn(known) }, args);
  return (
    isSoonAfter &&
    given !== undefined &&
    Object.entries(given).every(([name, value]) => sameOnService(kind, name, value, observed[name]))
  );
}

function timeOf({ createdAt }: Known): number {
  return Date.parse(String(createdAt));
}
