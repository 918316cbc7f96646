import { z } from "zod";

/*
 * The fields of request bodies. Unknown fields are ignored, wrong types refused. A message is the second half
 * of a sentence: the field's name goes before it ("Name can't be blank").
 */

const blank = "can't be blank";

/** Text that must be there and say something. */
export function requiredText() {
  return z
    .string({ error: (issue) => (issue.input == null ? blank : "must be a string") })
    .refine((text) => text.trim() !== "", { error: blank });
}

/** Text that may be left out, but when given must say something. */
export function changedText() {
  return requiredText().optional();
}

/** Text that may be left out; null and "" clear it. */
export function clearableText() {
  return z
    .string({ error: "must be a string" })
    .nullish()
    .transform((text) => (text === "" ? null : text));
}

/** A color that may be left out or cleared. */
export function clearableColor() {
  return z
    .string({ error: "must be a string" })
    .regex(/^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|)$/, { error: "must be a hex color code" })
    .nullish()
    .transform((text) => (text === "" ? null : text));
}

/** True or false, and it must be said. */
export function requiredFlag() {
  return z.boolean({ error: (issue) => (issue.input == null ? blank : "must be true or false") });
}

/** True or false; null counts as not said. */
export function optionalFlag() {
  return z
    .boolean({ error: "must be true or false" })
    .nullish()
    .transform((flag) => flag ?? undefined);
}

/** One of some words, and it must be said. */
export function requiredChoice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, {
    error: (issue) => (issue.input == null ? blank : `must be one of ${words.join(", ")}`),
  });
}

/** The id of something; null clears it. */
export function clearableId() {
  return z.uuid({ error: "must be a UUID" }).nullish();
}

/** Ids of several things. */
export function optionalIds() {
  return z.array(z.uuid({ error: "must hold UUIDs" }), { error: "must be an array" }).nullish();
}

/** Variables: names and their text. */
export function optionalVariables() {
  return z
    .record(z.string(), z.string({ error: "must have strings as values" }), { error: "must be an object" })
    .nullish();
}
