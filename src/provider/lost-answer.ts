import type { AnyKind } from "../resources/kind.js";
import { decode } from "./codec.js";
import type { Where } from "./collections.js";
import type { Properties } from "./engine-values.js";
import { sameOnService } from "./equality.js";
import { messageOf } from "./errors.js";
import type { Session } from "./session.js";

/**
 * The object just created, where the answer did not tell all of it: by its id, or else the newest one in the list that
 * has what was sent. Objects of equal content may be created at the same time, so each is taken once.
 */
export async function findCreated(
  session: Session,
  where: Where,
  args: Properties,
  id: string,
): Promise<object> {
  const { kind, parent } = where;
  const context = session.context(where.organization);
  if (id) {
    const entity = await kind.calls.get(context, { id, parent, known: {} });
    if (entity !== undefined) return entity;
  }
  let listed: object[];
  try {
    listed = (await kind.calls.list?.(context, { parent })) ?? [];
  } catch (error) {
    throw new Error(createdButUnseen(kind, messageOf(error)), { cause: error });
  }
  const alike = listed
    .map((entity) => ({ entity, told: decode(kind, entity) }))
    .filter(({ told }) =>
      Object.keys(kind.arguments).every(
        (name) =>
          !(name in told) ||
          sameOnService(kind, name, args[name] ?? kind.arguments[name]?.default, told[name]),
      ),
    )
    .filter(({ entity }) => !session.taken.has(kind.identify(entity)))
    .sort((a, b) => String(b.told.createdAt ?? "").localeCompare(String(a.told.createdAt ?? "")));
  const [newest] = alike;
  if (newest === undefined)
    throw new Error(createdButUnseen(kind, `The list of ${kind.noun}s does not have it.`));
  session.taken.add(kind.identify(newest.entity));
  return newest.entity;
}

function createdButUnseen({ noun, adoption }: AnyKind, why: string): string {
  return (
    `The service created the ${noun} but did not tell its id, and looking it up failed. ${why} ` +
    `Before you run again, look whether the ${noun} exists, and if so adopt it: { import: "${adoption?.form}" }.`
  );
}
