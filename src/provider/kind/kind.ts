import type * as pulumi from "@pulumi/pulumi";
import type { Scope } from "../../client/index.js";
import type { Calls } from "./calls.js";
import type { AnyArgumentField, ArgumentField, KeyOf, OutputField } from "./field.js";
import type { Arguments, Known } from "./value-roles.js";

/**
 * Describes a kind of resource: its arguments, outputs and calls to the API. A description doesn't depend on how Pulumi
 * calls it. The client reaches it as an argument, so that a program that only declares resources doesn't load the client.
 *
 * @typeParam Args the public interface of the arguments.
 * @typeParam Entity the object as the client returns it.
 * @typeParam Create the body that creates one.
 * @typeParam Update the body that updates one.
 * @typeParam Class the resource class. All its declared outputs must be described.
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

/** Any kind, for the lifecycle. The types of each were checked at its definition. */
export type AnyKind = Definition<
  Arguments,
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
  readonly words: {
    /** One of them, in messages: "agent token". */
    readonly noun: string;
    /** The same at the end of a name in a program, where that is shorter: "token". */
    readonly short?: string;
    /** The same where nothing else says what it is of: "test suite". */
    readonly full?: string;
    /** The argument that people name an object by. Default: an object is called after the one that it is a view of. */
    readonly label?: keyof ArgumentFields & string;
  };
  /** Parts of an object that a drawing shows, in addition to its name. Default: none. */
  readonly drawn?: {
    readonly color?: keyof ArgumentFields & string;
    readonly paused?: keyof ArgumentFields & string;
    /** Names an object that gets the mark of a default, in place of an object of the kind itself. */
    readonly marks?: keyof ArgumentFields & string;
  };
  /** Section of the API document. */
  readonly section: string;
  readonly scopes: { readonly read: readonly ScopeChoice[]; readonly write: readonly ScopeChoice[] };
  /** The kind that this one lives in, and disappears with; absent when that is the organization itself. */
  readonly parent?: {
    readonly kind: string;
    /** The argument with the parent's id. A program may give it the resource itself. */
    readonly argument: keyof ArgumentFields & string;
  };
  readonly arguments: ArgumentFields;
  readonly outputs: OutputFields;
  deleteBeforeReplace?(old: Partial<Args>, next: Partial<Args>): boolean;
  /** Warning for an imported object with a one-time secret that is lost. */
  readonly importedWithoutSecret?: string;
  /** The API wants every property in each update, changed or not. */
  readonly updatesSendAll?: true;
  /** How an existing object is named by a person; absent when there is nothing to adopt. */
  readonly importing?: {
    /** For messages: `<queue uuid|key>`. The parent's own form is put before it. */
    readonly form: string;
    /** Names besides the id by which it is found. */
    names(entity: Entity): readonly (string | null | undefined)[];
    /** Parts of such objects that `adopt` can't write, and the fix. */
    readonly remarks?: readonly {
      /** Returns true if it is about an object. Default: it is about every one. */
      when?(observed: Known<FieldNames<ArgumentFields, OutputFields>>): boolean;
      /** `{objects}` stands for how many there are: "2 queues". */
      readonly words: string;
    }[];
  };
  /** The kind with the list of these objects. Default: they have a separate list. */
  readonly listedWith?: string;
  /** A list returns less of an object than a single read. */
  readonly listIsPartial?: true;
  /**
   * Others can reuse an object's address, such as the slug of a suite. `update` and `delete` find the object and send one
   * request, which the client doesn't repeat. The lifecycle repeats the call.
   */
  readonly reusesAddresses?: true;
  identify(entity: Entity): string;
  /** Returns true if an object counts as one of this kind. Default: every object of the list does. */
  exists?(entity: Entity): boolean;
  /** Deleting an object deletes all that lives in it. Refused while objects of others do, unless an argument is true. */
  readonly deletesContents?: { readonly unless: keyof ArgumentFields & string };
  /** No two objects in one place have the same value of this argument. */
  readonly unique?: keyof ArgumentFields & string;
  /** The service refuses a second object with the same value of `unique`, so a creation may be sent again. */
  readonly refusesDuplicates?: true;
  /** Returns true if an object prevents the creation. Default: both have the same argument named by `unique`. */
  isTakenBy?(args: Partial<Args>, holder: Entity): boolean;
  /** A value that must be unique among the resources of a program: constructors compare them. */
  readonly once?: {
    readonly argument: keyof ArgumentFields & string;
    /** Returns the compared part of the value. Default: all of it. */
    form?(value: string): string;
    /** The problem and its fix, after the value. `{other}` stands for the other resource. */
    readonly words: string;
    /** The service takes both: it is a warning. */
    readonly tolerated?: true;
  };
  /** The plan without which the service refuses these calls. Default: any plan will do. */
  readonly plan?: string;
  /** Objects that an access token may be unable to read: a list that lacks one doesn't confirm its deletion. */
  readonly hidden?: {
    when(known: Known<FieldNames<ArgumentFields, OutputFields>>): boolean;
    /** Describes the people who can't read them: "a secret team is hidden from people who are not its members". */
    readonly words: string;
    /** A token reads all of them or none. Then a list that has one confirms the absence of another. */
    readonly allOrNone?: true;
  };
  /** Returns true if a response has only the submitted values. The object is then read, or found in the list. */
  isTerse?(answer: Entity): boolean;
  readonly calls: Calls<Entity, Create, Update, FieldNames<ArgumentFields, OutputFields>>;
}

type FieldNames<ArgumentFields, OutputFields> = (keyof ArgumentFields | keyof OutputFields) & string;

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

/** A user: id, name and email address only, for privacy and because each step of a deployment writes the whole state. */
export interface EmbeddedUser {
  /** UUID of the user. */
  readonly id: string;
  /** Full name. */
  readonly name?: string;
  /** Email address. */
  readonly email?: string;
}
