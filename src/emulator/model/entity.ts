import { z } from "zod";
import type { OrganizationData } from "../store/organization-data.js";
import type { Variations } from "../variations.js";

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

/** Returns a field that follows from the record. */
export function derived<Shown, Source, V extends View = View>(
  schema: z.ZodType<Shown>,
  derive: (record: Source, view: V) => Shown,
): DerivedField<Source, V, Shown> {
  return { schema, derive };
}

/** Returns a field that is kept in another form. */
export function keptAs<Kept, Shown, V extends View = View>(
  schema: z.ZodType<Shown>,
  show: (kept: Kept, view: V) => Shown,
): KeptField<Kept, V, Shown> {
  return { schema, show };
}

/** Returns a field that is shown in some views only. */
export function shownIf<Schema extends z.ZodType, V extends View>(
  schema: Schema,
  isShown: (view: V) => boolean,
): KeptField<z.output<Schema>, V> {
  return { schema: schema.optional(), show: (kept, view) => (isShown(view) ? kept : undefined) };
}

type Kept<Field> =
  Field extends KeptField<infer Value, never> ? Value : Field extends z.ZodType ? z.output<Field> : never;

/**
 * Stored record of an entity with these fields. Fields that are stored as they are shown have a schema only.
 */
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

export const uuid = z.uuid();
/** ISO 8601, in UTC. */
export const timestamp = z.iso.datetime();
export const address = z.string().meta({ format: "uri" });
const opaqueId = z.string().meta({ description: "Opaque identifier." });

/** The opaque second identifier every entity has. */
export function graphqlId(kind: string) {
  return derived(opaqueId, ({ id }: { id: string }) => Buffer.from(`${kind}---${id}`).toString("base64"));
}

/** An address under the base address. */
export function addressAt<Source, V extends View = View>(path: (record: Source, view: V) => string) {
  return derived(address, (record: Source, view: V) => `${view.base}${path(record, view)}`);
}

/** The address of something in the interface. */
export function apiUrl<Source, V extends View = View>(path: (record: Source, view: V) => string) {
  return addressAt(
    (record: Source, view: V) => `/v2/organizations/${view.organization}${path(record, view)}`,
  );
}

/** The address of something in the interface that may not be there. */
export function apiUrlOrNull<Source, V extends View = View>(
  path: (record: Source, view: V) => string | null,
) {
  return derived(address.nullable(), (record: Source, view: V) => {
    const found = path(record, view);
    return found === null ? null : `${view.base}/v2/organizations/${view.organization}${found}`;
  });
}

/** The address of something in the analytics part of the interface. */
export function analyticsUrl<Source>(path: (record: Source, view: View) => string) {
  return addressAt(
    (record: Source, view: View) => `/v2/analytics/organizations/${view.organization}${path(record, view)}`,
  );
}

/** The address of something in the web interface: here, its place on the emulator's page. */
export function webUrl<Source, V extends View = View>(path: (record: Source, view: V) => string) {
  return addressAt((record: Source, view: V) => `/organizations/${view.organization}${path(record, view)}`);
}

/** Optional text, shown as the service shows it when it is not set. */
export const optionalText = keptAs(z.string().nullish(), (kept: string | null, { variations }) => {
  return kept ?? (variations.unsetText === "absent" ? undefined : variations.unsetText);
});
