import type * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import type { EmbeddedUser } from "../resources/embedded-user.js";
import { type InputsOf, oneWay } from "./asking/arguments.js";
import { oneOf } from "./asking/one-of.js";
import { request } from "./asking/request.js";
import { entity, same, user } from "./entity-fields.js";
import { Lookup } from "./lookup.js";

/** Which cluster: give one of the two. */
export interface GetClusterArgs {
  /** UUID. */
  id?: string | undefined;
  /** Name, exactly. An error if several clusters have it. */
  name?: string | undefined;
}

/** {@link GetClusterArgs}, where each may be an Output. */
export interface GetClusterOutputArgs extends InputsOf<GetClusterArgs> {}

/** A cluster, as the service has it (the API document, section 2.2). */
export interface GetClusterResult {
  /** UUID. */
  readonly id: string;
  /** Name of the cluster. */
  readonly name: string;
  /** Slug of the organization the cluster is in. */
  readonly organization: string;
  /** What the cluster is for. */
  readonly description?: string;
  /** Emoji in emoji syntax. */
  readonly emoji?: string;
  /** Hex color code. */
  readonly color?: string;
  /** UUID of the queue for agents that name none; undefined when there is none. */
  readonly defaultQueueId?: string;
  /** API URL of the default queue; undefined when there is none. */
  readonly defaultQueueUrl?: string;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** Canonical API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** API URL of the cluster's queues. */
  readonly queuesUrl?: string;
  /** When it was created, ISO 8601 in UTC. */
  readonly createdAt?: string;
  /** Who created it. */
  readonly createdBy?: EmbeddedUser;
}

/** Takes no arguments. */
export type GetClustersArgs = Record<string, never>;

/** Takes no arguments. */
export type GetClustersOutputArgs = Record<string, never>;

/** The clusters of an organization. */
export interface GetClustersResult {
  readonly clusters: GetClusterResult[];
  /** Slug of the organization. */
  readonly organization: string;
}

const read = entity<wire.Cluster, GetClusterResult>({
  id: same,
  name: same,
  graphql_id: same,
  default_queue_id: same,
  description: same,
  emoji: same,
  color: same,
  url: same,
  web_url: same,
  queues_url: same,
  default_queue_url: same,
  created_at: same,
  created_by: user,
});

const clusterById = request("clusters.get", (client, id: string) => client.clusters.get(id));
const allClusters = request("clusters.list", (client) => client.clusters.list().all());

const cluster = new Lookup<GetClusterArgs, GetClusterResult>("getCluster", async (service, args) => {
  const { way, value } = oneWay(args, ["id", "name"]);
  const found =
    way === "id"
      ? await service.ask(clusterById, value)
      : oneOf(await service.ask(allClusters), {
          nouns: "clusters",
          way,
          matches: ({ name }) => name === value,
          idOf: ({ id }) => id,
          all: "getClusters()",
        });
  return { ...read(found), organization: service.organization };
});

const clusters = new Lookup<GetClustersArgs, GetClustersResult>("getClusters", async (service) => {
  const { organization } = service;
  const found = await service.ask(allClusters);
  return { clusters: found.map((each) => ({ ...read(each), organization })), organization };
});

/**
 * Looks up a cluster by id or name (the API document, section 4.1). Scope: `read_clusters`.
 *
 * `opts.provider` takes a `Provider` of this package; without it the stack's configuration counts, then the
 * environment.
 *
 * @throws LookupError if there is no such cluster, or several have the name; the message lists their ids.
 * @example
 * ```ts
 * const shared = await getCluster({ name: "Shared" });
 * new Queue("fast", { clusterId: shared.id, key: "fast" });
 * ```
 */
export function getCluster(args: GetClusterArgs, opts?: pulumi.InvokeOptions): Promise<GetClusterResult> {
  return cluster.now(args, opts);
}

/**
 * {@link getCluster} for arguments that are Outputs. The result is unknown at preview as long as they are, or
 * `opts.dependsOn` is not there yet.
 * @example
 * ```ts
 * const { defaultQueueId } = getClusterOutput({ id: linux.id }, { dependsOn: [linuxDefaultQueue] });
 * ```
 */
export function getClusterOutput(
  args: GetClusterOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetClusterResult> {
  return cluster.output(args, opts);
}

/**
 * Lists the clusters of the organization (the API document, section 4.1). Scope: `read_clusters`.
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { clusters } = await getClusters();
 * ```
 */
export function getClusters(
  args: GetClustersArgs = {},
  opts?: pulumi.InvokeOptions,
): Promise<GetClustersResult> {
  return clusters.now(args, opts);
}

/** {@link getClusters} as an Output, which can wait for `opts.dependsOn`. */
export function getClustersOutput(
  args: GetClustersOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetClustersResult> {
  return clusters.output(args, opts);
}
