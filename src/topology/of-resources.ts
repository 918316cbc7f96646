import type { Action } from "../messages/actions.js";
import type { Properties } from "../protocol/encoded-values.js";
import { nameOfUrn } from "../protocol/urn.js";
import { defaultSetBy, kinds } from "../provider/values/kinds.js";
import { containerOf, contentKindsOf, drawnOf, labelIn } from "./kinds.js";
import type { Topology, TopologyNode } from "./topology.js";

/** A resource of a state or a preview, as far as a drawing needs it. */
export interface DrawnResource {
  readonly kind: string;
  readonly id?: string | undefined;
  readonly urn: string;
  readonly properties: Readonly<Properties>;
  /** Resources that its properties come from, by property. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly change?: Action | undefined;
}

/**
 * Returns the topology of what a stack has, or would have. It includes clusters of other stacks that its queues and
 * tokens are in.
 */
export function topologyOfResources(resources: readonly DrawnResource[]): Topology {
  // The engine's order is that of their creation, which differs from run to run.
  const sorted = resources.toSorted((one, other) => compare(nameOf(one), nameOf(other)));
  const byKind = [...kinds.keys()].flatMap((name) => sorted.filter(({ kind }) => kind === name));
  const urns = new Map<string, string>();
  for (const { kind, urn, id } of byKind) {
    urns.set(`${kind} ${urn}`, urn);
    if (id !== undefined) urns.set(`${kind} ${id}`, urn);
  }
  const defaults = new Set<string>();
  const inside = new Map<string, DrawnResource[]>();
  const elsewhere = new Map<string, string>();
  for (const resource of byKind) {
    const set = defaultSetBy(resource.kind);
    if (set !== undefined) {
      const named = resource.propertyDependencies[set.argument] ?? [];
      for (const key of [resource.properties[set.argument], ...named]) defaults.add(`${set.of} ${key}`);
    }
    const place = kinds.get(resource.kind)?.parent?.kind;
    if (place === undefined) continue;
    const { key } = containerOf(resource) ?? { key: "unknown" };
    const urn = urns.get(`${place} ${key}`);
    if (urn === undefined) elsewhere.set(key, place);
    inside.set(urn ?? key, [...(inside.get(urn ?? key) ?? []), resource]);
  }
  const contentsOf = (key: string): TopologyNode[] =>
    (inside.get(key) ?? []).filter(({ kind }) => defaultSetBy(kind) === undefined).map(nodeOf);
  const nodeOf = (resource: DrawnResource): TopologyNode => {
    const { kind, urn, id, properties, change } = resource;
    const isDefault = defaults.has(`${kind} ${urn}`) || (id !== undefined && defaults.has(`${kind} ${id}`));
    return {
      kind,
      name: nameOf(resource),
      ...(id !== undefined && { id }),
      ...(change !== undefined && { change }),
      ...drawnOf(kind, properties, isDefault),
      contents: contentsOf(urn),
    };
  };
  const organization = resources
    .map(({ properties }) => properties.organization)
    .find((slug) => typeof slug === "string");
  return {
    ...(organization !== undefined && { organization }),
    nodes: contentKindsOf(undefined).flatMap(({ name }) => [
      ...byKind.filter(({ kind }) => kind === name).map(nodeOf),
      ...[...elsewhere]
        .filter(([, kind]) => kind === name)
        .map(([key, kind]) => ({
          kind,
          name: key.startsWith("urn:") ? `${nameOfUrn(key)} (in the program)` : key,
          contents: contentsOf(key),
        })),
    ]),
  };
}

/** Returns what people call a resource: unless that is not known, its name in the program. */
function nameOf({ urn, kind, properties }: DrawnResource): string {
  const label = labelIn(kind, properties);
  return typeof label === "string" && label !== "" ? label : nameOfUrn(urn);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
