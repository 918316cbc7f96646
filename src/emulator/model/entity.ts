import { z } from "zod";
import type { OrganizationData } from "../store/organization-data.js";
import type { Variations } from "./variations.js";

/** Context of a shown record: its organization, the address of the request, and variations. */
export interface View {
  /** The address the request came to, without a slash at the end: every address shown starts with it. */
  readonly base: string;
  readonly organization: string;
  readonly data: OrganizationData;
  readonly variations: Variations;
}

/** A field that follows from the record, and is not kept. Shown as `undefined` it is left out. */
export interface DerivedField<Source, V extends View = View, Shown = unknown> {
  readonly schema: z.ZodType<Shown>;
  readonly derive: (record: Source, view: V) => Shown;
}

/** A field that is kept in another form than it is shown in. Shown as `undefined` it is left out. */
export interface KeptField<Kept, V extends View = View, Shown = unknown> {
  readonly schema: z.ZodType<Shown>;
  readonly show: (kept: Kept, view: V) => Shown;
}

type Kept<Field> =
  Field extends KeptField<infer Value, never> ? Value : Field extends z.ZodType ? z.output<Field> : never;

/** Stored record of an entity with these fields. Fields that are stored as they are shown have a schema only. */
export type RecordOf<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends DerivedField<never, never> ? never : Name]: Kept<
    Fields[Name]
  >;
};

/** The fields of an entity, in the order of the API document. */
type FieldsOf<Source, V extends View> = {
  readonly [Name: string]: z.ZodType | DerivedField<Source, V> | KeptField<never, V>;
};

/** An object of the API: its schema, and how a record of it is shown. */
export interface Entity<Source, V extends View = View, Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  show(view: V, record: Source): Record<string, unknown>;
}

/** Describes an entity by its fields: the record, its shown form, and the schema of both. */
export function entity<Source extends object, V extends View = View>(
  name: string,
  fields: FieldsOf<Source, V>,
): Entity<Source, V, z.ZodObject> {
  const schemas: Record<string, z.ZodType> = {};
  const shown: [name: string, show: (record: Source, view: V) => unknown][] = [];
  for (const [field, definition] of Object.entries(fields)) {
    schemas[field] = "schema" in definition ? definition.schema : definition;
    // The record's type follows from these fields, so each gets the value stored under its name.
    const kept = (record: Source): never => Reflect.get(record, field) as never;
    if ("derive" in definition) shown.push([field, definition.derive]);
    else if ("show" in definition) shown.push([field, (record, view) => definition.show(kept(record), view)]);
    else shown.push([field, kept]);
  }
  return {
    schema: z.object(schemas).meta({ id: name }),
    show: (view, record) => {
      const answer: Record<string, unknown> = {};
      for (const [field, show] of shown) {
        const value = show(record, view);
        if (value !== undefined) answer[field] = value;
      }
      return answer;
    },
  };
}
