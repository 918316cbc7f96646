import { isUnknown } from "../../../shared/protocol/encoded-values.js";
import type { Problem } from "../../kind/argument-problems.js";
import type { Arguments } from "../../kind/value-roles.js";
import type { Session } from "../run/session.js";
import type { CheckRequest } from "../values/state.js";

/** Refuses an earlier generation: its token is revoked, and nothing brings its secret back. */
export function generationGoesBack({ rotation, oldGeneration, old }: CheckRequest): Problem[] {
  // After a refresh of the dynamic backend, only the generation of the token itself is known.
  const before = oldGeneration ?? generationIn(old.args);
  if (rotation === undefined || typeof before !== "number" || rotation.generation >= before) return [];
  const text =
    `RotatingAgentToken ${JSON.stringify(rotation.of)}: generation goes back from ${before} to ${rotation.generation}. ` +
    `A revoked secret can't come back, so set generation to ${before} to keep the tokens, or to ${before + 1} to rotate.`;
  return [{ argument: "", text }];
}

/**
 * Warns if a deployment replaces the token in use. An ordinary rotation replaces the token that was not the newest at its
 * last deployment. After a refresh of the dynamic backend, which forgets that, it replaces the newest generation's slot
 * only, and the token of the generation before exists already.
 */
export function warnOfLeftOutGeneration(
  { run, reporter }: Pick<Session, "run" | "reporter">,
  request: CheckRequest,
): void {
  const { rotation, given, old, oldGeneration, isNew } = request;
  const own = generationIn(given);
  if (rotation === undefined || isNew || own === undefined || own === generationIn(old.args)) return;
  const { of, generation, previous } = rotation;
  const isMadeNow = isUnknown(previous) || run.some(previous, ({ created }) => created === true);
  const isLeap = own !== generation || isMadeNow;
  const wasNewest = oldGeneration === undefined ? isLeap : oldGeneration === (generationIn(old.args) ?? 1);
  if (!wasNewest) return;
  const why = isLeap ? "both tokens in one deployment" : "the newest token that was deployed";
  reporter.warnOnce(
    `RotatingAgentToken ${JSON.stringify(of)}: generation ${generation} revokes the secret in use, because it replaces ` +
      `${why}. Agents can't start or reconnect until they have the new secret. To keep the last ` +
      "one valid, raise generation by one in each deployment.",
  );
}

/** Returns the generation of a token, which is a trigger from the second one on. */
function generationIn({ triggers }: Arguments): unknown {
  return typeof triggers === "object" && triggers !== null ? Reflect.get(triggers, "generation") : undefined;
}
