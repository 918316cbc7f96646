import { z } from "zod";

/**
 * The fields of request bodies. Unknown fields are ignored, wrong types refused. A message is the second half of a
 * sentence: the field's name goes before it ("Name can't be blank").
 *
 * A create and an update share their fields. `z.object({ ...fields }).partial()` is an update: an omitted field stays
 * unchanged. `unlessGiven` makes a create of it: an omitted field is null.
 */

const blank = "can't be blank";
const unlessBlank = (message: string) => (issue: { readonly input?: unknown }) =>
  issue.input == null ? blank : message;

const string = z.string({ error: "must be a string" });

export const text = z
  .string({ error: unlessBlank("must be a string") })
  .refine((value) => value.trim() !== "", { error: blank });

const clearable = (schema: z.ZodString) =>
  schema.nullable().transform((value) => (value === "" ? null : value));

export const clearableText = clearable(string);

export const clearableColor = clearable(
  string.regex(/^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|)$/, { error: "must be a hex color code" }),
);

export const flag = z.boolean({ error: unlessBlank("must be true or false") });

/** True or false; left out or null it is the default. */
export function optionalFlag<Default extends boolean | undefined>(otherwise: Default) {
  return z
    .boolean({ error: "must be true or false" })
    .nullish()
    .transform((value) => value ?? otherwise);
}

export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: unlessBlank(`must be one of ${words.join(", ")}`) });
}

export const id = z.uuid({ error: unlessBlank("must be a UUID") }).toLowerCase();

export const clearableId = z.uuid({ error: "must be a UUID" }).toLowerCase().nullable();

export const optionalIds = z
  .array(z.uuid({ error: "must hold UUIDs" }).toLowerCase(), { error: "must be an array" })
  .nullish();

export const variables = z.record(z.string(), z.string({ error: "must have strings as values" }), {
  error: "must be an object",
});

export const optionalVariables = variables.nullish().transform((value) => value ?? {});

export function unlessGiven<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  const entries = Object.entries(shape).map(([name, field]) => [name, field.prefault(null)]);
  // Each field is what it was, with a value for when it is left out.
  return Object.fromEntries(entries) as { [Name in keyof Shape]: z.ZodPrefault<Shape[Name]> };
}

export function fieldErrors({ issues }: z.ZodError) {
  const problems = issues.map(({ path, message }) => {
    return { field: String(path[0] ?? "body"), message, missing: message === blank };
  });
  return problems.filter(({ field }, at) => problems.findIndex((one) => one.field === field) === at);
}
