import type { AnyKind, ScopeChoice } from "../resources/kind.js";
import { messageOf } from "./errors.js";
import { isUnreachable, type Session } from "./session.js";

/** What is about to happen to a resource. */
export type Intent = "create" | "adopt" | "update" | "nothing";

/**
 * Tells what keeps the access token from what is about to happen to a resource: scopes that it lacks, a service that
 * cannot be reached. Or nothing.
 *
 * A resource that stays as it is needs no more than reading, so an unchanged program can be previewed with an
 * access token that cannot write, and without the service. A run that writes nothing at all never needs more.
 */
export async function missingAccess(
  session: Session,
  kind: AnyKind,
  intent: Intent,
): Promise<string | undefined> {
  const { scopes, failure } = await session.access();
  if (scopes === undefined) {
    if (intent !== "nothing" && isUnreachable(failure)) return unreachable(kind, failure);
    session.warnOnce(
      "could not look up which scopes the access token has, so a missing one shows only when it is needed. " +
        messageOf(failure),
    );
    return undefined;
  }
  const writing = (intent === "create" || intent === "update") && !session.settings.readOnly;
  const needed: readonly ScopeChoice[] = writing
    ? [...kind.scopes.read, ...kind.scopes.write]
    : kind.scopes.read;
  const missing = needed.filter((alternatives) => !alternatives.some((scope) => scopes.has(scope)));
  if (missing.length === 0) return undefined;
  const names = missing.map((alternatives) => alternatives.join(" or ")).join(", ");
  return (
    `${kind.name}: the access token lacks the scope ${names}. ` +
    `Give it that scope, or use one that has it (buildpipeline:accessToken or BUILDPIPELINE_ACCESS_TOKEN).`
  );
}

/** What to say where a service that cannot be reached has the last word. */
export function unreachable(kind: AnyKind, failure: unknown): string {
  return (
    `${kind.name}: the service cannot be reached, and without it nobody knows whether this can be done. ` +
    `${messageOf(failure)} To preview without the service, set buildpipeline:offline to true (or BUILDPIPELINE_OFFLINE).`
  );
}
