import type * as pulumi from "@pulumi/pulumi";
import type * as api from "../../../client/index.js";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import type { EmbeddedUser } from "../../kind/kind.js";

/** A result within an organization. */
export interface InOrganization {
  /** Slug of the organization. */
  readonly organization: string;
}

export interface ResultField {
  readonly name: string;
  readonly returnedAs: string;
  /** Default: the value stays as it is. */
  readonly read?: ((value: never) => unknown) | undefined;
}

/** Reads the fields of an entity that are set. Fields that are not named, such as a new secret, are not passed on. */
export function readFields(entity: object, fields: readonly ResultField[]): object {
  const given: Properties = { ...entity };
  const result: Properties = {};
  for (const { name, returnedAs, read } of fields) {
    const own = returnedAs.split(".").reduce<unknown>((value, key) => Object(value)[key], given);
    if (own === null || own === undefined) continue;
    // The client has validated responses by the schema that the field's type comes from.
    const value = read === undefined ? own : read(own as never);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

/** Returns a function that makes a result of an entity: its fields as programs spell them. */
export function reader<Entity, Result>(
  fields: string,
  reads: { readonly [Name in keyof Entity]?: ResultField["read"] } = {},
): (entity: Entity & object) => Result {
  const functions = new Map(Object.entries<ResultField["read"] | undefined>(reads));
  const readings = fields
    .trim()
    .split(/\s+/)
    .map((field) => ({ name: camelCase(field), returnedAs: field, read: functions.get(field) }));
  // The result's type is generated from the entity's, together with the names of the fields.
  return (entity) => readFields(entity, readings) as Result;
}

export function each<Given, Result>(read: (value: Given) => Result): (values: readonly Given[]) => Result[] {
  return (values) => values.map(read);
}

export function user({ id, name, email }: api.User): EmbeddedUser | undefined {
  if (!id) return undefined;
  return { id, ...(name && { name }), ...(email && { email }) };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A name of an output as the API spells it: `graphqlId` is `graphql_id`. */
type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

/** Outputs that the entity may lack: as its own field says, or for one within another field, as the output says. */
type OptionalIn<Entity, Resource, Name extends keyof Resource> = Name extends unknown
  ? SnakeCase<Name> extends keyof Entity
    ? [Entity[SnakeCase<Name>]] extends [NonNullable<Entity[SnakeCase<Name>]>]
      ? never
      : Name
    : Resource[Name] extends pulumi.Output<infer Value>
      ? undefined extends Value
        ? Name
        : never
      : never
  : never;

/**
 * A function's result for an object: the outputs of its resource, with their documentation, except those that are left
 * out. Fields that the service may leave unset are optional.
 */
export type KindResult<Resource, Entity, Omitted extends OutputsOf<Resource> = never> = {
  /** UUID. */
  readonly id: string;
} & Observed<
  Resource,
  Exclude<OutputsOf<Resource>, Omitted | OptionalIn<Entity, Resource, OutputsOf<Resource>>>
> &
  Partial<
    Observed<
      Resource,
      Exclude<OutputsOf<Resource> & OptionalIn<Entity, Resource, OutputsOf<Resource>>, Omitted>
    >
  >;

/** Outputs of a class of resource besides Pulumi's own. */
type OutputsOf<Resource> = {
  [Name in keyof Resource]: Resource[Name] extends pulumi.Output<unknown> ? Name : never;
}[Exclude<keyof Resource, "id" | "urn">];

/** Mapped over names of `Resource` and without `as`: otherwise editors would not show the documentation. */
type Observed<Resource, Names extends keyof Resource> = {
  readonly [Name in Names]: Resource[Name] extends pulumi.Output<infer Value>
    ? Exclude<Value, undefined>
    : never;
};
