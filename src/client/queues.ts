import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { count, entity, flag, identifier, text, userSchema } from "./api/entity.js";
import type { List } from "./api/list.js";
import { type BodyChange, nothing, operations } from "./api/operation.js";

const instanceShape = entity({
  decorative: {
    /** Name by which requests choose the shape: `LINUX_AMD64_4X16`. */
    name: text,
    /** Operating system, such as `linux`. It never changes after creation. */
    machine_type: text,
    /** Such as `amd64` or `arm64`. It never changes after creation. */
    architecture: text,
    /** Number of virtual processors. */
    cpu: count,
    /** Memory in GB. */
    memory: count,
  },
});

/** The machine of a hosted agent. */
export interface InstanceShape extends z.output<typeof instanceShape> {}

const instanceShapeSchema: z.ZodType<InstanceShape> = instanceShape;

const platformSettings = entity({
  decorative: {
    /** Settings of agents on Linux; absent for agents on macOS. */
    linux: entity({
      decorative: {
        /** Container image of the agents; null for the default image. */
        agent_image_ref: text,
      },
    }).nullable(),
  },
});

const hostedAgents = entity({
  decorative: {
    /** Machine of each agent. */
    instance_shape: instanceShapeSchema.nullable(),
    /** Settings that depend on the platform. */
    platform_settings: platformSettings.nullable(),
  },
});

/** The agents of a queue that Buildkite runs. */
export interface HostedAgents extends z.output<typeof hostedAgents> {}

const hostedAgentsSchema: z.ZodType<HostedAgents> = hostedAgents;

const queueSchema = entity({
  required: {
    /** UUID. */
    id: identifier,
    /** Name by which jobs and agents refer to the queue. The key never changes after creation. */
    key: identifier,
    /** True while dispatching jobs to the queue's agents is paused. */
    dispatch_paused: z.boolean(),
  },
  optional: {
    /** null or "" when unset. */
    description: text,
    /**
     * Reason for the pause; null if the queue is not paused. The API was observed to return null for paused queues
     * also.
     */
    dispatch_paused_note: text,
  },
  decorative: {
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** Canonical address in the REST API. */
    url: text,
    /** Address in the web interface. */
    web_url: text,
    /** Address of the owning cluster in the REST API. */
    cluster_url: text,
    /** User who paused the queue; null if it is not paused. */
    dispatch_paused_by: userSchema.nullable(),
    /** ISO 8601, UTC; null when not paused. */
    dispatch_paused_at: text,
    /** ISO 8601, UTC. */
    created_at: text,
    /** User who created it. */
    created_by: userSchema.nullable(),
    /** `prefer-warmest` or `prefer-different`: the agent that a retried job gets. Absent from hosted queues. */
    retry_agent_affinity: text,
    /** True if Buildkite runs the queue's agents. Absent from other queues. */
    hosted: flag,
    /** Agents that Buildkite runs; absent if the queue is not hosted. */
    hosted_agents: hostedAgentsSchema.nullable(),
  },
});

/** A group of agents within a cluster, which can be paused and resumed. */
export interface Queue extends z.output<typeof queueSchema> {}

/** The agents that Buildkite runs for a queue. Requests spell these fields in camelCase. */
export interface HostedAgentsCreate {
  /** Machine of each agent: `LINUX_AMD64_4X16`. Later, only its size can change. */
  instanceShape: string;
}

/** A change of the agents that Buildkite runs for a queue. */
export interface HostedAgentsUpdate extends HostedAgentsCreate {
  /** Container image of the agents, on Linux only. */
  agentImageRef?: string | undefined;
}

/** A new queue. */
export interface QueueCreate {
  /** Letters, digits, hyphens and underscores. The key is unique in its cluster and never changes after creation. */
  key: string;
  /** Purpose of the queue. */
  description?: string | null | undefined;
  /** The agent that a retried job gets, in a queue that is not hosted. Default: `prefer-warmest`. */
  retry_agent_affinity?: "prefer-warmest" | "prefer-different" | undefined;
  /** Makes a queue with agents that Buildkite runs. Default: your own agents. A queue never changes between the two. */
  hostedAgents?: HostedAgentsCreate | undefined;
}

/** Changes to a queue. Omitted fields keep their values; null clears the description. */
export interface QueueUpdate extends BodyChange<Omit<QueueCreate, "key" | "hostedAgents">> {
  /** Changes the size or the image of hosted agents. */
  hostedAgents?: HostedAgentsUpdate | undefined;
}

/** Options for pausing a queue. */
export interface QueuePause {
  /** Reason for the pause. Buildkite shows it on the queue's page and on waiting builds. */
  note?: string | null | undefined;
}

const path = "/v2/organizations/{org_slug}/clusters/{cluster_id}/queues";

/** @internal */
export const queueOperations = operations("queues", {
  list: ["GET", path, "read_clusters", queueSchema],
  get: ["GET", `${path}/{queue_id}`, "read_clusters", queueSchema],
  create: ["POST", path, "write_clusters", queueSchema],
  update: ["PUT", `${path}/{id}`, "write_clusters", queueSchema],
  delete: ["DELETE", `${path}/{id}`, "write_clusters", nothing],
  pauseDispatch: ["POST", `${path}/{id}/pause_dispatch`, "write_clusters", queueSchema],
  resumeDispatch: ["POST", `${path}/{id}/resume_dispatch`, "write_clusters", queueSchema, { jsonType: true }],
});

/** Queues: groups of agents within a cluster. */
export class Queues extends Section {
  /**
   * Lists the queues of a cluster. Scope: `read_clusters`.
   * @example const queues = await client.queues.list(cluster.id).all();
   */
  list(clusterId: string, options?: RequestOptions): List<Queue> {
    return this.api.list(queueOperations.list, [clusterId], options);
  }

  /**
   * Reads one queue. Scope: `read_clusters`.
   * @example const { dispatch_paused } = await client.queues.get(cluster.id, queue.id);
   */
  get(clusterId: string, queueId: string, options?: RequestOptions): Promise<Queue> {
    return this.api.call(queueOperations.get, [clusterId, queueId], options);
  }

  /**
   * Creates a queue. Scope: `write_clusters`.
   * @throws ValidationError if the key is taken or malformed, or the cluster is full.
   * @throws ConnectionError, TimeoutError, ServerError: the queue may have been created; see `mayHaveBeenCarriedOut`.
   * @example const queue = await client.queues.create(cluster.id, { key: "linux-large", description: "32 cores" });
   */
  create(clusterId: string, body: QueueCreate, options?: RequestOptions): Promise<Queue> {
    return this.api.call(queueOperations.create, [clusterId], options, body);
  }

  /**
   * Changes a queue. The key cannot be changed. Scope: `write_clusters`.
   * @example await client.queues.update(cluster.id, queue.id, { description: "64 cores" });
   */
  update(clusterId: string, queueId: string, body: QueueUpdate, options?: RequestOptions): Promise<Queue> {
    return this.api.call(queueOperations.update, [clusterId, queueId], options, body);
  }

  /**
   * Deletes a queue. Scope: `write_clusters`.
   * @throws NotFoundError if there is no such queue; if `attempts` is above 1, an earlier attempt may have deleted it.
   * @throws ValidationError with the reason if the API refuses the deletion, for example of a cluster's default queue.
   * @example await client.queues.delete(cluster.id, queue.id);
   */
  delete(clusterId: string, queueId: string, options?: RequestOptions): Promise<void> {
    return this.api.call(queueOperations.delete, [clusterId, queueId], options);
  }

  /**
   * Pauses a queue, so that its agents get no further jobs. The client sends the note under both of its documented
   * names. Scope: `write_clusters`.
   * @throws ValidationError `Cluster queue is already paused`.
   * @throws ConnectionError, TimeoutError, ServerError: the queue may have been paused; see `mayHaveBeenCarriedOut`.
   * @example await client.queues.pauseDispatch(cluster.id, queue.id, { note: "Disk replacement until 16:00" });
   */
  pauseDispatch(
    clusterId: string,
    queueId: string,
    pause: QueuePause = {},
    options?: RequestOptions,
  ): Promise<Queue> {
    const body = { note: pause.note, dispatch_paused_note: pause.note };
    return this.api.call(queueOperations.pauseDispatch, [clusterId, queueId], options, body);
  }

  /**
   * Resumes a paused queue. Scope: `write_clusters`.
   * @throws ValidationError `Cluster queue is not paused`.
   * @throws ConnectionError, TimeoutError, ServerError: the queue may have been resumed; see `mayHaveBeenCarriedOut`.
   * @example await client.queues.resumeDispatch(cluster.id, queue.id);
   */
  resumeDispatch(clusterId: string, queueId: string, options?: RequestOptions): Promise<Queue> {
    return this.api.call(queueOperations.resumeDispatch, [clusterId, queueId], options);
  }
}
