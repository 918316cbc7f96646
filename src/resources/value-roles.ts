/**
 * Values by the program's names, in three roles that the compiler keeps apart. Each is a plain object: the symbol exists
 * in types only.
 */
declare const ROLE: unique symbol;

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
