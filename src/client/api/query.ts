import { ArgumentError } from "../errors/invalid-input.js";

/** One value of a query parameter. */
export type QueryValue = string | number | boolean | Date;

/** Query parameters by name. Arrays are repeated as `name[]`, records become `name[key]`, undefined and null are left out. */
export type Query = Readonly<
  Record<
    string,
    | QueryValue
    | readonly QueryValue[]
    | Readonly<Record<string, QueryValue | null | undefined>>
    | null
    | undefined
  >
>;

/** Returns the query as it follows the `?` of an address; "" when there is none. */
export function encodeQuery(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    if (isList(value)) {
      for (const item of value) parameters.append(`${name}[]`, spell(name, item));
    } else if (typeof value === "object" && !(value instanceof Date)) {
      for (const [key, item] of Object.entries(value)) {
        if (item !== undefined && item !== null) parameters.append(`${name}[${key}]`, spell(name, item));
      }
    } else {
      parameters.append(name, spell(name, value));
    }
  }
  return parameters.toString();
}

// Array.isArray alone does not narrow a readonly array out of a union.
function isList(value: NonNullable<Query[string]>): value is readonly QueryValue[] {
  return Array.isArray(value);
}

function spell(name: string, value: QueryValue): string {
  if (!(value instanceof Date)) return String(value);
  if (Number.isNaN(value.getTime())) throw new ArgumentError(name, "is not a valid date");
  return value.toISOString();
}
