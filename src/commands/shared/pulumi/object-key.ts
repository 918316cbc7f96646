/** Identifies an object among all others of a service, in whatever case its id is written. */
export function objectKey(kind: string, id: string): string {
  return `${kind} ${id.toLowerCase()}`;
}
