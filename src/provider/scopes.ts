import type { AnyKind, ScopeChoice } from "../resources/kind.js";
import { messageOf } from "./errors.js";
import { isUnreachable } from "./failures.js";
import type { Session } from "./session.js";

/** The operation that a deployment plans for a resource. */
export type Intent = "create" | "import" | "update" | "nothing";

/**
 * Returns why the access token can't deploy a resource: it lacks a scope, or the API can't be reached. Undefined if it
 * can.
 *
 * An unchanged resource needs read scopes only, so an unchanged program can be previewed with an access token that
 * can't write, and without the API. A read-only run never needs more.
 */
export async function missingAccess(
  session: Session,
  kind: AnyKind,
  intent: Intent,
): Promise<string | undefined> {
  const { scopes, failure } = await session.service.access();
  if (scopes === undefined) {
    if (intent !== "nothing" && isUnreachable(failure)) return unreachable(kind, failure);
    session.reporter.warnOnce(
      "The scopes of the access token could not be read, so a missing scope fails only when it is needed. " +
        messageOf(failure),
    );
    return undefined;
  }
  const writing = (intent === "create" || intent === "update") && !session.settings.readOnly;
  const needed: readonly ScopeChoice[] = writing
    ? [...kind.scopes.read, ...kind.scopes.write]
    : kind.scopes.read;
  const missing = missingScopes(needed, scopes);
  if (missing.length === 0) return undefined;
  return (
    `${kind.name}: the access token lacks the scope ${scopesInWords(missing)}. ` +
    `Give it that scope, or use one that has it (buildpipeline:accessToken or BUILDPIPELINE_ACCESS_TOKEN).`
  );
}

/** Returns the choices from which an access token has no scope. */
export function missingScopes(needed: readonly ScopeChoice[], has: ReadonlySet<string>): ScopeChoice[] {
  return needed.filter((alternatives) => !alternatives.some((scope) => has.has(scope)));
}

/** Lists scopes in a message: `read_teams or view_teams, write_teams`. */
export function scopesInWords(choices: readonly ScopeChoice[]): string {
  return choices.map((alternatives) => alternatives.join(" or ")).join(", ");
}

/** Returns the error for a change that needs the API, which can't be reached. */
export function unreachable(kind: AnyKind, failure: unknown): string {
  return (
    `${kind.name}: the API can't be reached, so this change can't be validated. ` +
    `${messageOf(failure)} To preview without the API, set buildpipeline:offline to true (or BUILDPIPELINE_OFFLINE).`
  );
}
