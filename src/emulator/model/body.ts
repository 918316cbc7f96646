import { z } from "zod";

/**
 * The fields of request bodies. Unknown fields are ignored, wrong types refused. A message is the second half of a
 * sentence: the field's name goes before it ("Name can't be blank").
 *
 * A create and an update share their fields. `z.object({ ...fields }).partial()` is an update: an omitted field stays
 * unchanged. `unlessGiven` makes a create of it: an omitted field is null.
 */

const blank = "can't be blank";

export function text() {
  return z
    .string({ error: (issue) => (issue.input == null ? blank : "must be a string") })
    .refine((value) => value.trim() !== "", { error: blank });
}

export function clearableText(schema = z.string({ error: "must be a string" })) {
  return schema.nullable().transform((value) => (value === "" ? null : value));
}

export function clearableColor() {
  const color = z.string({ error: "must be a string" });
  return clearableText(
    color.regex(/^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|)$/, { error: "must be a hex color code" }),
  );
}

export function flag() {
  return z.boolean({ error: (issue) => (issue.input == null ? blank : "must be true or false") });
}

/** True or false; left out or null it is the default. */
export function optionalFlag<Default extends boolean | undefined>(otherwise: Default) {
  return z
    .boolean({ error: "must be true or false" })
    .nullish()
    .transform((value) => value ?? otherwise);
}

export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, {
    error: (issue) => (issue.input == null ? blank : `must be one of ${words.join(", ")}`),
  });
}

/** The id of something, in capital letters or not; null clears it. */
export function clearableId() {
  return z.uuid({ error: "must be a UUID" }).toLowerCase().nullable();
}

export function optionalIds() {
  return z.array(z.uuid({ error: "must hold UUIDs" }).toLowerCase(), { error: "must be an array" }).nullish();
}

export function optionalVariables() {
  return z
    .record(z.string(), z.string({ error: "must have strings as values" }), { error: "must be an object" })
    .nullish()
    .transform((value) => value ?? {});
}

export function unlessGiven<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  const entries = Object.entries(shape).map(([name, field]) => [name, field.prefault(null)]);
  // Each field is what it was, with a value for when it is left out.
  return Object.fromEntries(entries) as { [Name in keyof Shape]: z.ZodPrefault<Shape[Name]> };
}

/** Returns the problems of a body, one entry for each field. */
export function fieldErrors(error: z.ZodError): { field: string; message: string; missing: boolean }[] {
  const byField = new Map<string, { field: string; message: string; missing: boolean }>();
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? "body");
    if (byField.has(field)) continue;
    byField.set(field, { field, message: issue.message, missing: issue.message === blank });
  }
  return [...byField.values()];
}
