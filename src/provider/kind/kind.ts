import type * as pulumi from "@pulumi/pulumi";
import { readComplete } from "../../client/api/list.js";
import type { Scope } from "../../client/index.js";
import type { SectionName } from "../../client/sections.js";
import type { Behavior, Place, Reads } from "./behavior.js";
import type { AnyArgumentField, ArgumentField, KeyOf, OutputField, PathOf } from "./field.js";
import type { KindReview } from "./review.js";
import type { StepName } from "./steps.js";
import type { Arguments, Known } from "./value-roles.js";

/**
 * Describes a kind of resource: facts, which commands, schema, documents and previews read, and its behavior. A
 * description doesn't depend on how Pulumi calls it. The client reaches it as an argument, so that a program that only
 * declares resources doesn't load the client.
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
      PathOf<Entity>,
      KeyOf<Create>,
      KeyOf<Update>,
      Plain<Args>,
      Entity
    >;
  },
  { readonly [Name in OutputNames<Class, Args>]: OutputField<PathOf<Entity>> }
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
    /** Outputs by which people know an object whose label is an id, the best first. Default: none. */
    readonly knownBy?: readonly (keyof OutputFields & string)[];
    /**
     * Composes what an object without a name of its own is called: of what arguments are called, which is the name of an object
     * that they refer to. Default: it is called after its label.
     */
    readonly composed?: (
      called: (argument: keyof ArgumentFields & string) => string | undefined,
    ) => string | undefined;
  };
  /** The part of an object that a drawing shows, in addition to its name. Default: none. */
  readonly drawn?: { readonly as: "color" | "paused"; readonly argument: keyof ArgumentFields & string };
  /** The group of the client's methods about it: `clusters`. */
  readonly section: SectionName;
  readonly scopes: { readonly read: readonly ScopeChoice[]; readonly write: readonly ScopeChoice[] };
  /**
   * What the service must have for these calls: a newer API, without which it answers 404 to their lists, or the Enterprise
   * plan, without which it refuses them. Default: every service takes them.
   */
  readonly requires?: "newer API" | "Enterprise plan";
  /** The kind that this one lives in, and disappears with; absent when that is the organization itself. */
  readonly parent?: {
    readonly kind: string;
    /** The argument with the parent's id. */
    readonly argument: keyof ArgumentFields & string;
  };
  /**
   * Objects come into being with the one that an argument names, so that even a place that this run has made may have some.
   * A creation that meets such an object takes it over.
   */
  readonly comesWith?: {
    readonly argument: keyof ArgumentFields & string;
    /** Returns what the creation of that one gives an object; undefined if it makes no such object. */
    gives(
      made: { readonly known: Known; readonly creator: string | undefined },
      wanted: Partial<Args>,
    ): Partial<Args> | undefined;
  };
  /**
   * Each organization has one object of the kind, always, with its slug as id. A creation changes it as an update does, and
   * a command reads it only if it is asked for, or if a stack has it.
   */
  readonly isSetting?: true;
  /** The objects are views of another kind's: they have its list and its ids. Default: they are objects of their own. */
  readonly view?: {
    /** The name of the other kind. */
    readonly of: string;
    /** Returns true if an object of that list has one. */
    exists(entity: Entity): boolean;
  };
  readonly arguments: ArgumentFields;
  readonly outputs: OutputFields;
  /** Objects can be archived by an argument, and a deletion archives them unless another argument has a value. */
  readonly archiving?: {
    readonly argument: keyof ArgumentFields & string;
    readonly unless: readonly [argument: keyof ArgumentFields & string, value: string];
  };
  /** The arguments in which two equal objects agree, but for those that a program leaves out. Default: the label. */
  readonly equalIn?: readonly (keyof ArgumentFields & string)[];
  /** What happens to people with an object as a whole. Default: its deletion loses it, and nobody uses it. */
  readonly review?: KindReview;
  /** How steps name an object. */
  readonly inSteps?: StepName;
  /** Names of arguments in other tools for the same service, with ours, which an error shows. */
  readonly otherNames?: Readonly<Record<string, keyof ArgumentFields & string>>;
  /** What changes on its own, and only functions return: names, and those in responses. */
  readonly onlyRead?: Readonly<Record<string, string>>;
  /** What must hold among several arguments. A rule with an argument that isn't known yet waits for the deployment. */
  readonly rules?: readonly Rule<Args>[];
  /** Judges a change as a whole, by known values: why it can't be made, and what a preview says about it. */
  change?(change: ArgumentsChange<Args>): Judgement;
  /** Returns the id within the parent, as the API names it. */
  identify(entity: Entity): string;
  /** The object is a pair of its parent and another object: the engine's id is the parent's, a slash, and its own. */
  readonly isPair?: true;
  /** No two objects in one place have the same value of an argument. */
  readonly unique?: {
    readonly argument: keyof ArgumentFields & string;
    /**
     * The service refuses a second one, so a creation may be sent again, and a replacement with the value deletes first. The
     * value counts as taken while another entry of the program is about to give it up. A text: why nothing can be replaced.
     */
    readonly isRefused?: true | string;
    /** Returns the values that an object has taken. Default: the value of the argument. */
    taken?(entity: Entity): readonly (string | null | undefined)[];
    /** The argument that has the value where this one is left out, or from which the service derives it by a form. */
    readonly derived?: {
      readonly from: keyof ArgumentFields & string;
      form?(value: string): string;
      /** Checks whether the form is known for certain. Otherwise a conflict is a warning. */
      isCertain?(value: string): boolean;
    };
    /** Finds the object with a value that no list may show. */
    holder?(context: Reads, value: string): Promise<Entity | undefined>;
  };
  /** A value that must be unique among the resources of a program: constructors compare them. */
  readonly once?: {
    readonly argument: keyof ArgumentFields & string;
    /** Arguments that are compared as well. Default: none. */
    readonly also?: readonly (keyof ArgumentFields & string)[];
    /** Returns the compared part of the value. Default: all of it. */
    form?(value: string): string;
    /** The problem and its fix, after the value. `{other}` stands for the other resource. */
    readonly words: string;
    /** The service takes both: it is a warning. A text: only if one of the values is derived, and then in these words. */
    readonly tolerated?: true | string;
  };
  /** Objects that an access token may be unable to read: a list that lacks one doesn't confirm its deletion. */
  readonly hidden?: {
    when(known: Known<FieldNames<ArgumentFields, OutputFields>>): boolean;
    /** Describes the people who can't read them: "a secret team is hidden from people who are not its members". */
    readonly words: string;
    /**
     * A list confirms the absence of such an object by showing another one, which `of` recognizes. That is `enough` where a
     * token reads all of them or none, and it is `needed` where some lists leave them out.
     */
    readonly evidence?: { readonly is: "enough" | "needed"; of(entity: Entity): boolean };
  };
  /** How an existing object is named by a person; absent when there is nothing to adopt. */
  readonly importing?: {
    /** For messages: `<queue uuid|key>`. The parent's own form is put before it. */
    readonly form: string;
    /** Names besides the id by which it is found. */
    names(entity: Entity): readonly (string | null | undefined)[];
    /** Finds the id within the parent for a name that the object's list doesn't have, such as the email of a user. */
    idOf?(context: Reads, name: string): Promise<string | undefined>;
    /** Judges the import of an object: why no program can declare it, after its name, and what is lost by importing it. */
    judged?(entity: Entity): Judgement;
    /** Parts of such objects that `adopt` can't write, and the fix. */
    readonly remarks?: readonly {
      /** Returns true if it is about an object. Default: it is about every one. */
      when?(observed: Known<FieldNames<ArgumentFields, OutputFields>>): boolean;
      /** `{objects}` stands for how many there are: "2 queues". */
      readonly words: string;
    }[];
  };
  /** Returns what a refresh should warn of, from the state and the object as it is now. Default: nothing. */
  noticed?(
    known: Known<FieldNames<ArgumentFields, OutputFields>>,
    entity: Entity,
    managed: Partial<Args>,
  ): string | undefined;
  /**
   * Returns what previews and refreshes should warn of, because it ends at a time. Default: nothing ends.
   *
   * @param now the time of the service, as far as its responses have told it
   * @param generation that of the rotation which an object takes part in, as a preview knows it
   */
  ending?(
    known: Known<FieldNames<ArgumentFields, OutputFields>>,
    managed: Partial<Args>,
    now: number,
    generation?: unknown,
  ): string | undefined;
  readonly behavior: Behavior<Entity, Create, Update, FieldNames<ArgumentFields, OutputFields>>;
}

/** Returns the names of the arguments that are secret whatever a program passes. */
export function secretArguments({ arguments: fields }: Pick<AnyKind, "arguments">): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.secret);
}

/** Checks whether an object only connects its parent with another object: as a pair, or as an assignment with an id of its own. */
export function isConnection({ isPair, arguments: fields }: AnyKind): boolean {
  return isPair === true || Object.values(fields).some(({ goesWith }) => goesWith);
}

/** Reads all objects in a place, also those that move to another page meanwhile: by what it lacks, others are deleted. */
export async function allOf(kind: AnyKind, reads: Reads, place: Place): Promise<object[]> {
  const list = kind.behavior.list?.(reads, place);
  return list === undefined ? [] : readComplete(list, { noun: kind.words.noun, idOf: kind.identify });
}

/** Returns the argument that allows to delete an object with others in it; undefined if a deletion ends no contents. */
export function forceArgument({ arguments: fields }: Pick<AnyKind, "arguments">): string | undefined {
  return Object.keys(fields).find((name) => fields[name]?.providerOnly === "to delete contents");
}

/** Why something can't be done, and what a person should know before it is. */
export interface Judgement {
  readonly refusal?: string | undefined;
  readonly warnings?: readonly string[];
}

/** A change of an object, by its arguments before and after. What isn't known yet is in neither. */
interface ArgumentsChange<Args extends object> {
  readonly old: Partial<Args>;
  readonly next: Partial<Args>;
  /** The object as the state knows it. */
  readonly known: Known;
  readonly names: ReadonlySet<string>;
  /** Arguments that will have a value that isn't known yet. */
  readonly later: ReadonlySet<string>;
}

/** A rule across arguments. */
interface Rule<Args extends object> {
  /** The service takes it: a preview of what changes warns. */
  readonly isDoubt?: true;
  readonly arguments: readonly (keyof Args & string)[];
  /**
   * Returns the problem and its fix, after the name of the first argument; undefined if the rule is kept.
   *
   * @param planned what the provider knows of the plan, in addition to a constructor
   */
  broken(
    args: Partial<Args>,
    planned?: { readonly now: number; readonly isNew: boolean; readonly isCreation: boolean },
  ): string | undefined;
}

type FieldNames<ArgumentFields, OutputFields> = (keyof ArgumentFields | keyof OutputFields) & string;

/** Scopes of which any one is enough. */
export type ScopeChoice = readonly Scope[];

/** An argument as the lifecycle sees it: checked, resolved, without outputs and resources. */
export type Plain<Args> = {
  [Name in keyof Args]: Listed<
    Exclude<pulumi.Unwrap<Exclude<Args[Name], pulumi.Resource | undefined>>, undefined>
  >;
};

/** A list without the resources that a program may give in place of ids. */
type Listed<Value> = Value extends readonly (infer Entry)[] ? Exclude<Entry, pulumi.Resource>[] : Value;

/** One of a few texts, which editors suggest. Any other one compiles, as those of a file or a map, and is validated. */
export type OneOf<Choice extends string> = Choice | (string & Record<never, never>);

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
