import { z } from "zod";
import type { StoredRecord } from "../store/collection.js";
import type { DerivedField, KeptField, View } from "./entity.js";

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

export const uuid = z.uuid();
/** ISO 8601, in UTC. */
export const timestamp = z.iso.datetime();
export const address = z.string().meta({ format: "uri" });
const opaqueId = z.string().meta({ description: "Opaque identifier." });

/** The opaque second identifier every entity has. */
export function graphqlId(kind: string) {
  return derived(opaqueId, ({ id }: StoredRecord) => Buffer.from(`${kind}---${id}`).toString("base64"));
}

export function addressAt<Source>(path: (record: Source, view: View) => string) {
  return derived(address, (record: Source, view: View) => `${view.base}${path(record, view)}`);
}

/** Returns the field of addresses that start with a path of the organization. */
function organizationUrl(prefix: string) {
  return <Source>(path: (record: Source, view: View) => string) =>
    addressAt((record: Source, view) => `${prefix}/organizations/${view.organization}${path(record, view)}`);
}

export const apiUrl = organizationUrl("/v2");
/** The address of something in the analytics part of the interface. */
export const analyticsUrl = organizationUrl("/v2/analytics");
/** The address of something in the web interface: here, its place on the emulator's page. */
export const webUrl = organizationUrl("");

export function apiUrlOrNull<Source>(path: (record: Source, view: View) => string | null) {
  return derived(address.nullable(), (record: Source, view: View) => {
    const found = path(record, view);
    return found && apiUrl(() => found).derive(record, view);
  });
}

/** Optional text, shown as the service shows it when it is not set. */
export const optionalText = keptAs(z.string().nullish(), (kept: string | null, { variations }) => {
  return kept ?? (variations.unsetText === "absent" ? undefined : variations.unsetText);
});
