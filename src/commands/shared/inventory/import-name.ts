import type { LiveObject } from "./listing.js";

/**
 * Returns the value of the option `import` for each object. It has the names that people know (`Linux/small`), or ids
 * for names that are ambiguous.
 */
export function importValues(objects: readonly LiveObject[]): ReadonlyMap<LiveObject, string> {
  const counts = new Map<string, number>();
  for (const object of objects) {
    for (const name of new Set(namesOf(object))) {
      const key = placeOf(object, name);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const ids = new Set(objects.map(({ id }) => id));
  const listed = new Set(objects);
  const shortest = (object: LiveObject): string => {
    const clear = (name: string) =>
      counts.get(placeOf(object, name)) === 1 &&
      !name.includes("/") &&
      name.trim() === name &&
      !ids.has(name.toLowerCase());
    return namesOf(object).find(clear) ?? object.id;
  };
  const nameOf = (object: LiveObject): string => {
    // Names of objects that were not asked for may be the names of several.
    if (!listed.has(object)) return object.id;
    if (object.viewOf !== undefined) return nameOf(object.viewOf);
    return object.parent === undefined ? shortest(object) : `${nameOf(object.parent)}/${shortest(object)}`;
  };
  return new Map(objects.map((object) => [object, nameOf(object)]));
}

/** Returns the ids by which `pulumi import` finds an object. A property of an object is identified as that is. */
export function importId({ id, parent, viewOf }: LiveObject): string {
  if (parent === undefined) return id;
  return viewOf === parent ? importId(parent) : `${importId(parent)}/${id}`;
}

/** Names in addition to the id by which the option `import` finds an object within its list. */
function namesOf({ kind, entity }: LiveObject): string[] {
  const names = kind.importing?.names(entity) ?? [];
  return names.filter((name): name is string => typeof name === "string" && name !== "");
}

/** Returns a name where it has to be the only one: in what the object lives in, or in the organization. */
function placeOf({ kind, parent }: LiveObject, name: string): string {
  return JSON.stringify([kind.name, parent?.id ?? "", name]);
}
