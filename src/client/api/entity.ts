import * as z from "zod";
import { describeType } from "../../shared/messages/quoted.js";
import type { ResponseMismatch } from "../errors/transmission-errors.js";

type Fields = Readonly<Record<string, z.ZodType>>;

/**
 * The type of an entity: its required fields, and those that may be missing. Both mapped types are homomorphic, so
 * that editors show the documentation of the schema's fields at the fields of the type.
 */
export type Entity<Required extends Fields, Optional extends Fields> = {
  [Name in keyof Required]: z.output<Required[Name]>;
} & { [Name in keyof Optional]?: z.output<Optional[Name]> };

type None = Record<never, never>;

/**
 * Returns the schema of one entity in a response. Fields that are not declared are kept. Little is required on purpose: a
 * response without a web address must not turn a creation that was carried out into a failure.
 */
export function entity<
  Required extends Fields = None,
  Optional extends Fields = None,
  Decorative extends Fields = None,
>(groups: {
  readonly required?: Required;
  /** Fields that may be missing, but must not have another type: what a request sets, and what decides. */
  readonly optional?: Optional;
  /** Fields that may be anything. A value of another type is as good as none. */
  readonly decorative?: Decorative;
}): z.ZodType<Entity<Required, Optional & Decorative>> {
  const { required, optional = {}, decorative = {} } = groups;
  const schema: z.ZodType = z
    .looseObject({
      ...required,
      ...eachOf(optional, (field) => field.exactOptional()),
      // JSON has no undefined, so that an undefined field is one of another type.
      ...eachOf(decorative, (field) => field.optional().catch(undefined)),
    })
    .transform((found) => {
      for (const name of Object.keys(decorative)) if (found[name] === undefined) delete found[name];
      return found;
    });
  // The object has exactly the fields of the parameters with their schemas; Object.entries loses that knowledge.
  return schema as z.ZodType<Entity<Required, Optional & Decorative>>;
}

function eachOf(fields: Fields, change: (field: z.ZodType) => z.ZodType): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]));
}

/** A string that identifies something: never empty. */
export const identifier = z.string().min(1, "a non-empty string");
// Values that may be unset, as null.
export const text = z.string().nullable();
export const texts = z.array(z.string()).nullable();
export const count = z.number().nullable();
export const flag = z.boolean().nullable();

const user = entity({
  decorative: {
    /** UUID. */
    id: text,
    /** Opaque id of Buildkite's GraphQL API; some responses omit it. */
    graphql_id: text,
    name: text,
    email: text,
    /** Address of a picture. */
    avatar_url: text,
    /** ISO 8601, UTC. */
    created_at: text,
  },
});

/** A person, as other entities contain them. */
export interface User extends z.output<typeof user> {}

export const userSchema: z.ZodType<User> = user;

/**
 * Returns the value, if it is what the API promises; else the first mismatch. A decorative field of another
 * type is left out.
 */
export function validate<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { value: T } | { mismatch: ResponseMismatch } {
  // Only the type of the input leaves this function: its value may be secret.
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return { value: result.data };
  const [issue] = result.error.issues;
  if (issue === undefined) throw result.error;
  const field = z.core.toDotPath(issue.path) || "body";
  return { mismatch: { field, expected: describeExpected(issue), received: describeType(issue.input) } };
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

function describeExpected(issue: z.core.$ZodIssue): string {
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
