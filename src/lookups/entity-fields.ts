import type * as wire from "../client/index.js";
import type { EmbeddedUser } from "../resources/embedded-user.js";

/** A name of the API document as results spell it: `graphql_id` is `graphqlId`. */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** The fields of a result that stand under the same name in the API document. */
type Read<Wire, Result> = Pick<Result, keyof Result & Camel<keyof Wire & string>>;

/**
 * How each field the client knows becomes one of a result. A field that the result has no name for must be said to
 * be left out; one the service may leave unset must be optional in the result.
 */
type Fields<Wire, Result> = {
  readonly [Name in keyof Wire & string]-?: Camel<Name> extends keyof Result
    ? Reader<Wire[Name], Result[Camel<Name>]>
    : typeof leftOut;
};

type Reader<From, To> = undefined extends To
  ? (value: NonNullable<From>) => To
  : [From] extends [NonNullable<From>]
    ? (value: From) => To
    : never;

/** Says that a field of the service is no field of the result: a secret, or told under another name. */
export const leftOut = "left out";

/** A value as the service gives it: free-form maps and texts. */
export function same<Value>(value: Value): Value {
  return value;
}

/** Who did it: id, name and email, no more, as in the outputs of resources. */
export function user({ id, name, email }: wire.User): EmbeddedUser | undefined {
  if (!id) return undefined;
  return { id, ...(name && { name }), ...(email && { email }) };
}

/** A list whose items are read one by one. */
export function each<From, To>(read: (value: From) => To): (values: readonly From[]) => To[] {
  return (values) => values.map(read);
}

/**
 * Turns an entity of the client into a result: names in camelCase, null told as undefined. Fields that nobody has
 * documented are not passed on, so that a secret which the service adds one day stays out.
 */
export function entity<Wire extends object, Result extends object>(
  fields: Fields<Wire, Result>,
): (entity: Wire) => Read<Wire, Result> {
  const readers = Object.entries<typeof leftOut | ((value: never) => unknown)>(fields).flatMap(
    ([name, read]) => (typeof read === "function" ? [{ name, camel: camelCase(name), read }] : []),
  );
  return (found) => {
    const result: Record<string, unknown> = {};
    for (const { name, camel, read } of readers) {
      const given: unknown = Reflect.get(found, name);
      if (given === null || given === undefined) continue;
      // The compiler has matched each reader with the field of its name; Object.entries forgets that.
      const value = read(given as never);
      if (value !== undefined) result[camel] = value;
    }
    // Fields<> has a reader for every field of the result, each of the right type.
    return result as Read<Wire, Result>;
  };
}

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
