/** What a URN says: `urn:pulumi:<stack>::<project>::<types of its parents>$<its type>::<its name>`. */

/** The name of a resource in its program, which may have colons of its own. */
export function nameOfUrn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The type token of a resource, without those of its parents. */
export function typeOfUrn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** The stack that a resource is in. */
export function stackOfUrn(urn: string): string {
  return urn.split("::")[0]?.split(":")[2] ?? "";
}
