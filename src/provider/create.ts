import type { AnyKind } from "../resources/kind.js";
import { findAdopted, mismatches } from "./adoption.js";
import { type Properties, withoutUndefined } from "./engine-values.js";
import { messageOf } from "./plain-error.js";
import type { Session } from "./session.js";
import { argumentsOf, bodies, IMPORT, ORGANIZATION, outputs, reconciled, toldSecrets } from "./state.js";

/** An object that exists now. */
export interface Created {
  readonly id: string;
  readonly outs: Properties;
  /** It exists, but something that belongs to it failed: why. */
  readonly unfinished?: string;
}

/** Creates an object, or adopts the one that the import option names. */
export async function create(session: Session, kind: AnyKind, inputs: Properties): Promise<Created> {
  const organization = String(inputs[ORGANIZATION] ?? session.settings.organization);
  const args = argumentsOf(kind, inputs);
  const name = inputs[IMPORT];
  if (typeof name === "string") return adopt(session, kind, organization, name, args);

  const { whole } = bodies(kind, args);
  const { entity, unfinished } = await session.writing(() =>
    kind.calls.create(session.service(organization), whole, args),
  );
  const id = kind.calls.identify(entity);
  const settled = reconciled(kind, args, entity);
  const outs = withoutUndefined(outputs(kind, settled, entity, { organization }, toldSecrets(kind, entity)));
  if (unfinished === undefined) return { id, outs };
  return {
    id,
    outs,
    unfinished: `The ${kind.noun} ${id} exists, but is not finished: ${messageOf(unfinished)}`,
  };
}

async function adopt(
  session: Session,
  kind: AnyKind,
  organization: string,
  name: string,
  args: Properties,
): Promise<Created> {
  const adopted = await findAdopted(session, organization, kind, name);
  // What the preview could not know, as an id of another resource, is known by now.
  const differences = mismatches(kind, args, adopted, new Set());
  if (differences.length > 0) {
    throw new Error(
      `${kind.name}.import: the ${kind.noun} ${adopted.id} differs from the arguments: ${differences.join("; ")}.`,
    );
  }
  session.adopt(organization, kind, adopted.id);
  if (kind.adoptedWithoutSecret !== undefined) {
    session.warn(`adopted the ${kind.noun} ${adopted.id}: ${kind.adoptedWithoutSecret}`);
  }
  const settled = reconciled(kind, args, adopted.entity);
  const outs = outputs(kind, settled, adopted.entity, { organization, import: name });
  return { id: adopted.id, outs: withoutUndefined(outs) };
}
