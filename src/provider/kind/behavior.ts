import type { BuildPipelineClient, List, RequestOptions } from "../../client/index.js";
import type { Write } from "../../client/write.js";
import { isSameObject } from "../../shared/protocol/identity.js";
import { isSameInstant } from "./canonical.js";
import type { Arguments, Known } from "./value-roles.js";

export interface Context {
  /** Speaks to the organization that the resource is in. The same one for all calls of a process. */
  readonly client: BuildPipelineClient;
  warn(message: string): void;
  inform(message: string): void;
  /** Returns the HTTP status behind an error, if it is the service's. */
  status(error: unknown): number | undefined;
  /** Sends a write and returns its result. @throws if it was not carried out, or nobody knows */
  write<Response, Result>(write: Write<Response, Result>): Promise<Result>;
  /** Returns the time of the service, as far as it is known, in milliseconds. */
  now(): number;
  /** Waits, for retries of what another resource is about to make possible. */
  pause(milliseconds: number): Promise<void>;
  /** Returns what this process did with an object of a kind. */
  done(kind: string, id: string): Done;
}

export type Reads = Pick<Context, "client"> & { readonly signal?: AbortSignal | undefined };

export interface Done {
  readonly written: "nothing" | "updated" | "created";
  /** How far its deletion is. One that failed stays `begun`. */
  readonly end: "none" | "begun" | "leftBehind" | "deleted";
  /** Its name is secret, and what the service derives from that. */
  readonly hasSecretName?: true;
}

export interface Address<Name extends string = string> extends Place {
  /** The engine's id. */
  readonly id: string;
  /** From state or a list. */
  readonly known: Known<Name>;
  /** The arguments that the program states or stated, as the inputs in state have them. */
  readonly stated?: Arguments;
  /** The arguments that an update is to lead to. */
  readonly wanted?: Arguments;
}

export interface Deleted<Name extends string = string> extends Address<Name> {
  readonly stated: Arguments;
}

export interface Place {
  /** Value of `parent.argument`. "" for a kind without a parent. */
  readonly parent: string;
  /** What is known of one that is there. */
  readonly known?: Known;
  /** The parent as a list has just shown it to a command that only reads, or as this process created it. */
  readonly shown?: Known;
  /** Part of the names of what is asked for, where {@link Behavior.narrows}. Default: all. */
  readonly named?: string | undefined;
}

export interface NewPlace extends Place {
  /** Reads what is there, before the creation. @returns whether an object existed before, or is another creation's */
  whatExisted(): Promise<(id: string) => boolean>;
}

/**
 * What a kind does, where its facts say what it is. A missing object is the client's `NotFoundError`; the lifecycle
 * decides what that means. {@link inOrganization} and {@link inParent} make the ordinary case of a group of the client.
 */
export interface Behavior<Entity, Create, Update, Name extends string = string> {
  /** Returns all objects in a place. Not asked for a view. */
  list?(context: Reads, place: Place): List<Entity>;
  get(context: Reads, address: Address<Name>): Promise<Entity | undefined>;
  /** Adds to an object what only a request of its own reads, as far as a program states it. */
  stated?(context: Context, entity: Entity, args: Arguments): Promise<Entity>;
  /** @param options for the request that creates it */
  create(context: Context, place: NewPlace, body: Create, options: RequestOptions): Promise<Entity>;
  /** The body has everything that changed, and clears omitted arguments. Returns undefined if the object is missing. */
  update?(context: Context, address: Address<Name>, body: Update): Promise<Entity | undefined>;
  // biome-ignore lint/suspicious/noConfusingVoidType: a call without a result returns void.
  delete(context: Context, address: Deleted<Name>): Promise<void | Deletion>;
  /** Returns what keeps the API from deleting an object, in words. Default: nothing is known that does. */
  keptBy?(context: Context, id: string): Promise<string[]>;
  /** Its list can be narrowed to what has a text in its name. That finds objects, and proves nothing. */
  readonly narrows?: true;
  /** Others can reuse the address of an object, so each try of a write finds it first: see {@link foundFirst}. */
  readonly reusesAddresses?: true;
}

/**
 * Result of a deletion without a confirming response. `missing`: there was nothing to delete. `leftBehind`: the object
 * stays on the service, and is removed from state.
 */
export type Deletion = "missing" | "leftBehind";

interface Group<Entity, Create, Update> {
  list(options: RequestOptions): List<Entity>;
  get(id: string): Promise<Entity>;
  create(body: Create, options: RequestOptions): Promise<Entity>;
  update(id: string, body: Update): Promise<Entity>;
  delete(id: string): Promise<void>;
}

/** Makes the behavior of objects that a group of the client addresses by their ids. */
export function inOrganization<Entity, Create, Update>(
  groupOf: (client: BuildPipelineClient) => Group<Entity, Create, Update>,
) {
  return {
    list: ({ client, signal }: Reads) => groupOf(client).list({ signal }),
    get: ({ client }: Reads, { id }: Address) => groupOf(client).get(id),
    create: ({ client }: Context, _: Place, body: Create, options: RequestOptions) =>
      groupOf(client).create(body, options),
    update: ({ client }: Context, { id }: Address, body: Update) => groupOf(client).update(id, body),
    delete: ({ client }: Context, { id }: Address) => groupOf(client).delete(id),
  };
}

interface GroupInParent<Entity, Create, Update> {
  list(parent: string, options: RequestOptions): List<Entity>;
  get(parent: string, id: string): Promise<Entity>;
  create(parent: string, body: Create, options: RequestOptions): Promise<Entity>;
  update(parent: string, id: string, body: Update, options?: RequestOptions): Promise<Entity>;
  delete(parent: string, id: string, options?: RequestOptions): Promise<void>;
}

/** Makes the behavior of objects that a group of the client addresses by their parents' ids and their own. */
export function inParent<Entity, Create, Update>(
  groupOf: (client: BuildPipelineClient) => GroupInParent<Entity, Create, Update>,
) {
  return {
    list: ({ client, signal }: Reads, { parent }: Place) => groupOf(client).list(parent, { signal }),
    get: ({ client }: Reads, at: Address) => groupOf(client).get(at.parent, ownId(at)),
    create: ({ client }: Context, { parent }: Place, body: Create, options: RequestOptions) =>
      groupOf(client).create(parent, body, options),
    update: ({ client }: Context, at: Address, body: Update) =>
      groupOf(client).update(at.parent, ownId(at), body),
    delete: ({ client }: Context, at: Address) => groupOf(client).delete(at.parent, ownId(at)),
  };
}

/** Returns the id within the parent: the engine's id of a pair has the parent's before it. */
export function ownId({ parent, id }: Pick<Address, "parent" | "id">): string {
  const [above, own] = id.split("/");
  return own !== undefined && isSameObject(above, parent) ? own : id;
}

/**
 * Makes the writes of objects whose address others can reuse, such as the slug of a suite. Each try finds the object by
 * its id, and then sends one request, which the client doesn't repeat. The lifecycle repeats the call.
 */
export function foundFirst<Entity, Update, Name extends string>(
  find: (context: Context, address: Address<Name>) => Promise<Entity | undefined>,
  writes: {
    update(
      context: Context,
      found: Entity,
      body: Update,
      options: RequestOptions,
      at: Address<Name>,
    ): Promise<Entity>;
    delete(context: Context, found: Entity, options: RequestOptions): Promise<void>;
  },
) {
  return {
    reusesAddresses: true,
    async update(context: Context, address: Address<Name>, body: Update): Promise<Entity | undefined> {
      const found = await find(context, address);
      return found && writes.update(context, found, body, ONCE, address);
    },
    async delete(context: Context, address: Address<Name>): Promise<Deletion | undefined> {
      const found = await find(context, address);
      if (found === undefined) return "missing";
      await writes.delete(context, found, ONCE);
      return undefined;
    },
  } as const;
}

/**
 * Makes the behavior of pairs of a parent and another object, such as a team and its member. Others can remove a pair and
 * add it again, and only its time of creation tells the two apart. Another pair than the state's is neither updated nor
 * deleted.
 *
 * @param noun what messages call a pair
 */
export function pairs<Entity extends { readonly created_at?: string | null | undefined }, Create, Update>(
  groupOf: (client: BuildPipelineClient) => GroupInParent<Entity, Create, Update>,
  noun: string,
) {
  type Pair = Address<"createdAt">;
  const isOther = ({ known }: Pair, { created_at: now }: Entity) => !isSameTime(known.createdAt, now);
  return {
    ...inParent(groupOf),
    reusesAddresses: true,
    async update(context: Context, at: Pair, body: Update): Promise<Entity | undefined> {
      const group = groupOf(context.client);
      const found = await group.get(at.parent, ownId(at));
      if (isOther(at, found)) return undefined;
      const after = await group.update(at.parent, ownId(at), body, ONCE);
      if (isOther(at, after))
        context.warn(
          `the ${noun} ${at.id} was removed and added again during its update, so the new one was changed: it has ` +
            `${Object.keys(Object(body)).join(", ")} as the program says, and the state now has it.`,
        );
      return after;
    },
    async delete(context: Context, at: Pair): Promise<Deletion | undefined> {
      const group = groupOf(context.client);
      const found = await group.get(at.parent, ownId(at));
      if (isOther(at, found)) {
        context.warn(
          `nothing was sent for the ${noun} ${at.id}, because somebody removed it and added it again: it was only ` +
            "removed from state. If it must go, remove it in the web interface.",
        );
        return "leftBehind";
      }
      await group.delete(at.parent, ownId(at), ONCE);
      return undefined;
    },
  } as const;
}

/** Returns what a refresh says of a pair that was removed and added again; undefined if it is the state's. */
export function noticedPair(noun: string) {
  return (
    known: Known<"createdAt">,
    { created_at: now }: { readonly created_at?: string | null | undefined },
  ) => (isSameTime(known.createdAt, now) ? undefined : saysAddedAgain(noun));
}

export function saysAddedAgain(noun: string): string {
  return `the ${noun} was removed and added again since the last refresh. The state now has the new one.`;
}

/** A time that one side doesn't have tells nothing. */
function isSameTime(before: unknown, now: string | null | undefined): boolean {
  return before == null || now == null || isSameInstant(before, now);
}

export const ONCE: RequestOptions = { maxRetries: 0 };
