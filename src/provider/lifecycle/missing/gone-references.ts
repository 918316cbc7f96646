import { ApiError } from "../../../client/index.js";
import { withCode } from "../../../shared/protocol/message-codes.js";
import type { Arguments } from "../../kind/value-roles.js";
import { isMissing } from "../run/errors.js";
import type { Session } from "../run/session.js";
import { kindOfArgument } from "../values/kinds.js";
import { parentOf, type Where } from "../values/state.js";

/**
 * Explains a refusal by an object that somebody deleted since the state was read, and to which an argument refers: the
 * refusal itself speaks of a field, in which nothing is wrong.
 */
export async function namingGone(
  { run, service }: Session,
  { kind, organization }: Pick<Where, "kind" | "organization">,
  args: Arguments,
  refusal: unknown,
): Promise<unknown> {
  if (!(refusal instanceof ApiError) || ![404, 422].includes(refusal.status)) return refusal;
  const references = Object.keys(kind.arguments).flatMap((argument) => {
    const of = kindOfArgument(kind, argument);
    const ids = [args[argument]].flat().filter((id) => typeof id === "string");
    return of === undefined ? [] : ids.map((id) => ({ argument, of, id }));
  });
  for (const { argument, of, id } of references) {
    const { planned, written, known } = run.of({ organization, kind: of, id });
    if (planned === undefined || written === "created" || known === undefined) continue;
    const ref = { organization, kind: of, id, parent: parentOf(of, known), known };
    const isThere = await service.collections.get(ref).catch((error: unknown) => !isMissing(error));
    if (isThere) continue;
    // Error reference-gone: Somebody deleted an object that the state has and that an argument refers to.
    // Fix: Run `pulumi up --refresh`.
    const text =
      `${kind.name}.${argument}: a resource of this program has the ${of.words.noun} ${id}, which the API doesn't find any more ` +
      `(${refusal.status}: ${refusal.serviceMessage}). It was probably deleted: pulumi up --refresh creates it again` +
      `${of.hidden ? ", or says why it stays in state" : ""}.`;
    return new Error(withCode(text, "reference-gone"));
  }
  return refusal;
}
