import * as z from "zod";
import {
  canContain,
  contentKindsOf,
  defaultSetBy,
  grammar,
  kinds,
  labelIn,
  levelArgument,
  namesIn,
  queueKind,
} from "../../provider/for-commands/kinds.js";
import { similarNames } from "../../shared/messages/nearest-name.js";
import { quoted } from "../../shared/messages/quoted.js";
import { UNKNOWN } from "../../shared/protocol/encoded-values.js";
import { identityOf, isUuid } from "../../shared/protocol/identity.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";
import type { Listing } from "../inventory/listing.js";
import { containerOf, type State } from "../pulumi/state.js";
import type { QueueLoad, ReadLoad } from "../workload/read.js";
import { ACTION_ORDER, ACTIONS, type Action } from "./actions.js";

/** An object of an organization, as people draw it. */
export const drawnSchema = z.object({
  kind: z.string(),
  name: z.string(),
  /** Missing for an object that is yet to be created. */
  id: z.string().exactOptional(),
  change: z.enum(ACTION_ORDER).exactOptional(),
  /** As the service has it: `#A9CCE3`. */
  color: z.string().exactOptional(),
  /** True if it is the default of its parent. Missing for types without a default. */
  isDefault: z.boolean().exactOptional(),
  /** Missing for types that cannot be paused. */
  paused: z.boolean().exactOptional(),
  load: z.object({ running: z.number(), waiting: z.number(), agents: z.number().optional() }).exactOptional(),
});

export interface TopologyNode extends Readonly<z.infer<typeof drawnSchema>> {
  /** The level that a pair of a group gives. Missing for other types. */
  readonly access?: string;
  /** Keys of the queues that its steps name. Missing if there are none. */
  readonly uses?: readonly string[];
  readonly contents: readonly TopologyNode[];
}

export interface Topology {
  readonly organization?: string;
  /** When jobs and agents were read (ISO 8601), and whether all of them could be. */
  readonly loadRead?: ReadLoad["read"];
  readonly nodes: readonly TopologyNode[];
}

/** A resource of a state or a preview, as far as a drawing needs it. */
export interface DrawnResource extends Pick<State, "id" | "urn" | "properties" | "propertyDependencies"> {
  readonly kind: string;
  readonly change?: Action | undefined;
}

/** The same with its name. An object of the service has what identifies it in place of a URN. */
type DrawnObject = DrawnResource & { readonly name: string; readonly load?: QueueLoad | undefined };

/** Returns what a stack has, or would have, and the clusters of other stacks that its queues and tokens are in. */
export function topologyOfResources(resources: readonly DrawnResource[]): Topology {
  const labels = new Map(
    resources.map(({ kind, id, properties }) => [`${kind} ${id}`, labelIn(kind, properties)]),
  );
  // The engine's order is that of their creation, which differs from run to run.
  const sorted = resources
    .map((resource): DrawnObject => ({ ...resource, name: nameInState(resource, labels) }))
    .sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
  const organization = resources
    .map(({ properties }) => properties.organization)
    .find((slug) => typeof slug === "string");
  return { ...(organization !== undefined && { organization }), nodes: nodesOf(sorted) };
}

export function topologyOfListing({ organization, objects }: Listing, now?: ReadLoad): Topology {
  const drawn = objects.map(
    ({ kind, id, label, parent, observed }): DrawnObject => ({
      kind: kind.name,
      urn: `${kind.name} ${id}`,
      id,
      // A description may be empty.
      name: label || id,
      properties: { ...observed, ...(kind.parent && { [kind.parent.argument]: parent?.id }) },
      propertyDependencies: {},
      load: now?.queues.get(id),
    }),
  );
  return { organization, ...(now && { loadRead: now.read }), nodes: nodesOf(drawn) };
}

/** Returns a name that people know: a pair is called after what it goes with, and nothing after an id. */
function nameInState({ urn, kind, properties }: DrawnResource, labels: ReadonlyMap<string, unknown>): string {
  const composed = kinds.get(kind)?.words.composed?.((argument) => {
    const { refersTo } = kinds.get(kind)?.arguments[argument] ?? {};
    const value = refersTo ? labels.get(`${refersTo} ${properties[argument]}`) : properties[argument];
    return typeof value === "string" ? value : undefined;
  });
  const [other] = Object.entries(kinds.get(kind)?.arguments ?? {}).flatMap(
    ([argument, { goesWith, refersTo }]) =>
      goesWith ? (labels.get(`${refersTo} ${properties[argument]}`) ?? []) : [],
  );
  const label = composed ?? other ?? labelIn(kind, properties);
  return typeof label === "string" && label !== "" && !isUuid(label) ? label : nameOfUrn(urn);
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
    const described = kinds.get(object.kind);
    const found = containerOf(object);
    const place = found?.kind ?? described?.parent?.kind;
    if (place === undefined) return undefined;
    const { key } = found ?? { key: "unknown" };
    const urn = urns.get(`${place} ${key}`);
    if (urn === undefined) elsewhere.set(key, place);
    return urn ?? key;
  });
  const contentsOf = (key: string): TopologyNode[] =>
    (inside.get(key) ?? []).filter(({ kind }) => defaultSetBy(kind) === undefined).map(nodeOf);
  const haveDefaults = new Set([...kinds.keys()].map((kind) => defaultSetBy(kind)?.of));
  const nodeOf = ({ kind, urn, id, name, properties, change, load }: DrawnObject): TopologyNode => {
    const { as, argument = "" } = kinds.get(kind)?.drawn ?? {};
    const look = properties[argument];
    const uses = queuesNamedBy(kind, properties);
    const access = levelArgument(kind);
    return {
      kind,
      name,
      ...(id !== undefined && { id }),
      ...(change !== undefined && { change }),
      ...(haveDefaults.has(kind) && {
        isDefault: [urn, id].some((key) => key !== undefined && defaults.has(`${kind} ${key}`)),
      }),
      ...(as === "color" && typeof look === "string" && look !== "" && { color: look }),
      ...(as === "paused" && { paused: look === true }),
      ...(load && { load }),
      ...(uses.length > 0 && { uses }),
      ...(access !== undefined && { access: String(properties[access] ?? "") }),
      contents: contentsOf(urn),
    };
  };
  return contentKindsOf(undefined).flatMap(({ name }) => [
    ...(inside.get(undefined) ?? []).filter(({ kind }) => kind === name).map(nodeOf),
    ...[...elsewhere]
      .filter(([, kind]) => kind === name)
      .map(([key, kind]) => ({
        kind,
        name: key.startsWith("urn:") ? `${nameOfUrn(key)} (in the program)` : key,
        contents: contentsOf(key),
      })),
  ]);
}

function queuesNamedBy(kind: string, properties: DrawnObject["properties"]): string[] {
  const fields = Object.entries(kinds.get(kind)?.arguments ?? {});
  const steps = properties[fields.find(([, { hasSteps }]) => hasSteps)?.[0] ?? ""];
  if (typeof steps !== "string" || steps === UNKNOWN) return [];
  return [
    ...new Set(namesIn(steps, grammar).flatMap((named) => (named.kind === queueKind() ? [named.value] : []))),
  ];
}

export function clustersIn(nodes: readonly TopologyNode[]): TopologyNode[] {
  return nodes.filter(({ kind }) => canContain(kind));
}

export function insideOf(nodes: readonly TopologyNode[]): TopologyNode[] {
  return nodes.flatMap((node) => [node, ...insideOf(node.contents)]);
}

/** Returns a topology for programs: `{ organization, clusters: [{ name, queues, agentTokens }], teams, … }`. */
export function topologyAsJson({ organization, nodes }: Topology): object {
  return { ...(organization !== undefined && { organization }), ...contentsAsJson(undefined, nodes) };
}

function contentsAsJson(parent: string | undefined, nodes: readonly TopologyNode[]): Record<string, object> {
  const own = contentKindsOf(parent);
  const entries = [...kinds.values()].flatMap((kind): [string, object][] => {
    const { name } = kind;
    const some = nodes.filter((node) => node.kind === name);
    // Those that the API got later may not have been read.
    if (some.length === 0 && (kind.requires === "newer API" || !own.includes(kind))) return [];
    return [[`${name.charAt(0).toLowerCase()}${name.slice(1).replace(/s$/, "")}s`, some.map(nodeAsJson)]];
  });
  return Object.fromEntries(entries);
}

function nodeAsJson({ kind, id: _, contents, ...shown }: TopologyNode): object {
  const change = shown.change && { change: ACTIONS[shown.change].change };
  return { ...shown, ...change, ...contentsAsJson(kind, contents) };
}

const MOST_NAMES = 10;

export function isNamed({ name, id }: Pick<TopologyNode, "name" | "id">, wanted: string): boolean {
  return name === wanted || id === identityOf(wanted);
}

/** Returns the part in one cluster, or in all clusters of one name. @param wanted name or id @throws if there is none */
export function topologyOfCluster(topology: Topology, wanted: string): Topology {
  const clusters = clustersIn(topology.nodes);
  const nodes = clusters.filter((cluster) => isNamed(cluster, wanted));
  if (nodes.length > 0) return { ...topology, nodes };
  const all = clusters.map(({ name }) => name);
  throw noCluster(wanted, all, "drawn");
}

export function noCluster(wanted: string, all: readonly string[], done: string): Error {
  const names = similarNames(wanted, [...new Set(all)], Number.POSITIVE_INFINITY);
  const shown = names.slice(0, MOST_NAMES).map(quoted).join(", ");
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return new Error(
    `There is no cluster ${quoted(wanted)}, so nothing was ${done}. ${
      names.length === 0
        ? "There are no clusters."
        : `Give --cluster one of these names, or an id: ${shown}${more}.`
    }`,
  );
}
