import type { AnyKind } from "../resources/kind.js";
import { type Properties, withoutUndefined } from "./engine-values.js";
import { messageOf } from "./plain-error.js";
import type { Session } from "./session.js";
import {
  argumentsOf,
  bodies,
  changedNames,
  IMPORT,
  managedArguments,
  ORGANIZATION,
  outputs,
  reconciled,
  unsentOutputs,
} from "./state.js";

/** An object after an update. */
export interface Updated {
  readonly outs: Properties;
  /** It was updated in part: why not in whole. */
  readonly unfinished?: string;
}

/** Sends what changed. A change that concerns the state only, as a removed import option, sends nothing. */
export async function update(
  session: Session,
  kind: AnyKind,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<Updated> {
  const organization = String(olds[ORGANIZATION] ?? news[ORGANIZATION] ?? session.settings.organization);
  const identity = { organization, import: news[IMPORT] };
  const args = argumentsOf(kind, news);
  const names = changedNames(kind, managedArguments(kind, olds), args);
  const sendable = [...names].some((name) => {
    const field = kind.arguments[name];
    return (
      field !== undefined &&
      (field.returnedAs !== undefined || field.sentAs !== undefined) &&
      !field.sentOnceOnly
    );
  });
  if (!sendable) return { outs: withoutUndefined(unsentOutputs(kind, args, identity, olds)) };

  const service = session.service(organization);
  const change = { ...bodies(kind, args, names), names };
  const made = await session.writing(() => kind.calls.update(service, id, change, olds, args));
  if (made === undefined) return { outs: withoutUndefined(unsentOutputs(kind, args, identity, olds)) };
  const settled = reconciled(kind, args, made.entity);
  const outs = withoutUndefined(outputs(kind, settled, made.entity, identity, olds));
  if (made.unfinished === undefined) return { outs };
  return { outs, unfinished: `The ${kind.noun} ${id} was updated in part: ${messageOf(made.unfinished)}` };
}
