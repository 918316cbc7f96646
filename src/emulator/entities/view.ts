import type { OrganizationData } from "../store/organization-data.js";
import type { Variations } from "../variations.js";

/** What it takes to show a record: whom it belongs to, under which address it was asked for, and in which manner. */
export interface View {
  /** The address the request came to, without a slash at the end: every address shown starts with it. */
  readonly base: string;
  readonly organization: string;
  readonly data: OrganizationData;
  readonly variations: Variations;
}

/** The address of something in the interface. */
export function apiUrl(view: View, path: string): string {
  return `${view.base}/v2/organizations/${view.organization}${path}`;
}

/** The address of something in the analytics part of the interface. */
export function analyticsUrl(view: View, path: string): string {
  return `${view.base}/v2/analytics/organizations/${view.organization}${path}`;
}

/** The address of something in the web interface: here, its place on the emulator's page. */
export function webUrl(view: View, path: string): string {
  return `${view.base}/organizations/${view.organization}${path}`;
}

/** The opaque second identifier every entity has. */
export function graphqlId(kind: string, id: string): string {
  return Buffer.from(`${kind}---${id}`).toString("base64");
}

/** Optional text the way the service shows it when it is not set. */
export function optionalText<Field extends string>(
  view: View,
  field: Field,
  value: string | null,
): { [Key in Field]?: string | null } {
  const { unsetText } = view.variations;
  const shown = value ?? (unsetText === "absent" ? undefined : unsetText);
  // A computed key widens to string; the field is the one that was named.
  return (shown === undefined ? {} : { [field]: shown }) as { [Key in Field]?: string | null };
}
