import { createHash } from "node:crypto";
import { z } from "zod";
import type { OrganizationData, StoredRecord } from "../store/collection.js";
import type { Variations } from "./variations.js";

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

export interface Entity<Source> {
  readonly schema: z.ZodObject;
  show(view: View, record: Source): Record<string, unknown>;
}

/** @internal What OpenAPI says of schemas. Zod's own registry belongs to the whole process. */
export const described = z.registry<{ id?: string; format?: string; description?: string }>();

/** Describes an entity by its fields, in the order of the API's documentation. */
export function entity<Source extends object>(
  name: string,
  fields: Readonly<Record<string, z.ZodType | DerivedField<Source> | KeptField<never>>>,
): Entity<Source> {
  const definitions = Object.entries(fields);
  const schemas = definitions.map(([field, one]) => [field, "schema" in one ? one.schema : one] as const);
  return {
    schema: z.object(Object.fromEntries(schemas)).register(described, { id: name }),
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

export function derived<Shown, Source>(
  schema: z.ZodType<Shown>,
  derive: (record: Source, view: View) => Shown,
): DerivedField<Source, Shown> {
  return { schema, derive };
}

export function keptAs<Kept, Shown>(
  schema: z.ZodType<Shown>,
  show: (kept: Kept, view: View) => Shown,
): KeptField<Kept, Shown> {
  return { schema, show };
}

export function shownIf<Schema extends z.ZodType>(schema: Schema, isShown: (view: View) => boolean) {
  return keptAs(schema.optional(), (kept: z.output<Schema>, view) => (isShown(view) ? kept : undefined));
}

/** A field that an older service leaves out, and records of earlier data files. */
export function inNewerApi<Schema extends z.ZodType>(
  schema: Schema,
): KeptField<z.output<Schema>, z.output<Schema> | undefined> {
  return shownIf(schema, ({ variations }) => variations.newerApi);
}

export const uuid = z.uuid();
export const timestamp = z.iso.datetime();
export const address = z.string().register(described, { format: "uri" });
const opaqueId = z.string().register(described, { description: "Opaque identifier." });

export function graphqlId(kind: string) {
  return derived(opaqueId, ({ id }: StoredRecord) => Buffer.from(`${kind}---${id}`).toString("base64"));
}

export function addressAt<Source>(path: (record: Source, view: View) => string) {
  return derived(address, (record: Source, view: View) => `${view.base}${path(record, view)}`);
}

function organizationUrl(prefix: string) {
  return <Source>(path: (record: Source, view: View) => string) =>
    addressAt((record: Source, view) => `${prefix}/organizations/${view.organization}${path(record, view)}`);
}

export const apiUrl = organizationUrl("/v2");
export const analyticsUrl = organizationUrl("/v2/analytics");
/** The address of something in the web interface: here, its place on the emulator's page. */
export const webUrl = organizationUrl("");

export function apiUrlOrNull<Source>(path: (record: Source, view: View) => string | null) {
  return derived(address.nullable(), (record: Source, view: View) => {
    const found = path(record, view);
    return found && apiUrl(() => found).derive(record, view);
  });
}

export const optionalText = keptAs(z.string().nullish(), (kept: string | null, { variations }) => {
  return kept ?? (variations.unsetText === "absent" ? undefined : variations.unsetText);
});

const personFields = {
  id: uuid,
  graphql_id: derived(z.string().optional(), (user: StoredRecord, view) =>
    view.variations.embeddedUserGraphqlId ? graphqlId("User").derive(user, view) : undefined,
  ),
  name: z.string(),
  email: z.string(),
  avatar_url: addressAt(({ email }: { email: string }) => {
    return `/avatars/${createHash("sha256").update(email).digest("hex").slice(0, 32)}`;
  }),
  created_at: timestamp,
};

/** A person who need not be a user, such as the author given with a build. */
export interface Person extends RecordOf<typeof personFields> {}

/** A person. Only members appear in the organization's member list. */
export interface UserRecord extends Person {
  readonly member: boolean;
}

export const person = entity<Person>("User", personFields);

/** A field that keeps a user's id and shows the user, or null when they are gone. */
export const user = keptAs(person.schema.nullable(), (id: string, view) => {
  const found = view.data.users.get(id);
  return found === undefined ? null : person.show(view, found);
});

/** A field that keeps a user's id and shows the few fields that some objects embed. */
export const userInBrief = keptAs(
  z.object({ id: uuid, name: z.string(), email: z.string() }).nullable(),
  (userId: string | null, { data }) => {
    const found = data.users.get(userId ?? "");
    return found === undefined ? null : { id: found.id, name: found.name, email: found.email };
  },
);

export const userOrNull = keptAs(user.schema, (id: string | null, view) =>
  id === null ? null : user.show(id, view),
);
