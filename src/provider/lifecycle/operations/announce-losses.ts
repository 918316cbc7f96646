import { isSameObject } from "../../../shared/protocol/identity.js";
import type { Known } from "../../kind/value-roles.js";
import type { Session } from "../run/session.js";
import { decode } from "../values/codec.js";
import { lossesOf, refusedLoss } from "../values/losses.js";
import { type ChangeRequest, idIn, organizationOf, type ResourceState, refOf } from "../values/state.js";

/**
 * Warns of what a planned replacement would lose.
 * @throws if the replacement can't take the object's place without it
 */
export async function announceLosses(session: Session, { state, inputs }: ChangeRequest): Promise<void> {
  const { kind, id } = state;
  for (const { text, refused } of lossesOf(kind, id, await currentOutputs(session, state), inputs.args)) {
    if (refused) throw new Error(refusedLoss(kind, text));
    session.reporter.warnOnce(text);
  }
}

/** A state that an earlier version wrote may lack what a refusal depends on. */
async function currentOutputs({ service, settings }: Session, state: ResourceState): Promise<Known> {
  const { kind, id, outputs } = state;
  const isRecorded = Object.entries(kind.outputs).every(
    ([name, { lostWhenReplaced }]) => lostWhenReplaced === undefined || outputs[name] !== undefined,
  );
  if (isRecorded || settings.offline) return outputs;
  const ref = refOf(organizationOf(settings, state), state);
  const { entities } = await service.collections.initialList(ref);
  const live = entities?.find((entity) => isSameObject(idIn(ref, entity), id));
  return live === undefined ? outputs : decode(kind, live);
}
