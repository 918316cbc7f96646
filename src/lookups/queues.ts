import type * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import type { EmbeddedUser } from "../resources/embedded-user.js";
import { type InputsOf, oneWay, text } from "./asking/arguments.js";
import { oneOf } from "./asking/one-of.js";
import { request } from "./asking/request.js";
import { entity, same, user } from "./entity-fields.js";
import { Lookup } from "./lookup.js";

/** Which queue: its cluster, and one of the other two. */
export interface GetQueueArgs {
  /** UUID of the cluster the queue is in. `getQueueOutput` takes a `Cluster` too. */
  clusterId: string;
  /** UUID. */
  id?: string | undefined;
  /** Key by which agents and steps name the queue. */
  key?: string | undefined;
}

/** {@link GetQueueArgs}, where each may be an Output, and `clusterId` a `Cluster`. */
export interface GetQueueOutputArgs extends InputsOf<GetQueueArgs> {}

/** A queue, as the service has it (the API document, section 2.3). */
export interface GetQueueResult {
  /** UUID. */
  readonly id: string;
  /** Key by which agents and steps name the queue. */
  readonly key: string;
  /** UUID of the cluster the queue is in. */
  readonly clusterId: string;
  /** Slug of the organization the queue is in. */
  readonly organization: string;
  /** Whether dispatching of jobs to the queue's agents is paused. */
  readonly dispatchPaused: boolean;
  /** Who paused it; undefined when it is not paused. */
  readonly dispatchPausedBy?: EmbeddedUser;
  /** When it was paused, ISO 8601 in UTC; undefined when it is not. */
  readonly dispatchPausedAt?: string;
  /** Why it is paused, where the service tells. */
  readonly dispatchPausedNote?: string;
  /** What the queue is for. */
  readonly description?: string;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** Canonical API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** API URL of the cluster. */
  readonly clusterUrl?: string;
  /** When it was created, ISO 8601 in UTC. */
  readonly createdAt?: string;
  /** Who created it. */
  readonly createdBy?: EmbeddedUser;
}

/** Whose queues. */
export interface GetQueuesArgs {
  /** UUID of the cluster. `getQueuesOutput` takes a `Cluster` too. */
  clusterId: string;
}

/** {@link GetQueuesArgs}, where `clusterId` may be an Output or a `Cluster`. */
export interface GetQueuesOutputArgs extends InputsOf<GetQueuesArgs> {}

/** The queues of a cluster. */
export interface GetQueuesResult {
  readonly queues: GetQueueResult[];
  /** UUID of the cluster. */
  readonly clusterId: string;
  /** Slug of the organization. */
  readonly organization: string;
}

const read = entity<wire.Queue, GetQueueResult>({
  id: same,
  graphql_id: same,
  key: same,
  description: same,
  url: same,
  web_url: same,
  cluster_url: same,
  dispatch_paused: same,
  dispatch_paused_by: user,
  dispatch_paused_at: same,
  dispatch_paused_note: same,
  created_at: same,
  created_by: user,
});

const queueById = request("queues.get", (client, cluster: string, id: string) =>
  client.queues.get(cluster, id),
);
const queuesOf = request("queues.list", (client, cluster: string) => client.queues.list(cluster).all());

const queue = new Lookup<GetQueueArgs, GetQueueResult>("getQueue", async (service, args) => {
  const clusterId = text("clusterId", args.clusterId);
  const { way, value } = oneWay(args, ["id", "key"]);
  const found =
    way === "id"
      ? await service.ask(queueById, clusterId, value)
      : oneOf(await service.ask(queuesOf, clusterId), {
          nouns: "queues of the cluster",
          way,
          matches: ({ key }) => key === value,
          idOf: ({ id }) => id,
          all: "getQueues({ clusterId })",
        });
  return { ...read(found), clusterId, organization: service.organization };
});

const queues = new Lookup<GetQueuesArgs, GetQueuesResult>("getQueues", async (service, args) => {
  const { organization } = service;
  const clusterId = text("clusterId", args.clusterId);
  const found = await service.ask(queuesOf, clusterId);
  return {
    queues: found.map((each) => ({ ...read(each), clusterId, organization })),
    clusterId,
    organization,
  };
});

/**
 * Looks up a queue of a cluster by id or key (the API document, section 4.2). Scope: `read_clusters`.
 *
 * @throws LookupError if there is none, or several; the message lists their ids.
 * @example
 * ```ts
 * const { id } = await getCluster({ name: "Linux" });
 * const { dispatchPaused } = await getQueue({ clusterId: id, key: "deploy" });
 * ```
 */
export function getQueue(args: GetQueueArgs, opts?: pulumi.InvokeOptions): Promise<GetQueueResult> {
  return queue.now(args, opts);
}

/**
 * {@link getQueue} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 * @example
 * ```ts
 * const { dispatchPausedBy } = getQueueOutput({ clusterId: linux, key: "deploy" });
 * ```
 */
export function getQueueOutput(
  args: GetQueueOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetQueueResult> {
  return queue.output(args, opts);
}

/**
 * Lists the queues of a cluster (the API document, section 4.2). Scope: `read_clusters`.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { queues } = await getQueues({ clusterId });
 * const paused = queues.filter(({ dispatchPaused }) => dispatchPaused);
 * ```
 */
export function getQueues(args: GetQueuesArgs, opts?: pulumi.InvokeOptions): Promise<GetQueuesResult> {
  return queues.now(args, opts);
}

/**
 * {@link getQueues} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 * @example
 * ```ts
 * const keys = getQueuesOutput({ clusterId: linux }).queues.apply((queues) => queues.map(({ key }) => key));
 * ```
 */
export function getQueuesOutput(
  args: GetQueuesOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetQueuesResult> {
  return queues.output(args, opts);
}
