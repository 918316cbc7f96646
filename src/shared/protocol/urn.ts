/** Reads URNs: `urn:pulumi:<stack>::<project>::<types of its parents>$<its type>::<its name>`. */

/** Returns the name of a resource in its program. It may contain colons. */
export function nameOfUrn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** Returns the type token of a resource, without those of its parents. */
export function typeOfUrn(urn: string): string {
  return typesOfUrn(urn).split("$").at(-1) ?? "";
}

export function typesOfUrn(urn: string): string {
  return urn.split("::")[2] ?? "";
}

export function stackOfUrn(urn: string): string {
  return urn.split("::")[0]?.split(":")[2] ?? "";
}

export function projectOfUrn(urn: string): string {
  return urn.split("::")[1] ?? "";
}

/** Checks for the URN that `pulumi do` gives to what is in no stack. */
export function isOfPulumiDo(urn: string): boolean {
  return urn === `urn:pulumi:dev::default::${typeOfUrn(urn)}::${typeOfUrn(urn).split(":").at(-1)}`;
}
