import { importNames } from "./kinds.js";
import type { LiveObject } from "./listing.js";

/**
 * For each object the value of the option `import` that adopts it: the names that people know (`Linux/small`), the
 * ids where a name is not the only one of its kind or could be read as something else.
 */
export function importValues(objects: readonly LiveObject[]): ReadonlyMap<LiveObject, string> {
  const counts = new Map<string, number>();
  for (const object of objects) {
    for (const name of new Set(importNames(object.kind, object.entity))) {
      const key = placeOf(object, name);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const ids = new Set(objects.map(({ id }) => id));
  const shortest = (object: LiveObject): string => {
    const clear = (name: string) =>
      counts.get(placeOf(object, name)) === 1 &&
      !name.includes("/") &&
      name.trim() === name &&
      !ids.has(name.toLowerCase());
    return importNames(object.kind, object.entity).find(clear) ?? object.id;
  };
  const clusters = new Map<string, string>();
  for (const object of objects) if (object.kind === "Cluster") clusters.set(object.id, shortest(object));
  return new Map<LiveObject, string>(
    objects.map((object) => {
      const cluster =
        "cluster" in object ? (clusters.get(object.cluster.id) ?? object.cluster.id) : undefined;
      if (object.kind === "ClusterDefaultQueue") return [object, cluster ?? object.id];
      return [object, cluster === undefined ? shortest(object) : `${cluster}/${shortest(object)}`];
    }),
  );
}

/** A name where it has to be the only one: in its cluster, or in the organization. */
function placeOf(object: LiveObject, name: string): string {
  return JSON.stringify([object.kind, "cluster" in object ? object.cluster.id : "", name]);
}
