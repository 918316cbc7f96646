import { isUnknown } from "../../../shared/protocol/encoded-values.js";
import { identityOf, isUuid } from "../../../shared/protocol/identity.js";
import { documentDigest, withCodeOf, withStepCode } from "../../../shared/protocol/message-codes.js";
import type { AnyKind } from "../../kind/kind.js";
import { type Candidate, type Look, remarksOn } from "../../kind/steps.js";
import type { Arguments, Known } from "../../kind/value-roles.js";
import { formOf, wantedValue } from "../imports/holders.js";
import { messageOf } from "../run/errors.js";
import type { Session } from "../run/session.js";
import { changedNames, decode, sameArgument } from "../values/codec.js";
import { grammar, kindNamed, parentKindOf } from "../values/kinds.js";
import { type CheckRequest, idIn, mayQuote, parentOf, type Where } from "../values/state.js";

/** Remarks on new and changed steps: their form, and whether what they name exists or is declared. */

/** Time in which the engine sends what the program declares after the steps that name it. */
const DECLARED_MS = 300;

export async function warnOfSteps(session: Session, request: CheckRequest, args: Arguments): Promise<void> {
  const { kind, given, old, isNew } = request;
  const changed = isNew ? undefined : changedNames(kind, old.args, args);
  for (const [argument, { hasSteps }] of Object.entries(kind.arguments)) {
    const value = given[argument];
    const isRead = hasSteps && value != null && changed?.has(argument) !== false;
    // What is known in parts is an object.
    if (!isRead || !mayQuote(request)(argument) || (typeof value === "string" && isUnknown(value))) continue;
    const look: Look | undefined = session.settings.offline
      ? undefined
      : (name, value) => candidates(session, request, args, kindNamed(name), value);
    const document = documentDigest(args[argument]);
    for (const { place, line, words, isRejected, named } of await remarksOn(value, grammar, look)) {
      const at = [...(line === undefined ? [] : [`line ${line}`]), ...(place === "" ? [] : [place])].join(
        ", ",
      );
      const remark = `${kind.name}.${argument}: ${at}${at === "" ? "" : ": "}${words}`;
      const code = { document, isRejected, kind: named?.kind, name: named?.value };
      session.reporter.warnOnce(withStepCode(remark, code));
    }
  }
}

/** Notes by which name steps may refer to a resource of the program. */
export function noteNamed({ entries }: Session, kind: AnyKind, args: Arguments): void {
  const name = wantedValue(kind, args);
  if (typeof name === "string")
    entries.noteDeclared(declaredKey(kind, args[kind.parent?.argument ?? ""], name));
}

function declaredKey(kind: AnyKind, parent: unknown, name: string): string {
  const place = typeof parent === "string" && !isUnknown(parent) ? identityOf(parent) : "";
  return JSON.stringify([kind.name, place, formOf(kind)(name)]);
}

/** Returns what a step may name; undefined where nobody knows that now: a new cluster is empty, or the pipeline moves. */
async function candidates(
  { service, run, entries, reporter, settings: { organization } }: Session,
  request: CheckRequest,
  args: Arguments,
  kind: AnyKind | undefined,
  value: string,
): Promise<readonly Candidate[] | undefined> {
  if (kind === undefined) return undefined;
  const { argument } = kind.parent ?? {};
  const parent = argument === undefined ? "" : args[argument];
  if (typeof parent !== "string" || isUnknown(parent) || (argument !== undefined && parent === ""))
    return undefined;
  if (
    argument !== undefined &&
    !request.isNew &&
    !sameArgument(request.kind, argument, request.old.args[argument], parent)
  )
    return undefined;
  const where: Where = { organization, kind, parent: identityOf(parent) };
  const above = parentKindOf(kind);
  if (above !== undefined && run.of({ organization, kind: above, id: parent }).written === "created")
    return undefined;
  // Lists are from before the deployment, and may not have what the access token can't see.
  const { output = "" } = kind.inSteps ?? {};
  const isOwn = ({ known }: { readonly known: Known }) =>
    known[output] === value && parentOf(kind, known) === where.parent;
  if (run.knownOf(organization, kind.name).some(isOwn)) return undefined;
  try {
    const live = (await objectsIn(service, where, value)).map((entity) => ({
      id: idIn(where, entity),
      names: namesOf(kind, entity),
    }));
    if (isUuid(value) || live.some(({ id, names }) => id === value || names.includes(value))) return live;
    const keys = [parent, undefined].map((place) => declaredKey(kind, place, value));
    const isDeclared = () => keys.some((key) => entries.isDeclared(key));
    if (!isDeclared()) await service.pause(DECLARED_MS);
    return isDeclared() ? undefined : live;
  } catch (error) {
    const text = `The ${kind.words.noun}s that steps name are not checked: ${messageOf(error)}`;
    reporter.warnOfAll(withCodeOf(text, error));
    return undefined;
  }
}

const reads = new WeakMap<Session["service"], Map<string, Promise<object | undefined>>>();

/** Reads the object of a name alone, as long as that costs less than the list of all. */
async function objectsIn(
  service: Session["service"],
  where: Where,
  value: string,
): Promise<readonly object[]> {
  const { collections } = service;
  const { holder } = where.kind.unique ?? {};
  const known = await collections.knownInitialList(where);
  if (known !== undefined) return known;
  if (holder !== undefined && isUuid(value)) return [];
  const own = reads.get(service) ?? new Map<string, Promise<object | undefined>>();
  reads.set(service, own);
  if (holder !== undefined && (own.has(value) || collections.mayLook(where))) {
    const reading = own.get(value) ?? holder(service.context(where.organization), value);
    own.set(value, reading);
    const found = await reading;
    return found === undefined ? [] : [found];
  }
  const { entities, failure } = await collections.initialList(where);
  if (entities === undefined) throw failure;
  return entities;
}

/** Returns what steps may call an object. */
export function namesOf(kind: AnyKind, entity: object): string[] {
  const { argument = "", taken } = kind.unique ?? {};
  const names = taken?.(entity) ?? [decode(kind, entity)[argument]];
  return names.filter((name) => typeof name === "string");
}
