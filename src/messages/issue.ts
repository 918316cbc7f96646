import type { core } from "zod";

/** Returns a value by its type, never quoted: it may be secret. */
export function describeType(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (value === "") return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

/** Describes the value that a schema expects at an issue. */
export function describeExpected(issue: core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return TYPES[issue.expected] ?? issue.expected;
    case "invalid_union":
      return (
        issue.errors.flatMap(([first]) => (first ? describeExpected(first) : [])).join(" or ") ||
        "another type"
      );
    case "too_small":
      return "a non-empty value";
    default:
      return "another value";
  }
}

/** Returns the path of an issue as a program would write it: `jobs[3].id`; "" for the value itself. */
export function describePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (before, key) =>
      typeof key === "number" ? `${before}[${key}]` : `${before}${before && "."}${String(key)}`,
    "",
  );
}

/** Returns the value at the path of an issue. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inside, key) => (typeof inside === "object" && inside !== null ? Reflect.get(inside, key) : undefined),
    value,
  );
}
