/** Whether two names would have the same URL slug. */
export function haveSameSlug(one: string, other: string): boolean {
  return (slugOf(one) || one) === (slugOf(other) || other);
}

/** A name as the service puts it in addresses: small letters, digits and hyphens. "" where nothing is left. */
function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
