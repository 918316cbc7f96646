import { z } from "zod";
import { findCluster, type InCluster, inCluster } from "./clusters.js";
import {
  changedHostedQueue,
  type HostedQueue,
  hostedAgentsBody,
  hostedAgentsSchema,
  newHostedQueue,
  showHostedAgents,
} from "./hosted-agents.js";
import { type Call, deletion, listing, operation, reading, section } from "./http/operation.js";
import { choice, clearableText, text, unlessGiven } from "./model/body.js";
import * as model from "./model/entity.js";
import { Refusal, validationFailed } from "./model/refusals.js";

const mostQueues = 50;

const affinities = ["prefer-warmest", "prefer-different"] as const;

interface Added extends HostedQueue {
  /** Default `prefer-warmest`. */
  readonly retry_agent_affinity?: (typeof affinities)[number];
}

const path = ({ id, cluster_id }: InCluster) => `/clusters/${cluster_id}/queues/${id}`;

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("ClusterQueue"),
  key: z.string(),
  description: model.optionalText,
  url: model.apiUrl(path),
  web_url: model.webUrl(path),
  cluster_url: model.apiUrl(({ cluster_id }: InCluster) => `/clusters/${cluster_id}`),
  dispatch_paused: z.boolean(),
  dispatch_paused_by: model.userOrNull,
  dispatch_paused_at: model.timestamp.nullable(),
  dispatch_paused_note: z.string().nullable(),
  created_at: model.timestamp,
  created_by: model.user,
  retry_agent_affinity: model.derived(z.enum(affinities).optional(), (queue: Added, { variations }) =>
    variations.newerApi && queue.hosted_shape == null
      ? (queue.retry_agent_affinity ?? affinities[0])
      : undefined,
  ),
  hosted: model.derived(z.literal(true).optional(), (queue: Added, { variations }) =>
    variations.newerApi && queue.hosted_shape != null ? true : undefined,
  ),
  hosted_agents: model.derived(hostedAgentsSchema, (queue: Added, { variations }) =>
    variations.newerApi ? showHostedAgents(queue) : undefined,
  ),
};

export interface QueueRecord extends model.RecordOf<typeof fields>, Added {
  readonly cluster_id: string;
}

const queue = model.entity<QueueRecord>("Queue", fields);

const clearable = { description: clearableText };
const added = {
  retry_agent_affinity: choice(affinities).optional(),
  hostedAgents: hostedAgentsBody.optional(),
};

const dispatching = {
  dispatch_paused: false,
  dispatch_paused_by: null,
  dispatch_paused_at: null,
  dispatch_paused_note: null,
};

const collection = "/v2/organizations/{org_slug}/clusters/{cluster_id}/queues";
const single = `${collection}/{queue_id}`;
const inUse = "the queue is its cluster's default, or has connected agents";
const pausing = "Pause dispatching of jobs to the queue's agents";
const resuming = "Resume dispatching of jobs to the queue's agents";

export const queues = section("queues", "clusters", {
  list: listing(collection, "List the queues of a cluster", queue, (call) =>
    call.data.queues.list("cluster_id", findCluster(call, call.params.cluster_id).id),
  ),
  get: reading(single, "Get a queue", queue, findQueue),
  create: operation("POST", collection, "Create a queue", {
    body: z.object({
      key: text.regex(/^[A-Za-z0-9_-]*$/, {
        error: "can only contain letters, numbers, hyphens and underscores",
      }),
      ...unlessGiven(clearable),
      ...added,
    }),
    added: Object.keys(added),
    response: queue,
    errors: { 422: "validation fails, among it a key that is taken" },
    run: (call) => {
      const { body, data, params, made } = call;
      const cluster = findCluster(call, params.cluster_id);
      const others = data.queues.list("cluster_id", cluster.id);
      if (others.some(({ key }) => key === body.key)) throw validationFailed("Key has already been taken");
      if (others.length >= mostQueues) {
        throw validationFailed(`Cluster can have at most ${mostQueues} queues`);
      }
      const { hostedAgents, retry_agent_affinity, ...given } = body;
      return data.queues.insert({
        ...made,
        cluster_id: cluster.id,
        ...given,
        ...dispatching,
        ...(retry_agent_affinity && { retry_agent_affinity }),
        ...newHostedQueue(hostedAgents),
      });
    },
  }),
  update: operation("PUT", single, "Update a queue", {
    body: z.object({ ...clearable, ...added }).partial(),
    added: Object.keys(added),
    response: queue,
    run: (call) => {
      const { hostedAgents, ...given } = call.body;
      const old = findQueue(call);
      return call.data.queues.update(old.id, { ...given, ...changedHostedQueue(old, hostedAgents) });
    },
  }),
  delete: deletion(single, "Delete a queue", inUse, (call) => {
    const { data, variations } = call;
    const { id, cluster_id } = findQueue(call);
    const isDefault = data.clusters.get(cluster_id)?.default_queue_id === id;
    if (isDefault && variations.deleteDefaultQueue === "refused") {
      throw new Refusal(422, "The default queue of a cluster can't be deleted");
    }
    const agents = data.agents.list("cluster_queue_id", id);
    const hasAgents = agents.some(({ connection_state }) => connection_state === "connected");
    if (hasAgents && variations.deleteQueueWithAgents === "refused") {
      throw new Refusal(422, "Queue has connected agents and can't be deleted");
    }
    return data.queues.delete(id);
  }),
  pauseDispatch: operation("POST", `${single}/pause_dispatch`, pausing, {
    body: z.object({ note: clearableText, dispatch_paused_note: clearableText }).partial(),
    response: queue,
    errors: { 422: "the queue is paused already" },
    run: (call) => {
      const { body, data, token, variations, now } = call;
      const { id, dispatch_paused } = findQueue(call);
      if (dispatch_paused) throw new Refusal(422, "Cluster queue is already paused");
      const notes = { ...body, both: body.dispatch_paused_note ?? body.note };
      return data.queues.update(id, {
        dispatch_paused: true,
        dispatch_paused_by: token.user_id,
        dispatch_paused_at: now,
        dispatch_paused_note: notes[variations.pauseNoteField] ?? null,
      });
    },
  }),
  resumeDispatch: operation("POST", `${single}/resume_dispatch`, resuming, {
    response: queue,
    errors: { 422: "the queue is not paused" },
    run: (call) => {
      const { id, dispatch_paused } = findQueue(call);
      if (!dispatch_paused) throw new Refusal(422, "Cluster queue is not paused");
      return call.data.queues.update(id, dispatching);
    },
  }),
});

function findQueue(call: Call<"cluster_id" | "queue_id">): QueueRecord {
  return inCluster(call, call.data.queues.get(call.params.queue_id.toLowerCase()), "queue");
}
