/** Values by name, in roles that the compiler keeps apart. Each is a plain object: the symbol exists in types only. */
declare const ROLE: unique symbol;

type Values<Role extends string, Name extends string = string> = {
  readonly [Each in Name]?: unknown;
} & { readonly [ROLE]?: Role };

/** Arguments as a constructor was given them: values, outputs, promises and resources. */
export type GivenArguments = Values<"given">;

/** Arguments of a resource, in plain. One that is left out is absent. */
export type Arguments = Values<"arguments">;

/** Arguments and outputs as the API returned them. Undefined: returned as unset. Absent: not returned. */
export type Observed = Values<"observed">;

/** Outputs in state: arguments and outputs, secret outputs marked, and marks of the provider. */
export type Outputs = Values<"outputs">;

export type Body = Values<"body">;

/** Arguments and outputs of an object, as far as they are known: from state, or as the API returned them. */
export type Known<Name extends string = string> = Values<"observed", Name> | Values<"outputs", Name>;

/** Values of one role while they are put together. */
export type Draft<Role> = { -readonly [Name in keyof Role]: Role[Name] };
