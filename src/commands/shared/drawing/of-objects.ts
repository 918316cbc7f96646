import { contentKindsOf, defaultSetBy, kinds, labelIn } from "../../../provider/lifecycle/values/kinds.js";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { kindOfUrn } from "../../../shared/protocol/type-token.js";
import { nameOfUrn } from "../../../shared/protocol/urn.js";
import type { Listing } from "../inventory/listing.js";
import type { State } from "../pulumi/state.js";
import type { QueueLoad, ReadLoad } from "../workload/organization.js";
import type { Action } from "./actions.js";
import type { Topology, TopologyNode } from "./topology.js";

/** A resource of a state or a preview, as far as a drawing needs it. */
export interface DrawnResource extends Pick<State, "id" | "urn" | "properties" | "propertyDependencies"> {
  readonly kind: string;
  readonly change?: Action | undefined;
}

/** The same with its name. An object of the service has what identifies it in place of a URN. */
interface DrawnObject extends DrawnResource {
  readonly name: string;
  readonly load?: QueueLoad | undefined;
}

/**
 * Returns the topology of what a stack has, or would have. It includes clusters of other stacks that its queues and
 * tokens are in.
 */
export function topologyOfResources(resources: readonly DrawnResource[]): Topology {
  // The engine's order is that of their creation, which differs from run to run.
  const sorted = resources
    .map((resource): DrawnObject => ({ ...resource, name: nameOf(resource) }))
    .sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
  const organization = resources
    .map(({ properties }) => properties.organization)
    .find((slug) => typeof slug === "string");
  return { ...(organization !== undefined && { organization }), nodes: nodesOf(sorted) };
}

/** Returns the type and the key of the object that a resource is in; undefined if this is the organization, or unknown. */
export function containerOf({ kind, properties, propertyDependencies }: Omit<DrawnResource, "urn">) {
  const parent = kinds.get(kind)?.parent;
  if (parent === undefined) return undefined;
  // An object that is yet to be made has no id, but the URN of the resource that the argument comes from.
  const [given, ...others] = (propertyDependencies[parent.argument] ?? []).filter(
    (urn) => kindOfUrn(urn) === parent.kind,
  );
  const key = (others.length === 0 ? given : undefined) ?? properties[parent.argument];
  return key === undefined ? undefined : { kind: parent.kind, key: String(key) };
}

/** Returns the topology of a live organization. @param now what its queues do now */
export function topologyOfListing(
  { organization, objects }: Listing,
  now?: Pick<ReadLoad, "queues" | "read">,
): Topology {
  const drawn = objects.map(
    ({ kind, id, label, parent, observed }): DrawnObject => ({
      kind: kind.name,
      urn: `${kind.name} ${id}`,
      id,
      name: label,
      properties: { ...observed, ...(kind.parent && { [kind.parent.argument]: parent?.id }) },
      propertyDependencies: {},
      load: now?.queues.get(id),
    }),
  );
  return { organization, ...(now && { loadRead: now.read }), nodes: nodesOf(drawn) };
}

/** Returns what people call a resource: unless that is not known, its name in the program. */
function nameOf({ urn, kind, properties }: DrawnResource): string {
  const label = labelIn(kind, properties);
  return typeof label === "string" && label !== "" ? label : nameOfUrn(urn);
}

/** Returns objects in the objects that they are in, by type and otherwise in their order. */
function nodesOf(objects: readonly DrawnObject[]): TopologyNode[] {
  const byKind = [...kinds.keys()].flatMap((name) => objects.filter(({ kind }) => kind === name));
  const urns = new Map<string, string>();
  for (const { kind, urn, id } of byKind) {
    urns.set(`${kind} ${urn}`, urn);
    if (id !== undefined) urns.set(`${kind} ${id}`, urn);
  }
  const defaults = new Set(
    byKind.flatMap(({ kind, properties, propertyDependencies }) => {
      const set = defaultSetBy(kind);
      if (set === undefined) return [];
      const keys = [properties[set.argument], ...(propertyDependencies[set.argument] ?? [])];
      return keys.map((key) => `${set.of} ${key}`);
    }),
  );
  const elsewhere = new Map<string, string>();
  const inside = Map.groupBy(byKind, (object) => {
    const place = kinds.get(object.kind)?.parent?.kind;
    if (place === undefined) return undefined;
    const { key } = containerOf(object) ?? { key: "unknown" };
    const urn = urns.get(`${place} ${key}`);
    if (urn === undefined) elsewhere.set(key, place);
    return urn ?? key;
  });
  const contentsOf = (key: string): TopologyNode[] =>
    (inside.get(key) ?? []).filter(({ kind }) => defaultSetBy(kind) === undefined).map(nodeOf);
  const nodeOf = ({ kind, urn, id, name, properties, change, load }: DrawnObject): TopologyNode => {
    const isDefault = defaults.has(`${kind} ${urn}`) || (id !== undefined && defaults.has(`${kind} ${id}`));
    return {
      kind,
      name,
      ...(id !== undefined && { id }),
      ...(change !== undefined && { change }),
      ...lookOf(kind, properties, isDefault),
      ...(load && { load }),
      contents: contentsOf(urn),
    };
  };
  return contentKindsOf(undefined).flatMap(({ name }) => [
    ...byKind.filter(({ kind }) => kind === name).map(nodeOf),
    ...[...elsewhere]
      .filter(([, kind]) => kind === name)
      .map(([key, kind]) => ({
        kind,
        name: key.startsWith("urn:") ? `${nameOfUrn(key)} (in the program)` : key,
        contents: contentsOf(key),
      })),
  ]);
}

/** Returns what a drawing shows of an object, in addition to its name. Only some types have a default. */
function lookOf(
  kind: string,
  properties: Readonly<Properties>,
  isDefault: boolean,
): Pick<TopologyNode, "isDefault" | "color" | "paused"> {
  const canBeDefault = [...kinds.keys()].some((other) => defaultSetBy(other)?.of === kind);
  const { color, paused } = kinds.get(kind)?.drawn ?? {};
  const value = color === undefined ? undefined : properties[color];
  return {
    ...(canBeDefault && { isDefault }),
    ...(typeof value === "string" && value !== "" && { color: value }),
    ...(paused !== undefined && { paused: properties[paused] === true }),
  };
}
