import type * as pulumi from "@pulumi/pulumi";
import type * as yaml from "yaml";
import type { BuildPipelineClient, Scope } from "../client/index.js";
import type { Shape, ShapeOf } from "./rules/shape.js";

/**
 * What a kind of resource is: its arguments and outputs, one description each, and its calls to the API.
 *
 * A definition says nothing about how Pulumi calls it. The lifecycle in `src/provider` reads it and does the
 * rest: check, diff, create, read, update, delete, adoption, and the conversion between the API and the state.
 * Everything a definition needs at run time (yaml, the client) reaches it as an argument, so that a program that only
 * declares resources loads none of it.
 *
 * @typeParam Args the public interface of the arguments
 * @typeParam Class the resource class, whose declared outputs must all be described
 * @typeParam Entity the object as the client returns it
 * @typeParam Create the body that creates one
 * @typeParam Update the body that updates one
 */
export type Kind<
  Args extends object,
  Class extends object,
  Entity extends object,
  Create extends object,
  Update extends object = Partial<Create>,
> = Definition<
  Plain<Args>,
  Entity,
  Create,
  Update,
  {
    readonly [Name in keyof Args & string]-?: ArgumentField<
      Plain<Required<Args>>[Name],
      KeyOf<Entity>,
      KeyOf<Create>,
      KeyOf<Update>,
      Plain<Args>,
      Entity
    >;
  },
  { readonly [Name in OutputNames<Class, Args>]: OutputField<KeyOf<Entity>> }
>;

/** A kind whose types were checked where it is defined: what the lifecycle works with. */
export type AnyKind = Definition<
  Record<string, unknown>,
  object,
  object,
  object,
  Readonly<Record<string, AnyArgumentField>>,
  Readonly<Record<string, OutputField<string>>>
>;

interface Definition<
  Args extends object,
  Entity extends object,
  Create extends object,
  Update extends object,
  ArgumentFields,
  OutputFields,
> {
  /** The class name, which is also the end of the type token. Part of every user's state: never change it. */
  readonly name: string;
  /** What a person calls one of these, for messages: "agent token". */
  readonly noun: string;
  /** Section of the API document. */
  readonly section: string;
  /** Scopes the access token needs for the calls below. */
  readonly scopes: { readonly read: readonly ScopeChoice[]; readonly write: readonly ScopeChoice[] };
  /** The kind this one lives in; absent when that is the organization itself. */
  readonly parent?: Parent<keyof ArgumentFields & string>;
  readonly arguments: ArgumentFields;
  readonly outputs: OutputFields;
  /** Whether a replacement must delete the old object before it creates the new one. */
  deleteBeforeReplace?(old: Partial<Args>, next: Partial<Args>): boolean;
  /** What to say when an object was adopted whose one-time secret nobody has any more. */
  readonly importedWithoutSecret?: string;
  /** The API wants every property in each update, changed or not. */
  readonly updatesSendAll?: true;
  /** How an existing object is named by a person; absent when there is nothing to adopt. */
  readonly adoption?: Adoption<Entity>;
  /** The list of which kind has the objects of this one, when it is not a list of its own. */
  readonly listedWith?: string;
  /** A list tells less of an object than a single read does. */
  readonly listIsPartial?: true;
  /** The id of the resource for an object. */
  identify(entity: Entity): string;
  /** Whether an object counts as one of this kind. Default: every object of the list does. */
  exists?(entity: Entity): boolean;
  /** Deleting an object deletes all that lives in it. Refused while objects of others do, unless an argument is true. */
  readonly deletesContents?: { readonly unless: keyof ArgumentFields & string };
  /** No two objects in one place have the same value of this argument. */
  readonly unique?: keyof ArgumentFields & string;
  /** The service refuses a second object with the same value of `unique`, so a creation may be sent again. */
  readonly refusesDuplicates?: true;
  /** Whether an object keeps another one from being created. Default: the arguments named by `unique` are the same. */
  isTakenBy?(args: Partial<Args>, holder: Entity): boolean;
  /** What a program should declare once in a place: constructors compare all resources of the kind. */
  readonly once?: Once<keyof ArgumentFields & string>;
  /** Objects that an access token may be unable to see; no list proves that one of them is gone. */
  readonly hidden?: {
    when(known: Readonly<Record<string, unknown>>): boolean;
    /** Who sees one of them sees all: then a list that has one proves the absence of another. */
    readonly allOrNone?: true;
  };
  /** Whether an answer tells of the object only what was sent. It is then read, or looked for in the list. */
  isTerse?(answer: Entity): boolean;
  readonly calls: Calls<Entity, Create, Update>;
}

type KeyOf<Shape> = (Shape extends unknown ? keyof Shape : never) & string;

/** Scopes of which any one is enough. */
export type ScopeChoice = readonly Scope[];

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

/** Libraries that a definition may use when it is asked to judge or compare. */
export interface Toolkit {
  readonly yaml: typeof yaml;
}

/** The kind that another one lives in. When the parent is gone, so is everything in it. */
export interface Parent<Argument extends string> {
  /** Name of the parent's kind. */
  readonly kind: string;
  /** The argument that names the parent. A program may give it the resource itself. */
  readonly argument: Argument;
  /** The parent's output that the argument holds. Default: its id. */
  readonly refersBy?: string;
}

/** What two resources of a program cannot both have, or hardly are meant to. */
export interface Once<Argument extends string> {
  readonly argument: Argument;
  /** What counts of its value. Default: all of it. */
  form?(value: string): string;
  /** What is wrong and what to do, after the value; `{other}` stands for the other resource. */
  readonly words: string;
  /** The service takes both: it is a warning. */
  readonly tolerated?: true;
}

/** One argument of a kind. Each says how it is checked, what leaving it out means, and how it reaches the service. */
export type ArgumentField<
  Value,
  Returned extends string,
  Created extends string,
  Updated extends string,
  Args,
  Entity,
> = Described<Value, Returned> & WhenOmitted<Value> & Sent<Created, Updated, Args, Entity>;

interface Described<Value, Returned extends string> {
  /** What a value must look like. Unknown values are never judged. */
  readonly shape: ShapeOf<Value>;
  /** Ends the sentence "expected …" in an error, with an example of a good value. */
  readonly expected: string;
  /** Spelling in the service's answers; absent when the service never returns it. */
  readonly returnedAs?: Returned;
  /** Answers may lack it although it is set; then the last known value stands. Otherwise lacking means unset. */
  readonly returnedSometimes?: true;
  /** Value as a body wants it. Default: as it is. */
  encode?(value: Value, toolkit: Toolkit): unknown;
  /** The service's value as an argument would be written. Default: as it is. */
  decode?(value: unknown): Value | undefined;
  /**
   * Rewrites what the user gave before it goes into state. Default: as it is.
   * @param old what the state has
   */
  normalize?(value: Value, toolkit: Toolkit, old: Value | undefined): Value;
  /** Two values with the same canonical form are no change. Default: null, "" and absent are one. */
  canonical?(value: Value | undefined): unknown;
  /** The same for comparing with what the service has, where that is looser. Default: `canonical`. */
  canonicalOnService?(value: Value | undefined, toolkit: Toolkit): unknown;
  /** A change replaces the object. */
  readonly replaces?: true;
}

/**
 * What leaving an argument out means: an error; the service's value is left alone and not looked at (`unmanaged`);
 * nothing, because the service cannot change it and never tells it (`ignored`); or the service's value is cleared.
 * Text is cleared by sending ""; anything else needs a default, or what the body says to clear it.
 */
type WhenOmitted<Value> =
  | { readonly whenOmitted: "required" | "unmanaged" | "ignored" }
  | { readonly whenOmitted: "cleared"; readonly default: Value }
  | { readonly whenOmitted: "cleared"; readonly clearedBy: unknown }
  | (string extends Value ? { readonly whenOmitted: "cleared" } : never);

/** How an argument reaches the service. There is no way to leave that open. */
type Sent<Created extends string, Updated extends string, Args, Entity> =
  /** In the bodies of create and update. */
  | { readonly sentAs: Created & Updated }
  /** In the body of create only, and a change replaces. */
  | { readonly sentAs: Created; readonly creationOnly: true; readonly replaces: true }
  /** In the body of create only, and a change is refused with these words: why, and what to do. */
  | { readonly sentAs: Created; readonly creationOnly: string }
  /** By an operation of its own, after the body of create or update was sent. */
  | { apply(context: Context, address: Address, args: Partial<Args>): Promise<Entity> }
  /** Along with the operation of another argument, never by itself. */
  | { readonly appliedWith: KeyOf<Args> }
  /** Not as a property: it is part of the address, or only the change of it matters. */
  | { readonly replaces: true }
  /** Not at all: it tells the provider what to do. */
  | { readonly sentAs?: never; readonly providerOnly: true };

/** What the lifecycle reads of any argument. */
export interface AnyArgumentField extends Omit<Described<unknown, string>, "shape"> {
  readonly shape: Shape;
  readonly whenOmitted: "required" | "cleared" | "unmanaged" | "ignored";
  readonly default?: unknown;
  readonly clearedBy?: unknown;
  readonly sentAs?: string;
  readonly creationOnly?: true | string;
  apply?(context: Context, address: Address, args: Record<string, unknown>): Promise<object>;
}

/** One output of a kind that is not an argument. */
export interface OutputField<Returned extends string> {
  readonly returnedAs: Returned;
  /** Told once, by the answer to the creation, and kept from then on: encrypted in state, masked in output. */
  readonly secret?: true;
  /** An embedded user: id, name and email are kept, the rest is dropped (state size, privacy). */
  readonly user?: true;
  /** The argument whose value it spells: secret when that is, and another one when that changes. */
  readonly spells?: string;
  /** Arguments whose change may change it, or any update may. Default: none but what it spells. */
  readonly changesWith?: readonly string[] | "any";
}

/** What a kind's calls may use. */
export interface Context {
  /** Speaks to the organization that the resource is in. The same one for all calls of a process. */
  readonly client: BuildPipelineClient;
  /** Tells the user something without failing. */
  warn(message: string): void;
  /** The HTTP status behind an error, if it is the service's. */
  status(error: unknown): number | undefined;
  /** Whether the same call may succeed a moment later: no usable response, a failing service, or its request limit. */
  mayPass(error: unknown): boolean;
  /** Waits, for retries of what another resource is about to make possible. */
  pause(milliseconds: number): Promise<void>;
  /** Returns what this process did with an object of a kind. */
  done(kind: string, id: string): Done;
}

/** What a process did with an object so far. */
export interface Done {
  readonly created?: true;
  readonly updated?: true;
  /** Removed from state, although it is still there: the service refuses to delete it. */
  readonly leftBehind?: true;
}

/** Where an existing object is. */
export interface Address extends Place {
  readonly id: string;
  /** What the state or a list knows of it: arguments and outputs by their names in the program. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** Where objects of a kind are. */
export interface Place {
  /** What `parent.argument` says; "" for a kind without a parent. */
  readonly parent: string;
}

/** The calls to the API. A missing object is the client's `NotFoundError`; the lifecycle decides what that means. */
export interface Calls<Entity, Create, Update> {
  /** All objects in a place. Not asked when the kind is listed with another. */
  list?(context: Context, place: Place): Promise<Entity[]>;
  get(context: Context, address: Address): Promise<Entity | undefined>;
  create(context: Context, place: Place, body: Create): Promise<Entity>;
  /**
   * @param body everything that changed, with what was left out cleared
   * @returns undefined when the object is missing
   */
  update?(context: Context, address: Address, body: Update): Promise<Entity | undefined>;
  /** Deletes. Most kinds return nothing. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a call without a result returns void.
  delete(context: Context, address: Address): Promise<void | Deletion>;
}

/**
 * How a deletion ended, other than by a response that confirms it: there was nothing to delete, or the service refuses to
 * delete such an object by itself. One that is left behind is removed from state.
 */
export type Deletion = "missing" | "leftBehind";

/** How an existing object is named by a person. */
export interface Adoption<Entity> {
  /** For messages: `<queue uuid|key>`. The parent's own form is put before it. */
  readonly form: string;
  /** Names besides the id by which it is found. */
  names(entity: Entity): readonly (string | null | undefined)[];
}
