/** Returns the slug of a name, made unlike those that others have by a number at its end. */
export function slugFor(
  name: string,
  holderOf: (slug: string) => { readonly id: string } | undefined,
  ownId?: string,
): string {
  const isTaken = (slug: string) => {
    const holder = holderOf(slug);
    return holder !== undefined && holder.id !== ownId;
  };
  const ascii = name.normalize("NFKD").replace(/\p{Mark}/gu, "");
  const plain = ascii
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const slug = plain === "" ? "unnamed" : plain;
  if (!isTaken(slug)) return slug;
  let number = 2;
  while (isTaken(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}
