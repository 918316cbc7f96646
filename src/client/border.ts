import type * as z from "zod";

/** What is wrong with an answer: where, what was promised, and what was there (its type, never its value). */
export interface Breach {
  field: string;
  expected: string;
  received: string;
}

/** The value, if it is what the API document promises; else the first breach. */
export function check<T>(schema: z.ZodType<T>, value: unknown): { value: T } | { breach: Breach } {
  const result = schema.safeParse(value, { reportInput: false });
  if (result.success) return { value: result.data };
  const issue = result.error.issues[0];
  if (issue === undefined)
    return { breach: { field: "body", expected: "something else", received: "not valid" } };
  return {
    breach: {
      field: spell(issue.path),
      expected: expectation(issue),
      received: describe(at(value, issue.path)),
    },
  };
}

/** A value by its type. */
export function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (value === "") return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "boolean") return "true or false";
  return `a ${typeof value}`;
}

const IN_WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return IN_WORDS[issue.expected] ?? issue.expected;
    case "invalid_union":
      return (
        issue.errors.flatMap(([first]) => (first ? expectation(first) : [])).join(" or ") || "another type"
      );
    case "too_small":
      return "a non-empty value";
    default:
      return "another value";
  }
}

function spell(path: readonly PropertyKey[]): string {
  const field = path.reduce<string>(
    (before, key) =>
      typeof key === "number" ? `${before}[${key}]` : `${before}${before && "."}${String(key)}`,
    "",
  );
  return field === "" ? "body" : field;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inside, key) => (typeof inside === "object" && inside !== null ? Reflect.get(inside, key) : undefined),
    value,
  );
}
