import { z } from "zod";
import type { DerivedField, KeptField, View } from "./entity.js";

export function derived<Shown, Source, V extends View = View>(
  schema: z.ZodType<Shown>,
  derive: (record: Source, view: V) => Shown,
): DerivedField<Source, V, Shown> {
  return { schema, derive };
}

export function keptAs<Kept, Shown, V extends View = View>(
  schema: z.ZodType<Shown>,
  show: (kept: Kept, view: V) => Shown,
): KeptField<Kept, V, Shown> {
  return { schema, show };
}

export function shownIf<Schema extends z.ZodType, V extends View>(
  schema: Schema,
  isShown: (view: V) => boolean,
): KeptField<z.output<Schema>, V> {
  return { schema: schema.optional(), show: (kept, view) => (isShown(view) ? kept : undefined) };
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

export function addressAt<Source, V extends View = View>(path: (record: Source, view: V) => string) {
  return derived(address, (record: Source, view: V) => `${view.base}${path(record, view)}`);
}

/** Returns the field of addresses that start with a path of the organization. */
function organizationUrl(prefix: string) {
  return <Source, V extends View = View>(path: (record: Source, view: V) => string) =>
    addressAt(
      (record: Source, view: V) => `${prefix}/organizations/${view.organization}${path(record, view)}`,
    );
}

/** The address of something in the interface. */
export const apiUrl = organizationUrl("/v2");
/** The address of something in the analytics part of the interface. */
export const analyticsUrl = organizationUrl("/v2/analytics");
/** The address of something in the web interface: here, its place on the emulator's page. */
export const webUrl = organizationUrl("");

export function apiUrlOrNull<Source, V extends View = View>(
  path: (record: Source, view: V) => string | null,
) {
  return derived(address.nullable(), (record: Source, view: V) => {
    const found = path(record, view);
    return found === null ? null : apiUrl(() => found).derive(record, view);
  });
}

/** Optional text, shown as the service shows it when it is not set. */
export const optionalText = keptAs(z.string().nullish(), (kept: string | null, { variations }) => {
  return kept ?? (variations.unsetText === "absent" ? undefined : variations.unsetText);
});
