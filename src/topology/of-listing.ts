import type { Listing, LiveObject } from "../inventory/listing.js";
import { defaultSetBy } from "../provider/values/kinds.js";
import { canBeDefault, drawnOf } from "./kinds.js";
import type { Load, Topology, TopologyNode } from "./topology.js";

/** Returns the topology of a live organization. @param now what its queues do now, by their ids */
export function topologyOfListing(
  { organization, objects }: Listing,
  now?: { readonly queues: ReadonlyMap<string, Load>; readonly read: NonNullable<Topology["loadRead"]> },
): Topology {
  const inside = Map.groupBy(objects, ({ parent }) => parent);
  const defaults = new Set(
    objects.flatMap(({ kind, observed }) => {
      const set = defaultSetBy(kind.name);
      return set === undefined ? [] : [`${set.of} ${observed[set.argument]}`];
    }),
  );
  const nodesIn = (parent: LiveObject | undefined): TopologyNode[] =>
    (inside.get(parent) ?? [])
      .filter(({ kind }) => defaultSetBy(kind.name) === undefined)
      .map((object) => {
        const { kind, id, label, observed } = object;
        const load = now?.queues.get(id);
        return {
          kind: kind.name,
          name: label,
          id,
          ...(canBeDefault(kind.name) && { isDefault: defaults.has(`${kind.name} ${id}`) }),
          ...drawnOf(kind.name, observed),
          ...(load && { load }),
          contents: nodesIn(object),
        };
      });
  return { organization, ...(now && { loadRead: now.read }), nodes: nodesIn(undefined) };
}
