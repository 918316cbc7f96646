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
  /** Name of the field in the service's answer. */
  readonly returnedAs: string;
  /** Default: the value stays as it is. */
  readonly read?: ((value: never) => unknown) | undefined;
}

/** Reads the fields of an entity that are set. Fields that are not named, such as a new secret, are not passed on. */
export function readFields(entity: object, fields: readonly ResultField[]): object {
  const given: Properties = { ...entity };
  const result: Properties = {};
  for (const { name, returnedAs, read } of fields) {
    const own = given[returnedAs];
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

/** Returns id, name and email of a user, as in the outputs of resources. */
export function user({ id, name, email }: api.User): EmbeddedUser | undefined {
  if (!id) return undefined;
  return { id, ...(name && { name }), ...(email && { email }) };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
