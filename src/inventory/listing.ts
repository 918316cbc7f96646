import {
  type AgentToken,
  ApiError,
  type BuildPipelineClient,
  type Cluster,
  type PipelineTemplate,
  type Queue,
  type Suite,
  type Team,
} from "../client/index.js";
import { KIND_NAMES, type KindName } from "./kind-names.js";

/** An object of the service that a stack can own. Identified as the resource is. */
export type LiveObject =
  | { readonly kind: "Cluster"; readonly id: string; readonly entity: Cluster }
  | { readonly kind: "Queue"; readonly id: string; readonly entity: Queue; readonly cluster: Cluster }
  | {
      readonly kind: "ClusterDefaultQueue";
      readonly id: string;
      readonly entity: Cluster;
      readonly cluster: Cluster;
    }
  | {
      readonly kind: "AgentToken";
      readonly id: string;
      readonly entity: AgentToken;
      readonly cluster: Cluster;
    }
  | { readonly kind: "PipelineTemplate"; readonly id: string; readonly entity: PipelineTemplate }
  | { readonly kind: "Team"; readonly id: string; readonly entity: Team }
  | { readonly kind: "Suite"; readonly id: string; readonly entity: Suite };

/** What an organization has, as its lists tell it. */
export interface Listing {
  readonly organization: string;
  readonly objects: readonly LiveObject[];
  /** Kinds whose list was asked for and refused: with 403, or with 404 although the organization is there. */
  readonly refused: ReadonlyMap<KindName, ApiError>;
}

export interface ListingOptions {
  /** Which kinds to list. Default: all. */
  readonly kinds?: ReadonlySet<KindName>;
  /** Called whenever more was read. */
  readonly onProgress?: (progress: { readonly done: number; readonly of: number }) => void;
}

/**
 * Reads an organization through its lists: one request for a page of clusters, templates, teams and suites, two for
 * each cluster.
 *
 * @throws what the client throws, except for a list that is refused to this access token or on this plan
 */
export async function listOrganization(
  client: BuildPipelineClient,
  { kinds = new Set(KIND_NAMES), onProgress = () => {} }: ListingOptions = {},
): Promise<Listing> {
  const objects: LiveObject[] = [];
  const refused = new Map<KindName, ApiError>();
  const wants = (...names: readonly KindName[]) => names.some((name) => kinds.has(name));
  const collect = async (names: readonly KindName[], list: () => Promise<readonly LiveObject[]>) => {
    try {
      const found = await list();
      objects.push(...found.filter(({ kind }) => kinds.has(kind)));
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 404)) throw error;
      for (const name of names) if (kinds.has(name)) refused.set(name, error);
    }
  };

  const ofClusters = ["Cluster", "Queue", "ClusterDefaultQueue", "AgentToken"] as const;
  if (wants(...ofClusters)) {
    await collect(ofClusters, async () => {
      const clusters = await client.clusters.list().all();
      const inside = wants("Queue", "AgentToken");
      let done = 0;
      const contents = await Promise.all(
        clusters.map(async (cluster) => {
          const own = inside ? await contentsOf(client, cluster, kinds) : [];
          onProgress({ done: ++done, of: clusters.length });
          return [...clusterItself(cluster), ...own];
        }),
      );
      return contents.flat();
    });
  }
  const others: readonly (readonly [KindName, () => Promise<LiveObject[]>])[] = [
    [
      "PipelineTemplate",
      async () =>
        (await client.pipelineTemplates.list().all()).map((entity) => ({
          kind: "PipelineTemplate",
          id: entity.uuid,
          entity,
        })),
    ],
    [
      "Team",
      async () =>
        (await client.teams.list().all()).map((entity) => ({ kind: "Team", id: entity.id, entity })),
    ],
    [
      "Suite",
      async () =>
        (await client.suites.list().all()).map((entity) => ({ kind: "Suite", id: entity.id, entity })),
    ],
  ];
  for (const [kind, list] of others) if (wants(kind)) await collect([kind], list);
  return { organization: client.organization, objects, refused };
}

function clusterItself(cluster: Cluster): LiveObject[] {
  const itself: LiveObject = { kind: "Cluster", id: cluster.id, entity: cluster };
  if (!cluster.default_queue_id) return [itself];
  return [itself, { kind: "ClusterDefaultQueue", id: cluster.id, entity: cluster, cluster }];
}

async function contentsOf(
  client: BuildPipelineClient,
  cluster: Cluster,
  kinds: ReadonlySet<KindName>,
): Promise<LiveObject[]> {
  const [queues, tokens] = await Promise.all([
    kinds.has("Queue") ? client.queues.list(cluster.id).all() : [],
    kinds.has("AgentToken") ? client.agentTokens.list(cluster.id).all() : [],
  ]);
  return [
    ...queues.map((entity): LiveObject => ({ kind: "Queue", id: entity.id, entity, cluster })),
    ...tokens.map((entity): LiveObject => ({ kind: "AgentToken", id: entity.id, entity, cluster })),
  ];
}

/** What people call an object: a key, a description, a name; for a default queue, its cluster's name. */
export function labelOf(object: LiveObject): string {
  switch (object.kind) {
    case "Queue":
      return object.entity.key;
    case "AgentToken":
      return object.entity.description ?? "";
    default:
      return object.entity.name;
  }
}
