import { AuthenticationError, PermissionError, UnexpectedResponseError } from "../../../client/index.js";
import { sendWrite } from "../../../client/write.js";
import { reveal } from "../../../shared/protocol/encoded-values.js";
import { isSameObject } from "../../../shared/protocol/identity.js";
import { withCode } from "../../../shared/protocol/message-codes.js";
import { type AnyKind, allOf, forceArgument } from "../../kind/kind.js";
import { describeObject } from "../imports/conflicts.js";
import { confirmDeleted, probablyExists } from "../missing/missing-objects.js";
import { explainingRefusedToken, guardOrganization } from "../run/access.js";
import { isMissing, messageOf } from "../run/errors.js";
import type { RunRecord } from "../run/memory.js";
import type { RunService } from "../run/service.js";
import type { Session } from "../run/session.js";
import { accessTo, groupsOf, kinds, lostWith, parentKindOf, referringTo } from "../values/kinds.js";
import {
  idIn,
  type ObjectKey,
  objectKeyOf,
  organizationOf,
  type ResourceState,
  refOf,
  type StateRef,
  secretNamesOf,
} from "../values/state.js";

/**
 * Deletes an object. Sends nothing if its state still has the option `import`, or if another entry of the program has
 * the object. A missing object is a success, once that is confirmed. The id is from the state, so the object is ours.
 */
export async function remove(session: Session, state: ResourceState): Promise<void> {
  const { kind, id } = state;
  const organization = organizationOf(session.settings, state);
  guardOrganization(session.settings, state);
  const key = { organization, kind, id };
  if (secretNamesOf(kind, state.secretNames, state.args).has(kind.words.label))
    session.run.note(key, { hasSecretName: true });
  if (state.import !== undefined) {
    session.reporter.warn(
      `nothing was sent for the ${kind.words.noun} ${id}, because its option import is still set: it was only removed from ` +
        "state. To delete an imported object, remove the option and run pulumi up first.",
    );
    return;
  }
  if (session.entries.isOthers(key, state)) {
    session.reporter.warn(
      `nothing was sent for the ${kind.words.noun} ${id}, because another resource of this program imported it: only the ` +
        'old entry was removed from state. To rename a resource, use { aliases: [{ name: "<old name>" }] } instead.',
    );
    return;
  }
  // The entries of a view share its id: the deletion of an old one must not undo what another one keeps.
  if (kind.view !== undefined && session.run.of(key).entry === "kept") return;
  // Two entries of the state may have one object, and the engine deletes them at the same time.
  const work = session.oneAtATime(`deletion of ${objectKeyOf(key)}`, () =>
    explainingRefusedToken(session, () => deleteOwn(session, refOf(organization, state))),
  );
  session.run.note(key, { end: "begun", deletion: work.catch(() => undefined) });
  await work;
}

async function deleteOwn(session: Session, ref: StateRef): Promise<void> {
  const { run, service } = session;
  service.recent.noteInState(ref.state);
  await guardContents(session, ref);
  const context = service.context(ref.organization);
  const { length: ended } = endedAround(run, ref);
  const outcome = await sendWrite({
    send: () => service.collections.deleting(() => ref.kind.behavior.delete(context, ref)),
    accept: (deletion) => deletion ?? "deleted",
    look: (_, error) => look(session, ref, error),
    repeats: ref.kind.behavior.reusesAddresses ? "looked up" : "by the client",
    pause: context.pause,
  });
  const failure = outcome.is === "made" ? outcome.lost.at(-1)?.error : outcome.error;
  const isKept = context.status(failure instanceof Error && failure.cause ? failure.cause : failure) === 422;
  if (outcome.is !== "made" && isKept && (await moreEnd(session, ref, ended))) return deleteOwn(session, ref);
  if (outcome.is === "refused" && context.status(failure) === 403) requireAccess(run, ref, failure);
  if (outcome.is !== "made" && !(outcome.is === "refused" && isMissing(failure))) throw failure;
  if (outcome.is === "made" && outcome.result === "leftBehind") return run.note(ref, { end: "leftBehind" });
  // A 404 means a missing permission as well.
  const isConfirmed = outcome.is === "made" && outcome.result === "deleted";
  if (!isConfirmed && !isDeleted(run, ref)) requireAccess(run, ref, failure);
  if (!isConfirmed && !isDeleted(run, ref))
    // A try of this run may have deleted it, and its response was lost.
    await confirmDeleted(session, ref, failure, outcome.is === "made" && outcome.lost.length > 0);
  const isDeletedHere = outcome.is === "made" && (outcome.result === "deleted" || outcome.lost.length > 0);
  run.note(ref, { end: "deleted", isDeletedHere });
  service.recent.noteEnded(ref);
}

const ACCEPTED = 202;
const ACCEPTED_WAIT_MS = 30_000;

/** Looks for an object after a lost try to delete it. A deletion that was only accepted gets some time to be carried out. */
async function look(
  { service, reporter }: Session,
  ref: StateRef,
  error: unknown,
): Promise<"missing" | "deleted" | undefined> {
  const { kind, id } = ref;
  const isAccepted = error instanceof UnexpectedResponseError && error.status === ACCEPTED;
  if (!isAccepted)
    return (await exists(service.collections.get(ref)).catch(() => true)) ? undefined : "missing";
  reporter.inform(
    `the API accepted the deletion of the ${kind.words.noun} ${id} (202), so it is looked for until it is gone, for half a ` +
      "minute at most.",
  );
  for (let waited = 0, next = 500; ; waited += next, next *= 2) {
    // Accepted and gone says as much as a deletion that was carried out at once.
    if (!(await exists(service.collections.get(ref)))) return "deleted";
    if (waited >= ACCEPTED_WAIT_MS)
      // Error deletion-contradicted: The API returned an object that an earlier response called missing, or to be deleted.
      // Fix: Run the command again.
      throw new Error(
        withCode(
          `${kind.name}: the API accepted the deletion of the ${kind.words.noun} ${id} (202), but still returns it half a ` +
            "minute later. It stays in state: run the command again.",
          "deletion-contradicted",
        ),
      );
    await service.pause(next);
  }
}

/** Returns the deletions of what refers to an object from elsewhere, which may keep it: those of this run that have ended. */
function endedAround(run: RunRecord, ref: StateRef) {
  return around(run, ref).filter(({ end }) => end === "deleted");
}

function around(run: RunRecord, { kind, organization }: StateRef) {
  return referringTo(kind).flatMap(({ name }) => run.deletionsOf(organization, name));
}

/**
 * Waits until more of what may keep an object is deleted. The engine deletes a resource that names the object by a literal
 * id at the same time.
 */
async function moreEnd({ service, run }: Session, ref: StateRef, before: number): Promise<boolean> {
  const hasMore = () => endedAround(run, ref).length > before;
  if (referringTo(ref.kind).length === 0) return false;
  for (let waited = 0; waited < CONTENTS_WAIT_MS && !hasMore(); waited += CONTENTS_LOOK_MS)
    await service.context(ref.organization).pause(CONTENTS_LOOK_MS);
  for (const { deletion } of around(run, ref)) await deletion;
  return hasMore();
}

/**
 * Refuses to take a 404 or a 403 for the end of an object, if this run has deleted what lets people see it.
 *
 * @throws what remains, and the ways out
 */
function requireAccess(run: RunRecord, { kind, id, organization }: StateRef, failure: unknown): void {
  const pairs = accessTo(kind);
  const lost = (pairs === undefined ? [] : [pairs, ...groupsOf(pairs)]).flatMap(({ name }) =>
    run
      .deletionsOf(organization, name)
      .flatMap(({ end, id: other }) =>
        end === "deleted" && (name !== pairs?.name || other.endsWith(`/${id}`)) ? [{ by: name, other }] : [],
      ),
  );
  if (lost.length === 0) return;
  throw probablyExists({ kind, id }, lost, failure);
}

/** Returns whether this run deleted the object, or one that it disappears with. */
function isDeleted(run: RunRecord, ref: StateRef): boolean {
  if (run.of(ref).end === "deleted") return true;
  const { kind, parent, known } = ref;
  const others = Object.entries(kind.arguments).flatMap(([name, { refersTo = "", goesWith }]) =>
    goesWith ? [{ kind: kinds.get(refersTo), id: reveal(known[name]) }] : [],
  );
  return [{ kind: parentKindOf(kind), id: parent }, ...others].some(
    (one) =>
      one.kind !== undefined &&
      typeof one.id === "string" &&
      run.of({ organization: ref.organization, kind: one.kind, id: one.id }).end === "deleted",
  );
}

const MOST_NAMED = 10;
const CONTENTS_WAIT_MS = 5_000;
const CONTENTS_LOOK_MS = 100;

/**
 * Refuses a deletion that would also delete objects of others. Because the engine deletes resources before the cluster
 * that they depend on, what remains belongs to others, or is to be kept. Only a resource that names the cluster by a
 * literal id is deleted at the same time, so the refusal waits some seconds for such deletions to begin and to end.
 */
async function guardContents(session: Session, ref: StateRef): Promise<void> {
  const { service, run } = session;
  const { kind, id, state } = ref;
  const force = forceArgument(kind);
  if (force === undefined || state.outputs[force] === true) return;
  let remaining = await remainingIn(session, ref);
  if (remaining.length === 0) return;
  const isAwaited = (key: ObjectKey) => run.of(key).end === "none";
  for (let waited = 0; waited < CONTENTS_WAIT_MS && remaining.some(isAwaited); waited += CONTENTS_LOOK_MS)
    await service.context(ref.organization).pause(CONTENTS_LOOK_MS);
  remaining = await remainingIn(session, ref);
  if (remaining.length === 0) return;
  const more = remaining.length - MOST_NAMED;
  const named = remaining
    .slice(0, MOST_NAMED)
    .map((one) => describeObject(one.kind, one.entity, service.time(), !run.of(one).hasSecretName));
  throw new Error(
    `${kind.name}: nothing was sent for the ${kind.words.noun} ${id}. Its deletion would also delete ` +
      `${remaining.length === 1 ? "an object" : `${remaining.length} objects`} in it that this stack did not delete ` +
      `first. Delete ${remaining.length === 1 ? "it" : "them"}, or set ${force}: true on the ${kind.name}, run ` +
      "pulumi up and repeat the deletion. Resources with Pulumi's options deletedWith or retainOnDelete, or with " +
      `import still set, count as well. In it: ${named.join("; ")}` +
      `${more > 0 ? `; and ${more} more` : ""}.`,
  );
}

/** Lists what this process did not delete, and reads no shared list: colleagues and other stacks write at any time. */
async function remainingIn({ service, run }: Session, ref: StateRef) {
  const { organization } = ref;
  const lists = lostWith(ref.kind.name).map(async (kind) => {
    const entities = await contentsIn(service, ref, kind);
    const place = { kind, parent: ref.id };
    return entities.map((entity) => ({ organization, kind, id: idIn(place, entity), entity }));
  });
  const contents = (await Promise.all(lists)).flat();
  for (const content of contents) await run.of(content).deletion;
  return contents.filter((content) => ["none", "begun"].includes(run.of(content).end));
}

async function contentsIn(service: RunService, ref: StateRef, child: AnyKind): Promise<object[]> {
  const { kind, id, organization } = ref;
  const context = service.context(organization);
  try {
    return await allOf(child, context, { parent: id });
  } catch (error) {
    if (error instanceof AuthenticationError) throw error;
    // Where the parent is gone, or answers and the service has no such objects, none are in it. A 404 also means a missing
    // permission, so that a list must lack the parent.
    if (isMissing(error) && (child.requires === "newer API" || (await isGone(service, ref)))) return [];
    const isRefused = isMissing(error) || error instanceof PermissionError;
    const way = isRefused
      ? ` Use an API access token that may list them, or set ${forceArgument(kind)}: true on the ${kind.name}, run pulumi up and ` +
        "repeat the deletion."
      : "";
    throw new Error(
      `${kind.name}: nothing was sent for the ${kind.words.noun} ${id}, because the ${child.words.noun}s in it could not be listed ` +
        `and would be deleted with it. ${messageOf(error)}${way}`,
      { cause: error },
    );
  }
}

async function isGone(service: RunService, ref: StateRef): Promise<boolean> {
  const { collections } = service;
  if (await exists(collections.get(ref)).catch(() => true)) return false;
  const isOwn = (entity: object) => isSameObject(idIn(ref, entity), ref.id);
  return (await collections.search(ref, isOwn, service.now()).catch(() => ref)) === undefined;
}

/** @throws what keeps a read from saying it */
async function exists(read: Promise<unknown>): Promise<boolean> {
  try {
    return (await read) !== undefined;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
