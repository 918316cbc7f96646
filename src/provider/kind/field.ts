import type { Address, Context } from "./calls.js";
import type { Shape } from "./shape.js";
import type { Arguments } from "./value-roles.js";

export type KeyOf<Shape> = (Shape extends unknown ? keyof Shape : never) & string;

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
  /** Ends the sentence "expected …" in an error, with an example of a good value. */
  readonly expected: string;
  /** Spelling in the service's answers; absent when the service never returns it. */
  readonly returnedAs?: Returned;
  /** Answers may lack it although it is set; then the last known value stands. Otherwise lacking means unset. */
  readonly returnedSometimes?: true;
  /** Value as a body wants it. Default: as it is. */
  encode?(value: Value): unknown;
  /** Returns the service's value as an argument would be written. Default: as it is. */
  decode?(value: unknown): Value | undefined;
  /** Rewrites what the user gave before it goes into state. Default: as it is. @param old what the state has */
  normalize?(value: Value, old: Value | undefined): Value;
  /** Two values with the same canonical form are equal. Default: null, "" and absent are equal. */
  canonical?(value: Value | undefined): unknown;
  /** The same for comparing with what the service has, where that is looser. Default: `canonical`. */
  canonicalOnService?(value: Value | undefined): unknown;
  /** A text is a document, which `adopt` writes to a separate file. */
  readonly isDocument?: true;
  /** The kind of the objects that the value names by their ids. */
  readonly refersTo?: string;
  /** A change replaces the object. */
  readonly replaces?: true;
}

/**
 * Meaning of an omitted argument. `required`: an error. `unmanaged`: the service's value is neither changed nor
 * compared. `ignored`: nothing, because the API can't change it and doesn't return it. `cleared`: the service's value
 * is cleared. Sending "" clears what is sent as text; anything else needs a default.
 */
type WhenOmitted<Value> =
  | { readonly whenOmitted: "required" | "unmanaged" | "ignored" }
  | { readonly whenOmitted: "cleared"; readonly default: Value }
  | { readonly whenOmitted: "cleared"; encode(value: Value): string }
  | (string extends Value ? { readonly whenOmitted: "cleared" } : never);

/** How an argument reaches the service. There is no way to leave that open. */
type Sent<Created extends string, Updated extends string, Args, Entity> =
  /** In the bodies of create and update. */
  | { readonly sentAs: Created & Updated }
  /** In the body of create only, and a change replaces. */
  | { readonly sentAs: Created; readonly creationOnly: true; readonly replaces: true }
  /** In the body of create only, and a change is refused with these words: why, and what to do. */
  | { readonly sentAs: Created; readonly creationOnly: string }
  /** By a separate operation, after the body of create or update was sent. */
  | { apply(context: Context, address: Address, args: Partial<Args>): Promise<Entity> }
  /** Along with the operation of another argument, never by itself. */
  | { readonly appliedWith: KeyOf<Args> }
  /** Not as a property: it is part of the address, or only the change of it matters. */
  | { readonly replaces: true }
  /** Not at all: only the provider reads it. */
  | { readonly sentAs?: never; readonly providerOnly: true };

/** Parts of any argument that the lifecycle reads. */
export interface AnyArgumentField extends Described<unknown, string> {
  readonly whenOmitted: "required" | "cleared" | "unmanaged" | "ignored";
  readonly default?: unknown;
  readonly sentAs?: string;
  readonly creationOnly?: true | string;
  readonly appliedWith?: string;
  apply?(context: Context, address: Address, args: Arguments): Promise<object>;
}

/** One output of a kind that is not an argument. */
export interface OutputField<Returned extends string> {
  readonly returnedAs: Returned;
  /** Returned only by the creation, and kept from then on: encrypted in state, masked in output. */
  readonly secret?: true;
  /** An embedded user: id, name and email are kept, the rest is dropped (state size, privacy). */
  readonly user?: true;
  /** Value where no response has had the property. */
  readonly whenAbsent?: unknown;
  /**
   * A replacement would not have it, as no argument declares it. The words complete "the token {id} …" and "A replacement
   * …"; `{value}` stands for the value. `refused`: the replacement could not do its work.
   */
  readonly lostWhenReplaced?: { readonly is: string; readonly becomes: string; readonly refused?: true };
  /** The argument that it spells. It is secret if that is, and changes with it. */
  readonly spells?: string;
  /** Arguments that may change it by their change, or any update. Default: only the argument that it spells. */
  readonly changesWith?: readonly string[] | "any";
}
