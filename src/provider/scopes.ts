import type { AnyKind, ScopeChoice } from "../resources/kind.js";
import type { Session } from "./session.js";

/**
 * Tells which scopes the access token lacks for what is about to happen to a resource, or nothing.
 *
 * A resource that stays as it is needs no more than reading, so an unchanged program can be previewed with an
 * access token that cannot write.
 */
export async function missingScopes(
  session: Session,
  kind: AnyKind,
  writing: boolean,
): Promise<string | undefined> {
  const granted = await session.scopes();
  if (granted === undefined) return undefined;
  const needed: readonly ScopeChoice[] = writing
    ? [...kind.scopes.read, ...kind.scopes.write]
    : kind.scopes.read;
  const missing = needed.filter((alternatives) => !alternatives.some((scope) => granted.has(scope)));
  if (missing.length === 0) return undefined;
  const names = missing.map((alternatives) => alternatives.join(" or ")).join(", ");
  return (
    `${kind.name}: the access token lacks the scope ${names}. ` +
    `Give it that scope, or use one that has it (buildpipeline:accessToken or BUILDPIPELINE_ACCESS_TOKEN).`
  );
}
