import { ArgumentError } from "../errors/invalid-input.js";

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
  const add = (name: string, value: Query[string]): void => {
    if (value === undefined || value === null) return;
    if (value instanceof Date) parameters.append(name, spellDate(name, value));
    else if (Array.isArray(value)) for (const item of value) add(`${name}[]`, item);
    else if (typeof value === "object")
      for (const [key, item] of Object.entries(value)) add(`${name}[${key}]`, item);
    else parameters.append(name, String(value));
  };
  for (const [name, value] of Object.entries(query)) add(name, value);
  return parameters.toString();
}

function spellDate(name: string, date: Date): string {
  if (Number.isNaN(date.getTime())) throw new ArgumentError(name, "is not a valid date");
  return date.toISOString();
}
