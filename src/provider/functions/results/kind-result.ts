import type * as pulumi from "@pulumi/pulumi";

/** A name of an output as the API spells it: `graphqlId` is `graphql_id`. */
type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

type OptionalIn<Entity, Name> = Name extends unknown
  ? SnakeCase<Name> extends keyof Entity
    ? [Entity[SnakeCase<Name>]] extends [NonNullable<Entity[SnakeCase<Name>]>]
      ? never
      : Name
    : never
  : never;

/**
 * A function's result for an object: the outputs of its resource, with their documentation, except those that are left
 * out. Fields that the service may leave unset are optional.
 */
export type KindResult<Resource, Entity, Omitted extends OutputsOf<Resource> = never> = {
  /** UUID. */
  readonly id: string;
} & Observed<Resource, Exclude<OutputsOf<Resource>, Omitted | OptionalIn<Entity, OutputsOf<Resource>>>> &
  Partial<
    Observed<Resource, Exclude<OutputsOf<Resource> & OptionalIn<Entity, OutputsOf<Resource>>, Omitted>>
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
