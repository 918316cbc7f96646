import { AuthenticationError } from "../client/index.js";
import type { AnyKind } from "../resources/kind.js";
import type { Outputs } from "../resources/value-roles.js";
import { messageOf } from "./errors.js";
import { isMissing } from "./failures.js";
import { kinds } from "./kinds.js";
import { describeObject } from "./namesakes.js";
import type { ResourceRef } from "./resource-ref.js";
import type { Session } from "./session.js";
import type { ResourceState } from "./state.js";

/** The most objects that a refusal names. */
const MOST_NAMED = 10;

/** Objects of one kind in a place. */
interface ContentList {
  readonly kind: AnyKind;
  readonly entities: readonly object[];
}

/**
 * Refuses a deletion that would also delete objects of others. The engine deletes resources before the cluster that
 * they live in. So a remaining object that this process did not delete belongs to others, or is to be kept.
 *
 * Shared lists don't count: colleagues and other stacks write at any time.
 */
export async function guardContents(session: Session, ref: ResourceRef, state: ResourceState): Promise<void> {
  const { kind, organization, id } = ref;
  const force = kind.deletesContents?.unless;
  if (force === undefined || state.outputs[force] === true) return;
  const inside = [...kinds.values()].filter(({ parent }) => parent?.kind === kind.name);
  const lists = await Promise.all(inside.map((child) => listed(session, ref, child, state)));
  const remaining: string[] = [];
  for (const { kind: child, entities } of lists.flatMap((list) => list ?? [])) {
    for (const entity of entities) {
      const of = { organization, kind: child, id: child.identify(entity) };
      await session.run.of(of).deleting;
      const { deleted, leftBehind } = session.run.of(of);
      if (!deleted && !leftBehind) remaining.push(describeObject(session, child, entity));
    }
  }
  if (remaining.length === 0) return;
  const more = remaining.length - MOST_NAMED;
  throw new Error(
    `${kind.name}: nothing was sent for the ${kind.words.noun} ${id}. Its deletion would also delete ` +
      `${remaining.length === 1 ? "an object" : `${remaining.length} objects`} in it that this stack did not delete ` +
      `first. Delete ${remaining.length === 1 ? "it" : "them"}, or set ${force}: true on the ${kind.name}, run ` +
      "pulumi up and repeat the deletion. Resources with Pulumi's options deletedWith or retainOnDelete, or with " +
      `import still set, count as well. In it: ${remaining.slice(0, MOST_NAMED).join("; ")}` +
      `${more > 0 ? `; and ${more} more` : ""}.`,
  );
}

/** Lists what lives in an object. @returns undefined where the object itself is missing, or its kind has no list */
async function listed(
  session: Session,
  ref: ResourceRef,
  child: AnyKind,
  { outputs }: ResourceState,
): Promise<ContentList | undefined> {
  const { organization, kind, id } = ref;
  const context = session.service.context(organization);
  try {
    const list = child.calls.list?.(context, { parent: referenceIn(ref, child, outputs) });
    return list && { kind: child, entities: await list.all() };
  } catch (error) {
    const address = { ...ref, known: outputs };
    if (error instanceof AuthenticationError) throw error;
    if (isMissing(error) && (await isReadMissing(() => kind.calls.get(context, address)))) return undefined;
    throw new Error(
      `${kind.name}: nothing was sent for the ${kind.words.noun} ${id}, because the ${child.words.noun}s in it could not be listed ` +
        `and would be deleted with it. ${messageOf(error)} Use an API access token that may list them, or set ` +
        `${kind.deletesContents?.unless}: true on the ${kind.name}, run pulumi up and repeat the deletion.`,
    );
  }
}

async function isReadMissing(read: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await read()) === undefined;
  } catch (error) {
    return isMissing(error);
  }
}

/** Returns how objects of a kind refer to the object that they live in. */
function referenceIn({ kind, id }: ResourceRef, { parent }: AnyKind, outputs: Outputs): string {
  const output = parent?.refersBy;
  if (output === undefined) return id;
  const value = outputs[output];
  if (typeof value === "string") return value;
  throw new Error(`${kind.name}: the state of ${id} has no ${output}. Run pulumi refresh.`);
}
