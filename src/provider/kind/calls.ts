import type { BuildPipelineClient, List } from "../../client/index.js";
import type { Write } from "../../client/write.js";
import type { Known } from "./value-roles.js";

export interface Context {
  /** Speaks to the organization that the resource is in. The same one for all calls of a process. */
  readonly client: BuildPipelineClient;
  warn(message: string): void;
  /** Returns the HTTP status behind an error, if it is the service's. */
  status(error: unknown): number | undefined;
  /** Sends a write and returns its result. @throws if it was not carried out, or nobody knows */
  write<Response, Result>(write: Write<Response, Result>): Promise<Result>;
  /** Waits, for retries of what another resource is about to make possible. */
  pause(milliseconds: number): Promise<void>;
  /** Returns what this process did with an object of a kind. */
  done(kind: string, id: string): Done;
}

export type Reads = Pick<Context, "client"> & { readonly signal?: AbortSignal | undefined };

export interface Done {
  readonly created?: true;
  readonly updated?: true;
  /** Set when its deletion begins. Resolves when that has ended. */
  readonly deleting?: Promise<void>;
  readonly leftBehind?: true;
}

export interface Address<Name extends string = string> extends Place {
  readonly id: string;
  /** From state or a list. */
  readonly known: Known<Name>;
}

export interface Place {
  /** Value of `parent.argument`. "" for a kind without a parent. */
  readonly parent: string;
}

/** The calls to the API. A missing object is the client's `NotFoundError`; the lifecycle decides what that means. */
export interface Calls<Entity, Create, Update, Name extends string = string> {
  /** Returns all objects in a place. Not asked when the kind is listed with another. */
  list?(context: Reads, place: Place): List<Entity>;
  get(context: Reads, address: Address<Name>): Promise<Entity | undefined>;
  create(context: Context, place: Place, body: Create): Promise<Entity>;
  /** The body has everything that changed, and clears omitted arguments. Returns undefined if the object is missing. */
  update?(context: Context, address: Address<Name>, body: Update): Promise<Entity | undefined>;
  // biome-ignore lint/suspicious/noConfusingVoidType: a call without a result returns void.
  delete(context: Context, address: Address<Name>): Promise<void | Deletion>;
}

/**
 * Result of a deletion without a confirming response. `missing`: there was nothing to delete. `leftBehind`: the service
 * refuses to delete the object by itself, and it is removed from state.
 */
export type Deletion = "missing" | "leftBehind";
