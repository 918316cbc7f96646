/**
 * Returns a name as the service puts it in addresses: small letters, digits and hyphens; the name itself if nothing is
 * left.
 */
export function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return slug === "" ? name : slug;
}
