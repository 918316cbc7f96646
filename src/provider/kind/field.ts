import type { Address, Context } from "./behavior.js";
import type { ArgumentReview } from "./review.js";
import type { Shape } from "./shape.js";
import type { Arguments, Known } from "./value-roles.js";

export type KeyOf<Shape> = (Shape extends unknown ? keyof Shape : never) & string;

/** The name of a property of a response, or of one within it: `provider.settings`. */
export type PathOf<Shape> = KeyOf<Shape> | `${KeyOf<Shape>}.${string}`;

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
  /** Form of a valid value. Unknown values are not validated. */
  readonly shape: Shape<Value>;
  /** Returns why the service may refuse a valid value, after its quotation. A preview of the change warns. */
  doubt?(value: Value): string | undefined;
  /** Ends the sentence "expected …" in an error, with an example of a good value. */
  readonly expected: string;
  /** What a change means for people. */
  readonly review: ArgumentReview;
  /** Spelling in the service's answers; absent when the service never returns it. */
  readonly returnedAs?: Returned;
  /**
   * Which answers may lack it although it is set; then the last known value stands. Otherwise lacking means unset. An
   * object from a list is read by itself if it lacks one that only lists leave out. What has a request of its own is
   * read where a program states it, and no function has it.
   */
  readonly mayBeLeftOut?: "anywhere" | "in lists" | "unless stated";
  /** The argument without which it means nothing: it stays as it is while the program leaves that out, or ignores its changes. */
  readonly isAbout?: string;
  /** Every update sends it, changed or not: what the preview didn't announce is sent as the service has it. */
  readonly inEveryUpdate?: true;
  /**
   * People change it to operate what the program declares: `adopt` leaves it to them, and where the program doesn't state
   * it, a report of drift lists the change and asks nobody to undo it.
   */
  readonly byOperator?: true;
  /** Encrypted in state and masked in every output, whatever the program passes. No message quotes it. */
  readonly secret?: true;
  /**
   * The argument that takes its place: with that, it has no default, and is neither sent nor compared. `words` are the
   * problem and its fix where a program gives both.
   */
  readonly unless?: { readonly argument: string; readonly words: string };
  /** Value as a body wants it. Default: as it is. */
  encode?(value: Value): unknown;
  /** Returns the service's value as an argument would be written. Default: as it is. */
  decode?(value: unknown): Value | undefined;
  /** Rewrites what the user gave before it goes into state. Default: as it is. @param old what the state has */
  normalize?(value: Value, old: Value | undefined): Value;
  /** The value on the wire that clears it. Default: "". An unmanaged one without it is left as it is. */
  readonly clearedBy?: unknown;
  /** Two values with the same canonical form are equal. Default: null, "" and absent are equal. */
  canonical?(value: Value | undefined): unknown;
  /** The same for comparing with what the service has, where that is looser. Default: `canonical`. */
  canonicalOnService?(value: Value | undefined): unknown;
  /** Returns whether two values are equal, where no canonical form says it. */
  equal?(a: Value | undefined, b: Value | undefined): boolean;
  /** Returns what an object has of it, where another value shows that: null for none, undefined if nothing shows it. */
  shownBy?(observed: Known): Value | null | undefined;
  /** The service merges it by key, so an update sends the keys that change. */
  readonly isMerged?: true;
  /** Returns the part of the service's value that the program's value is about. Default: all of it. */
  concerned?(found: Value, wanted: Value): Value;
  /** A text is a YAML document: `adopt` writes it to a separate file, and a report compares what it means. */
  readonly isDocument?: true;
  /**
   * The value has steps: a program may give a resource where they name one, and previews and reports compare what they name
   * with what there is.
   */
  readonly hasSteps?: true;
  /** The kind of the objects that the value names by their ids. */
  readonly refersTo?: string;
  /**
   * A program may give the resource in place of its id, as it may in place of its parent's. Within a list, this returns the
   * kind that the other arguments ask for; undefined where they don't say.
   */
  readonly takesResource?: true | ((given: Readonly<Record<string, unknown>>) => string | undefined);
  /** The object disappears with the one that the value names, as it does with its parent. */
  readonly goesWith?: true;
  /**
   * Arguments that concern it by their change: its separate operation or, without one, a secret is sent again. What the
   * program doesn't state, the service may change.
   */
  readonly changesWith?: readonly string[];
  readonly lostWhenReplaced?: LossOfReplacement;
  /** Every change replaces the object, or those that `replacesFor` says. */
  readonly replaces?: true | "sometimes";
  /** Returns true if the object, as the state knows it, must be replaced to get a value: where only one fits, it goes first. */
  replacesFor?(next: Value | undefined, known: Known): boolean | "deletes first";
}

/**
 * Meaning of an omitted argument. `required`: an error. `unmanaged`: the service's value is neither changed nor
 * compared. `ignored`: nothing, because the API can't change it and doesn't return it. `cleared`: the service's value
 * is cleared. Sending "" clears what is sent as text; anything else needs a default, or the value that clears it.
 */
type WhenOmitted<Value> =
  | { readonly whenOmitted: "required" | "unmanaged" | "ignored" }
  | { readonly whenOmitted: "cleared"; readonly default: Value }
  | { readonly whenOmitted: "cleared"; encode(value: Value): string }
  | { readonly whenOmitted: "cleared"; readonly clearedBy: unknown }
  | (string extends Value ? { readonly whenOmitted: "cleared" } : never);

/** How an argument reaches the service. There is no way to leave that open. */
type Sent<Created extends string, Updated extends string, Args, Entity> =
  /** In the bodies of create and update. */
  | { readonly sentAs: Created & Updated }
  /** In the body of create only, and a change replaces. */
  | { readonly sentAs: Created; readonly creationOnly: true; readonly replaces: true }
  /** In the body of create only, and some changes replace. */
  | { readonly sentAs: Created; readonly creationOnly: true; readonly replaces: "sometimes" }
  /** In the body of create only, and a change is refused with these words: why, and what to do. */
  | { readonly sentAs: Created; readonly creationOnly: string }
  /** By a separate operation, after the body of create or update was sent, or before the one of update. */
  | (SeparateOperation<Args, Entity> & { readonly sentAs?: never })
  /** In the body of create, and afterwards by a separate operation. */
  | (SeparateOperation<Args, Entity> & { readonly sentAs: Created })
  /** Not as a property: it is part of the address, or only the change of it matters. */
  | { readonly replaces: true }
  /** Not by itself: the provider reads it, or the operation of another argument does. See {@link ProviderReading}. */
  | { readonly sentAs?: never; readonly providerOnly: ProviderReading };

/** `to delete contents`: an object of the kind is deleted with all in it, and with objects of others only if this is true. */
type ProviderReading = true | "to delete contents";

interface SeparateOperation<Args, Entity> {
  apply(context: Context, address: Address, args: Partial<Args>): Promise<Entity>;
  /** Before the body of update, which may depend on it. So an imported object may differ in it. */
  readonly isFirst?: true;
}

/** Parts of any argument that the lifecycle reads. */
export interface AnyArgumentField extends Described<unknown, string> {
  readonly whenOmitted: "required" | "cleared" | "unmanaged" | "ignored";
  readonly default?: unknown;
  readonly sentAs?: string;
  readonly creationOnly?: true | string;
  readonly providerOnly?: ProviderReading;
  readonly isFirst?: true;
  apply?(context: Context, address: Address, args: Arguments): Promise<object>;
}

/**
 * What the replacement of an object doesn't have, unless the program gives it. Without an output, which the service decides,
 * it could not do its work, and is refused.
 */
export interface LossOfReplacement {
  /** Completes "the token {id} …"; undefined for a value that a new object has as well. */
  is(value: unknown): string | undefined;
  /** Completes "A replacement …". */
  readonly becomes: string;
  /** Arguments of which any one keeps it. */
  readonly unless: readonly string[];
}

/** One output of a kind that is not an argument. */
export interface OutputField<Returned extends string> {
  readonly returnedAs: Returned;
  /**
   * Encrypted in state, masked in output. `once`: returned only by the creation, and kept from then on. `always`: every
   * read returns it, and an empty value, which some access tokens get, keeps the last one.
   */
  readonly secret?: "once" | "always";
  /** An embedded user: id, name and email are kept, the rest is dropped (state size, privacy). */
  readonly user?: true;
  /** Value where no response has had the property. */
  readonly default?: unknown;
  readonly lostWhenReplaced?: LossOfReplacement;
  /** The argument that it spells. It is secret if that is, and changes with it. */
  readonly spells?: string;
  /** Arguments that may change it by their change, or any update. Default: only the argument that it spells. */
  readonly changesWith?: readonly string[] | "any";
}
