import { z } from "zod";
import type { OrganizationData } from "../store/collection.js";
import type { Variations } from "./variations.js";

/** Context of a shown record. */
export interface View {
  /** The address the request came to, without a slash at the end: every address shown starts with it. */
  readonly base: string;
  readonly organization: string;
  readonly data: OrganizationData;
  readonly variations: Variations;
}

/** A field that follows from the record, and is not kept. Shown as `undefined` it is left out. */
export interface DerivedField<Source, Shown = unknown> {
  readonly schema: z.ZodType<Shown>;
  readonly derive: (record: Source, view: View) => Shown;
}

/** A field that is kept in another form than it is shown in. Shown as `undefined` it is left out. */
export interface KeptField<Kept, Shown = unknown> {
  readonly schema: z.ZodType<Shown>;
  readonly show: (kept: Kept, view: View) => Shown;
}

type Kept<Field> =
  Field extends KeptField<infer Value> ? Value : Field extends z.ZodType ? z.output<Field> : never;

/** Stored record of an entity with these fields. Fields that are stored as they are shown have a schema only. */
export type RecordOf<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends DerivedField<never> ? never : Name]: Kept<
    Fields[Name]
  >;
};

/** An object of the API: its schema, and how a record of it is shown. */
export interface Entity<Source> {
  readonly schema: z.ZodObject;
  show(view: View, record: Source): Record<string, unknown>;
}

/** Describes an entity by its fields, in the order of the API document. */
export function entity<Source extends object>(
  name: string,
  fields: Readonly<Record<string, z.ZodType | DerivedField<Source> | KeptField<never>>>,
): Entity<Source> {
  const definitions = Object.entries(fields);
  const schemas = definitions.map(([field, one]) => [field, "schema" in one ? one.schema : one] as const);
  return {
    schema: z.object(Object.fromEntries(schemas)).meta({ id: name }),
    show: (view, record) => {
      const answer: Record<string, unknown> = {};
      for (const [field, definition] of definitions) {
        // The record's type follows from these fields, so each gets the value stored under its name.
        const kept = Reflect.get(record, field) as never;
        let value: unknown = kept;
        if ("derive" in definition) value = definition.derive(record, view);
        else if ("show" in definition) value = definition.show(kept, view);
        if (value !== undefined) answer[field] = value;
      }
      return answer;
    },
  };
}
