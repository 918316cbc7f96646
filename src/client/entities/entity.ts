import * as z from "zod";

type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type RequiredKeys<T> = Exclude<keyof T, OptionalKeys<T>>;

/**
 * The border check of one entity, held to its interface by the compiler: every required field needs a schema in
 * `demanded`, every optional one in `tolerated`, and neither may have another. Fields nobody knows yet are kept.
 *
 * What is demanded is little on purpose: an answer that lacks a web address must not turn a creation that was
 * carried out into a failure.
 */
export function entity<T extends object>(
  demanded: { [K in RequiredKeys<T>]: z.ZodType<T[K]> },
  tolerated: { [K in OptionalKeys<T>]-?: z.ZodType<Exclude<T[K], undefined>> },
): z.ZodType<T> {
  const optional = Object.fromEntries(
    Object.entries<z.ZodType>(tolerated).map(([name, schema]) => [name, schema.exactOptional()]),
  );
  const schema: z.ZodType = z.looseObject({ ...demanded, ...optional });
  // The two parameters have exactly the fields of T with schemas of their types; Object.entries loses that knowledge.
  return schema as z.ZodType<T>;
}

/** A string that identifies something: never empty. */
export const identifier = z.string().min(1, "a non-empty string");
/** Text the service may leave unset, as null. */
export const text = z.string().nullable();
/** A number the service may leave unset, as null. */
export const count = z.number().nullable();
/** A flag the service may leave unset, as null. */
export const flag = z.boolean().nullable();
