import { randomUUID } from "node:crypto";
import { z } from "zod";
import { queueSchema, showQueue } from "../entities/queue.js";
import { notFound, refused, validationFailed } from "../http/errors.js";
import { listing, type Operation, operation } from "../http/operation.js";
import type { OrganizationData } from "../store/organization-data.js";
import type { QueueRecord } from "../store/records.js";
import { clearableText, requiredText } from "../validation/fields.js";
import { findCluster } from "./clusters.js";
import { defined } from "./defined.js";

const collection = "/v2/organizations/{org_slug}/clusters/{cluster_id}/queues";
const single = `${collection}/{queue_id}`;
const section = "4.2";
const mostQueues = 50;

/** Section 4.2. */
export const queueOperations: readonly Operation[] = [
  operation({
    id: "queues.list",
    method: "GET",
    path: collection,
    section,
    scope: "read_clusters",
    summary: "List the queues of a cluster",
    response: queueSchema,
    list: "pages",
    run: ({ data, view, params }) =>
      listing(data.queues.list("cluster_id", findCluster(data, params.cluster_id).id), (queue) =>
        showQueue(view, queue),
      ),
  }),
  operation({
    id: "queues.get",
    method: "GET",
    path: single,
    section,
    scope: "read_clusters",
    summary: "Get a queue",
    response: queueSchema,
    run: ({ data, view, params }) => showQueue(view, findQueue(data, params)),
  }),
  operation({
    id: "queues.create",
    method: "POST",
    path: collection,
    section,
    scope: "write_clusters",
    summary: "Create a queue",
    body: z.object({
      key: requiredText().regex(/^[A-Za-z0-9_-]*$/, {
        error: "can only contain letters, numbers, hyphens and underscores",
      }),
      description: clearableText(),
    }),
    status: 201,
    response: queueSchema,
    errors: [{ status: 422, when: "validation fails, among it a key that is taken" }],
    run: ({ data, view, params, body, token, now }) => {
      const cluster = findCluster(data, params.cluster_id);
      if (data.queues.list("cluster_id", cluster.id).some((queue) => queue.key === body.key)) {
        throw validationFailed("Key has already been taken");
      }
      if (data.queues.count("cluster_id", cluster.id) >= mostQueues) {
        throw validationFailed(`Cluster can have at most ${mostQueues} queues`);
      }
      const queue = data.queues.insert({
        id: randomUUID(),
        cluster_id: cluster.id,
        key: body.key,
        description: body.description ?? null,
        dispatch_paused: false,
        dispatch_paused_by: null,
        dispatch_paused_at: null,
        dispatch_paused_note: null,
        created_at: now,
        created_by: token.user_id,
      });
      return showQueue(view, queue);
    },
  }),
  operation({
    id: "queues.update",
    method: "PUT",
    alsoMethods: ["PATCH"],
    path: single,
    section,
    scope: "write_clusters",
    summary: "Update a queue",
    body: z.object({ description: clearableText() }),
    response: queueSchema,
    errors: [{ status: 422, when: "validation fails" }],
    run: ({ data, view, params, body }) =>
      showQueue(view, data.queues.update(findQueue(data, params).id, defined(body))),
  }),
  operation({
    id: "queues.delete",
    method: "DELETE",
    path: single,
    section,
    scope: "write_clusters",
    summary: "Delete a queue",
    status: 204,
    errors: [{ status: 422, when: "the queue is its cluster's default, or has connected agents" }],
    run: ({ data, params, variations }) => {
      const queue = findQueue(data, params);
      const isDefault = data.clusters.get(queue.cluster_id)?.default_queue_id === queue.id;
      if (isDefault && variations.deleteDefaultQueue === "refused") {
        throw refused("The default queue of a cluster can't be deleted");
      }
      const hasAgents = data.agents
        .list()
        .some((agent) => agent.cluster_queue_id === queue.id && agent.connection_state === "connected");
      if (hasAgents && variations.deleteQueueWithAgents === "refused") {
        throw refused("Queue has connected agents and can't be deleted");
      }
      data.queues.delete(queue.id);
    },
  }),
  operation({
    id: "queues.pauseDispatch",
    method: "POST",
    path: `${single}/pause_dispatch`,
    section,
    scope: "write_clusters",
    summary: "Pause dispatching of jobs to the queue's agents",
    body: z.object({ note: clearableText(), dispatch_paused_note: clearableText() }),
    response: queueSchema,
    errors: [{ status: 422, when: "the queue is paused already" }],
    run: ({ data, view, params, body, token, variations, now }) => {
      const queue = findQueue(data, params);
      if (queue.dispatch_paused) throw refused("Cluster queue is already paused");
      const notes = {
        dispatch_paused_note: body.dispatch_paused_note,
        note: body.note,
        both: body.dispatch_paused_note ?? body.note,
      };
      const paused = data.queues.update(queue.id, {
        dispatch_paused: true,
        dispatch_paused_by: token.user_id,
        dispatch_paused_at: now,
        dispatch_paused_note: notes[variations.pauseNoteField] ?? null,
      });
      return showQueue(view, paused);
    },
  }),
  operation({
    id: "queues.resumeDispatch",
    method: "POST",
    path: `${single}/resume_dispatch`,
    section,
    scope: "write_clusters",
    summary: "Resume dispatching of jobs to the queue's agents",
    response: queueSchema,
    errors: [{ status: 422, when: "the queue is not paused" }],
    run: ({ data, view, params }) => {
      const queue = findQueue(data, params);
      if (!queue.dispatch_paused) throw refused("Cluster queue is not paused");
      const resumed = data.queues.update(queue.id, {
        dispatch_paused: false,
        dispatch_paused_by: null,
        dispatch_paused_at: null,
        dispatch_paused_note: null,
      });
      return showQueue(view, resumed);
    },
  }),
];

function findQueue(data: OrganizationData, params: { cluster_id: string; queue_id: string }): QueueRecord {
  const cluster = findCluster(data, params.cluster_id);
  const queue = data.queues.get(params.queue_id.toLowerCase());
  if (queue?.cluster_id !== cluster.id) throw notFound("queue");
  return queue;
}
