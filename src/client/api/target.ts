import { ArgumentError } from "../errors/build-pipeline-error.js";

/**
 * Fills a path template. Every id becomes exactly one segment, whatever characters it has. Other ids are refused: an
 * empty one would turn "get this cluster" into "list all", and proxies resolve dots.
 */
export function fillPath(template: string, idOf: (placeholder: string) => unknown): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, idOf(name)));
}

function encodeSegment(name: string, id: unknown): string {
  if (typeof id === "number") {
    if (Number.isSafeInteger(id) && id >= 0) return String(id);
    throw new ArgumentError(name, "must be a whole number, zero or above");
  }
  if (typeof id !== "string") throw new ArgumentError(name, "is missing: give it as a string");
  if (id.trim() === "") throw new ArgumentError(name, "is empty");
  if (id === "." || id === "..") throw new ArgumentError(name, "must not consist of dots only");
  if (!id.isWellFormed()) throw new ArgumentError(name, "is not well-formed text");
  return encodeURIComponent(id);
}

/**
 * Returns a query as it follows the path of an address. Arrays are repeated as `name[]`, records become `name[key]`,
 * undefined and null are left out.
 */
export function encodeQuery(query: object): string {
  const parameters = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (value === undefined || value === null) return;
    if (value instanceof Date) parameters.append(name, spellDate(name, value));
    else if (Array.isArray(value)) for (const item of value) add(`${name}[]`, item);
    else if (typeof value === "object")
      for (const [key, item] of Object.entries(value)) add(`${name}[${key}]`, item);
    else parameters.append(name, String(value));
  };
  for (const [name, value] of Object.entries(query)) add(name, value);
  return parameters.size === 0 ? "" : `?${parameters}`;
}

function spellDate(name: string, date: Date): string {
  if (Number.isNaN(date.getTime())) throw new ArgumentError(name, "is not a valid date");
  return date.toISOString();
}
