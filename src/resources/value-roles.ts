/**
 * Values by their names, in roles that the compiler keeps apart. Each is a plain object: the symbol exists
 * in types only.
 */
declare const ROLE: unique symbol;

/** Arguments as a constructor was given them: values, outputs, promises and resources. */
export interface GivenArguments {
  readonly [name: string]: unknown;
  readonly [ROLE]?: "given";
}

/** Arguments of a resource, in plain. One that is left out is absent. */
export interface Arguments {
  readonly [name: string]: unknown;
  readonly [ROLE]?: "arguments";
}

/** Arguments and outputs as the API returned them. Undefined: returned as unset. Absent: not returned. */
export interface Observed {
  readonly [name: string]: unknown;
  readonly [ROLE]?: "observed";
}

/** Outputs in state: arguments and outputs, secret outputs marked, and marks of the provider. */
export interface Outputs {
  readonly [name: string]: unknown;
  readonly [ROLE]?: "outputs";
}

/** A request's body, by the service's names. */
export interface Body {
  readonly [name: string]: unknown;
  readonly [ROLE]?: "body";
}

/** Arguments and outputs of an object, as far as they are known: from state, or as the API returned them. */
export type Known = Observed | Outputs;

/** Values of one role while they are put together. */
export type Draft<Role> = { -readonly [Name in keyof Role]: Role[Name] };
