import type * as api from "../../client/index.js";
import type { Properties } from "../../protocol/encoded-values.js";
import type { EmbeddedUser } from "../../resources/embedded-user.js";

/** A name of the API document as results spell it: `graphql_id` is `graphqlId`. */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The reverse: `graphqlId` is `graphql_id`. */
export type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

/** Names of the fields that the service may leave unset, or that are not part of the entity. */
export type OptionalIn<Entity, Name> = Name extends unknown
  ? SnakeCase<Name> extends keyof Entity
    ? [Entity[SnakeCase<Name>]] extends [NonNullable<Entity[SnakeCase<Name>]>]
      ? never
      : Name
    : never
  : never;

/** Marks a field with a value that is passed on unchanged: text, numbers and free-form maps. */
export const verbatim = Symbol("verbatim");

type Field<Value> = typeof verbatim | ((value: Value) => unknown);

/** One description of each field of an entity, by its name in results, but for those that are omitted. */
type Fields<Entity, Omitted> = {
  readonly [Name in Exclude<keyof Entity & string, Omitted> as CamelCase<Name>]-?: Field<
    NonNullable<Entity[Name]>
  >;
};

/** A result within an organization. */
export interface InOrganization {
  /** Slug of the organization. */
  readonly organization: string;
}

/** How an entity of the client becomes a result. */
export interface Description<Entity, Described> {
  /** Null becomes undefined. Fields that are not described, such as a new secret, are not passed on. */
  readonly read: (entity: Entity) => Result<Entity, Described>;
}

/** The result type of a description. */
export type ResultOf<Of> =
  Of extends Description<infer Entity, infer Described> ? Result<Entity, Described> : never;

type Result<Entity, Described> = Observed<
  Entity,
  Described,
  Exclude<keyof Described, Unset<Entity, Described>>
> &
  Partial<Observed<Entity, Described, Unset<Entity, Described>>>;

type Unset<Entity, Described> = OptionalIn<Entity, keyof Described> & keyof Described;

/** Mapped over names of `Described` and without `as`: otherwise editors would not show the documentation. */
type Observed<Entity, Described, Names extends keyof Described> = {
  readonly [Name in Names]: Value<Described[Name], Entity[SnakeCase<Name> & keyof Entity]>;
};

type Value<Of, Given> = Of extends typeof verbatim
  ? unknown extends Given
    ? unknown
    : NonNullable<Given>
  : Of extends (value: never) => infer To
    ? Exclude<To, undefined>
    : never;

/**
 * Describes the fields of an entity. Omitted fields are named: they are secret, or returned in another form.
 */
export function describe<Entity extends object, Omitted extends keyof Entity & string = never>() {
  type Known = Fields<Entity, Omitted>;
  return <const Described extends Known>(
    described: Described & { readonly [Name in Exclude<keyof Described, keyof Known>]: never },
  ): Description<Entity, Described> => {
    const fields = Object.entries<Field<never>>(described).map(([name, field]): Reading => {
      return { name, returnedAs: snakeCase(name), read: field === verbatim ? same : field };
    });
    // The compiler has matched each field with the entity's; Object.entries forgets that.
    return { read: (entity) => readFields(entity, fields) as Result<Entity, Described> };
  };
}

/** A field of a result and how it is read. */
export interface Reading {
  readonly name: string;
  /** Name of the field in the service's answer. */
  readonly returnedAs: string;
  readonly read: (value: never) => unknown;
}

/** Reads the fields of an entity that are set. */
export function readFields(entity: object, fields: readonly Reading[]): object {
  const result: Properties = {};
  for (const { name, returnedAs, read } of fields) {
    const given: unknown = Reflect.get(entity, returnedAs);
    if (given === null || given === undefined) continue;
    // The client has validated responses by the schema that the field's type comes from.
    const value = read(given as never);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

/** Passes a value on. */
export function same<Value>(value: Value): Value {
  return value;
}

/** Returns id, name and email of a user, as in the outputs of resources. */
export function user({ id, name, email }: api.User): EmbeddedUser | undefined {
  if (!id) return undefined;
  return { id, ...(name && { name }), ...(email && { email }) };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
