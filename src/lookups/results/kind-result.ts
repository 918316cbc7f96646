import type * as pulumi from "@pulumi/pulumi";
import { type ResultField, readFields, user } from "./fields.js";

/** A name of an output as the API spells it: `graphqlId` is `graphql_id`. */
type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

/** Names of outputs that the service may leave unset. */
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

/** The part of a kind's description that results come from. */
interface Kind {
  readonly arguments: object;
  readonly outputs: object;
  identify(entity: never): string;
}

interface KindField {
  readonly returnedAs?: string;
  readonly secret?: true;
  readonly user?: true;
  decode?(value: never): unknown;
}

type EntityOf<Of extends Kind> = Parameters<Of["identify"]>[0];

/** Names of what the API returns of a kind, and anybody may know. */
type ObservedNames<Of extends Kind> = NamesIn<Of["arguments"]> | NamesIn<Of["outputs"]>;
type NamesIn<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly secret: true }
    ? never
    : Fields[Name] extends { readonly returnedAs: string }
      ? Name
      : never;
}[keyof Fields];

/** Fields of a result that come from the request: the organization, and the id of the parent. */
type FromRequest<Of extends Kind, Result> = Required<Omit<Result, ObservedNames<Of> | "id">>;

/**
 * Makes an entity a result, by the description of its kind. A value that the API never returns, such as a secret,
 * compiles only if the result omits it or the request has it. Nothing else can be left out.
 */
export function kindReader<
  Of extends Kind,
  Result extends { readonly [Name in ObservedNames<Of>]?: unknown },
>(
  kind: Of & ([Exclude<ObservedNames<Of>, keyof Result>] extends [never] ? unknown : never),
): (entity: EntityOf<Of>, fromRequest: FromRequest<Of, Result>) => Result {
  const fields = Object.entries<KindField>({ ...kind.arguments, ...kind.outputs }).flatMap(
    ([name, { returnedAs, secret, user: isUser, decode }]): ResultField[] =>
      returnedAs === undefined || secret ? [] : [{ name, returnedAs, read: isUser ? user : decode }],
  );
  return (entity, fromRequest) => {
    const read = { ...readFields(entity, fields), id: kind.identify(entity), ...fromRequest };
    // The kind's description is checked against its class and its entity, and the result's type is the class's.
    return read as unknown as Result;
  };
}
