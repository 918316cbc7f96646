const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * Returns an id in the one form in which ids are compared, because a UUID is the same in capitals. An id that consists of
 * several, divided by slashes, is compared in the same way. Other text is returned as it is.
 */
export function identityOf(id: string): string {
  const parts = id.split("/");
  return parts.map((part) => (isUuid(part) ? part.toLowerCase() : part)).join("/");
}

/** Returns whether two values are the id of one object. */
export function isSameObject(one: unknown, other: unknown): boolean {
  return typeof one === "string" && typeof other === "string" && identityOf(one) === identityOf(other);
}
