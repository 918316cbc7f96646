import type * as pulumi from "@pulumi/pulumi";
import type * as yaml from "yaml";
import type { z } from "zod";
import type { BuildPipelineClient } from "../client/index.js";

/**
 * What a kind of resource is: its arguments and outputs, one description each, and its calls to the API.
 *
 * A definition says nothing about how Pulumi calls it. The lifecycle in `src/provider` reads it and does the
 * rest: check, diff, create, read, update, delete, adoption, and the conversion between the wire and the state.
 * Everything a definition needs at run time (zod, yaml, the client) reaches it as an argument, so that a
 * program that only declares resources loads none of it.
 */
export type Kind<
  Args extends object,
  Class extends object,
  Entity extends object,
  Body extends object,
> = Shape<
  Plain<Args>,
  Entity,
  Body,
  {
    readonly [Name in keyof Args & string]-?: ArgumentField<
      Plain<Required<Args>>[Name],
      KeyOf<Entity>,
      KeyOf<Body>
    >;
  },
  { readonly [Name in OutputNames<Class, Args>]: OutputField<KeyOf<Entity>> }
>;

/** A kind whose types were checked where it is defined: what the lifecycle works with. */
export type AnyKind = Shape<
  Record<string, unknown>,
  object,
  object,
  Readonly<Record<string, ArgumentField<unknown, string, string>>>,
  Readonly<Record<string, OutputField<string>>>
>;

interface Shape<
  Args extends object,
  Entity extends object,
  Body extends object,
  ArgumentFields,
  OutputFields,
> {
  /** The class name, which is also the end of the type token. Part of every user's state: never change it. */
  readonly name: string;
  /** What a person calls one of these, for messages: "agent token". */
  readonly noun: string;
  /** Section of the API document. */
  readonly section: string;
  /** Scopes the access token needs. */
  readonly scopes: { readonly read: readonly Scope[]; readonly write: readonly Scope[] };
  readonly arguments: ArgumentFields;
  readonly outputs: OutputFields;
  /** Whether a replacement must delete the old object before it creates the new one. */
  deleteBeforeReplace?(old: Partial<Args>, next: Partial<Args>): boolean;
  /** Refuses an update that the API cannot carry out. Returns what is wrong and what to do, or nothing. */
  refuseUpdate?(old: Partial<Args>, next: Partial<Args>): string | undefined;
  /** What to say when an object was adopted whose one-time secret nobody has any more. */
  readonly adoptedWithoutSecret?: string;
  readonly calls: Calls<Args, Entity, Body>;
  /** How this kind is found in a list. */
  readonly collection: Collection<Args, Entity>;
  /** How `{ import: … }` names an existing object; absent when there is nothing to adopt. */
  readonly adoption?: Adoption<Entity>;
}

type KeyOf<Shape> = (Shape extends unknown ? keyof Shape : never) & string;

/** Alternatives: any one of them is enough. */
export type Scope = readonly string[];

/** An argument as the lifecycle sees it: checked, resolved, without outputs and resources. */
export type Plain<Args> = {
  [Name in keyof Args]: Exclude<pulumi.Unwrap<Exclude<Args[Name], pulumi.Resource | undefined>>, undefined>;
};

/** The outputs of a class that are not arguments: what the service decides. */
export type OutputNames<Class, Args> = Exclude<
  {
    [Name in keyof Class]: Class[Name] extends pulumi.Output<unknown> ? Name : never;
  }[keyof Class],
  "id" | "urn" | "organization" | keyof Args
> &
  string;

/** Libraries that a definition may use when it is asked to check or compare. */
export interface Toolkit {
  readonly z: typeof z;
  readonly yaml: typeof yaml;
}

/** One argument of a kind. */
export interface ArgumentField<Value, Returned extends string, Sent extends string> {
  /** What a value must look like. Unknown values are never checked. */
  check(toolkit: Toolkit): z.ZodType;
  /** Ends the sentence "expected …" in an error, with an example of a good value. */
  readonly expected: string;
  /**
   * What leaving it out means: an error; the service's value is cleared; the service's value is left alone and
   * not looked at; or nothing, because the service cannot change it and never tells it.
   */
  readonly leftOut: "required" | "cleared" | "unmanaged" | "ignored";
  /** Stands in for a value that was left out, in state and on the wire. */
  readonly default?: Value;
  /** Spelling in the body of create and update; absent when it is not part of a body. */
  readonly sentAs?: Sent;
  /** The body takes it at creation only. */
  readonly sentOnceOnly?: true;
  /** Value as the body wants it. Default: as it is. */
  encode?(value: Value, toolkit: Toolkit): unknown;
  /** Spelling in the service's answers; absent when the service never returns it. */
  readonly returnedAs?: Returned;
  /** Answers may lack it although it is set; then the last known value stands. Otherwise lacking means unset. */
  readonly returnedSometimes?: true;
  /** The service's value as an argument would be written. Default: as it is. */
  decode?(value: unknown): Value | undefined;
  /** Rewrites what the user gave before it goes into state. Default: as it is. */
  normalize?(value: Value, toolkit: Toolkit): Value;
  /** Two values with the same canonical form are no change. Default: null, "" and absent are one. */
  canonical?(value: Value | undefined): unknown;
  /** The same for comparing with what the service has, where that is looser. Default: `canonical`. */
  canonicalOnService?(value: Value | undefined, toolkit: Toolkit): unknown;
  /** A change replaces the object. */
  readonly replaces?: true;
}

/** One output of a kind that is not an argument. */
export interface OutputField<Returned extends string> {
  readonly returnedAs: Returned;
  /** Told once, by the answer to the creation, and kept from then on: encrypted in state, masked in output. */
  readonly secret?: true;
  /** An embedded user: id, name and email are kept, the rest is dropped (state size, privacy). */
  readonly user?: true;
}

/** What a kind's calls may use. */
export interface Service {
  readonly client: BuildPipelineClient;
  /** Tells the user something without failing. */
  warn(message: string): void;
  /** The HTTP status behind an error, if it is the service's. */
  status(error: unknown): number | undefined;
  /** Waits, for retries of what another resource is about to make possible. */
  pause(milliseconds: number): Promise<void>;
  /** Clusters whose default queue was set in this process. */
  readonly defaultsSet: Set<string>;
  /** Ids of what this process created and had to look for, because the answer did not tell the id. */
  readonly found: Set<string>;
}

/** What is known of an existing object besides its id: arguments and outputs of the state. */
export type Known<Args> = Partial<Args> & { readonly [output: string]: unknown };

export interface Calls<Args, Entity, Body> {
  create(service: Service, body: Body, args: Args): Promise<Made<Entity>>;
  /** The live object. A missing one is the client's NotFoundError, or undefined; then lists decide. */
  read(service: Service, id: string, known: Known<Args>): Promise<Entity | undefined>;
  /** Sends what changed. `changed` lacks what need not be sent; returns undefined when nothing was sent. */
  update(
    service: Service,
    id: string,
    change: { readonly changed: Partial<Body>; readonly whole: Body; readonly names: ReadonlySet<string> },
    known: Known<Args>,
    args: Args,
  ): Promise<Made<Entity> | undefined>;
  delete(service: Service, id: string, known: Known<Args>): Promise<void>;
  /** The id of the resource for one of these. */
  identify(entity: Entity): string;
}

/** A made object; with `unfinished` when it exists but something that belongs to it failed. */
export interface Made<Entity> {
  readonly entity: Entity;
  readonly unfinished?: unknown;
}

/** The list an object appears in. */
export interface Collection<Args, Entity> {
  /** Names the list within the organization: objects with the same key share one request. */
  key(known: Known<Args>): string;
  list(service: Service, known: Known<Args>): Promise<Entity[]>;
  /** The list tells less of an object than a single read does. */
  readonly partial?: true;
  /** Whose disappearance takes this object along, when the list itself is gone. */
  ancestor?(known: Known<Args>): { readonly kind: "Cluster"; readonly id: string };
}

/** How an existing object is named by a person. */
export interface Adoption<Entity> {
  /** For messages: `<cluster uuid|name>/<queue uuid|key>`. */
  readonly form: string;
  /** Whether the name begins with the cluster the object is in. */
  readonly inCluster: boolean;
  /** Names besides the id by which it is found. */
  names(entity: Entity): readonly (string | null | undefined)[];
}
