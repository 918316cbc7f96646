/** Returns ` by ` and the creator's name for a message; nothing if the API returned no name. */
export function byCreator(createdBy: unknown): string {
  return hasName(createdBy) ? ` by ${createdBy.name}` : "";
}

function hasName(user: unknown): user is { name: string } {
  return typeof user === "object" && user !== null && "name" in user && typeof user.name === "string";
}
