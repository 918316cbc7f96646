import { ArgumentError } from "../errors/invalid-input.js";

type Placeholder<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** The ids a path needs, by placeholder; the organization's slug is known to the client. */
export type PathIds<Path extends string> = {
  [Name in Exclude<Placeholder<Path>, "org_slug">]: string | number;
} & {
  org_slug?: string;
};

/**
 * Fills a path template. Every id becomes exactly one segment, whatever characters it has. Other ids are refused: an
 * empty one would turn "get this cluster" into "list all", and proxies resolve dots.
 */
export function fillPath(
  template: string,
  ids: Readonly<Record<string, string | number | undefined>>,
): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, ids[name]));
}

function encodeSegment(name: string, id: unknown): string {
  if (typeof id === "number") {
    if (Number.isSafeInteger(id) && id >= 0) return String(id);
    throw new ArgumentError(name, "must be a whole number, zero or above");
  }
  if (typeof id !== "string") throw new ArgumentError(name, "is missing: give it as a string");
  if (id.trim() === "") throw new ArgumentError(name, "is empty");
  if (id === "." || id === "..") throw new ArgumentError(name, "must not consist of dots only");
  try {
    return encodeURIComponent(id);
  } catch {
    throw new ArgumentError(name, "is not well-formed text");
  }
}
