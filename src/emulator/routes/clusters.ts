import { randomUUID } from "node:crypto";
import { z } from "zod";
import { clusterSchema, showCluster } from "../entities/cluster.js";
import { notFound, validationFailed } from "../http/errors.js";
import { listing, type Operation, operation } from "../http/operation.js";
import type { OrganizationData } from "../store/organization-data.js";
import type { ClusterRecord } from "../store/records.js";
import {
  changedText,
  clearableColor,
  clearableId,
  clearableText,
  requiredText,
} from "../validation/fields.js";
import { keptColor, keptEmoji } from "../validation/normalize.js";
import { defined } from "./defined.js";

const collection = "/v2/organizations/{org_slug}/clusters";
const single = `${collection}/{id}`;
const section = "4.1";

/** Section 4.1. */
export const clusterOperations: readonly Operation[] = [
  operation({
    id: "clusters.list",
    method: "GET",
    path: collection,
    section,
    scope: "read_clusters",
    summary: "List clusters",
    response: clusterSchema,
    list: "pages",
    run: ({ data, view }) => listing(data.clusters.list(), (cluster) => showCluster(view, cluster)),
  }),
  operation({
    id: "clusters.get",
    method: "GET",
    path: single,
    section,
    scope: "read_clusters",
    summary: "Get a cluster",
    response: clusterSchema,
    run: ({ data, view, params }) => showCluster(view, findCluster(data, params.id)),
  }),
  operation({
    id: "clusters.create",
    method: "POST",
    path: collection,
    section,
    scope: "write_clusters",
    summary: "Create a cluster",
    body: z.object({
      name: requiredText(),
      description: clearableText(),
      emoji: clearableText(),
      color: clearableColor(),
    }),
    status: 201,
    response: clusterSchema,
    errors: [{ status: 422, when: "validation fails" }],
    run: ({ data, view, body, token, variations, now }) => {
      const cluster = data.clusters.insert({
        id: randomUUID(),
        name: body.name,
        description: body.description ?? null,
        emoji: keptEmoji(body.emoji, variations) ?? null,
        color: keptColor(body.color, variations) ?? null,
        default_queue_id: null,
        created_at: now,
        created_by: token.user_id,
      });
      return showCluster(view, cluster);
    },
  }),
  operation({
    id: "clusters.update",
    method: "PUT",
    alsoMethods: ["PATCH"],
    path: single,
    section,
    scope: "write_clusters",
    summary: "Update a cluster",
    body: z.object({
      name: changedText(),
      description: clearableText(),
      emoji: clearableText(),
      color: clearableColor(),
      default_queue_id: clearableId(),
    }),
    response: clusterSchema,
    errors: [{ status: 422, when: "validation fails" }],
    run: ({ data, view, params, body, variations }) => {
      const { id } = findCluster(data, params.id);
      if (body.default_queue_id === null && variations.clearDefaultQueue === "refused") {
        throw validationFailed("Default queue can't be blank");
      }
      if (body.default_queue_id != null && data.queues.get(body.default_queue_id)?.cluster_id !== id) {
        throw validationFailed("Default queue must be a queue of this cluster");
      }
      const fields = defined({
        ...body,
        emoji: keptEmoji(body.emoji, variations),
        color: keptColor(body.color, variations),
      });
      return showCluster(view, data.clusters.update(id, fields));
    },
  }),
  operation({
    id: "clusters.delete",
    method: "DELETE",
    path: single,
    section,
    scope: "write_clusters",
    summary: "Delete a cluster together with its queues and tokens",
    status: 204,
    errors: [{ status: 422, when: "it cannot be deleted" }],
    run: ({ data, params }) => {
      data.clusters.delete(findCluster(data, params.id).id);
    },
  }),
];

/** The cluster a path names. @throws {Refusal} 404. */
export function findCluster(data: OrganizationData, id: string): ClusterRecord {
  const cluster = data.clusters.get(id.toLowerCase());
  if (cluster === undefined) throw notFound("cluster");
  return cluster;
}
