import type * as api from "../../client/index.js";
import { Cluster } from "../../provider/resources/cluster.js";
import { Queue } from "../../provider/resources/queue.js";
import { listOrganization, ofKind } from "../shared/inventory/listing.js";
import type { StateResource } from "../shared/pulumi/stack-export.js";
import { type FoundQueue, placeOf } from "./queue-name.js";

/** Reads the queues in some clusters, and all clusters. */
async function readQueues(client: api.BuildPipelineClient, within: (cluster: Named) => boolean) {
  const kinds = new Set([Cluster.kind.name, Queue.kind.name]);
  const listing = await listOrganization(client, {
    kinds,
    within: ({ id, label: name }) => within({ id, name }),
  });
  const clusters = ofKind(listing, Cluster.kind).map(({ entity }) => entity);
  const clusterOf = new Map(clusters.map((cluster) => [cluster.id, cluster]));
  const queues = ofKind(listing, Queue.kind).flatMap(({ entity: queue, parent }) => {
    const cluster = clusterOf.get(parent?.id ?? "");
    return cluster === undefined ? [] : [{ queue, cluster }];
  });
  return { clusters, queues, unread: listing.unread };
}

/** Checks in the lists whether a queue exists, because a 404 may mean a missing permission. */
export async function isStillThere(
  client: api.BuildPipelineClient,
  { cluster, queue: { id } }: FoundQueue,
): Promise<boolean> {
  const { queues, unread } = await readQueues(client, (one) => one.id === cluster.id);
  return unread.size > 0 || queues.some(({ queue }) => queue.id === id);
}

/**
 * Finds queues by their keys, by `cluster/key`, or by their UUIDs, and reads each list once. A cluster has a name or a
 * UUID.
 *
 * @param mayBeGone a deployment that failed midway may have deleted some of these
 * @throws for a name of no queue, or of several, or if a list can't be read
 */
export async function findQueues(
  client: api.BuildPipelineClient,
  names: readonly string[],
  mayBeGone: readonly string[],
): Promise<{ readonly found: readonly FoundQueue[]; readonly gone: readonly string[] }> {
  const wanted = [...new Set([...names, ...mayBeGone])].map((name) => {
    const slash = name.lastIndexOf("/");
    return { name, place: slash < 0 ? undefined : name.slice(0, slash), key: name.slice(slash + 1) };
  });
  const { clusters, queues, unread } = await readQueues(client, (cluster) =>
    wanted.some(({ place }) => place === undefined || isCalled(cluster, place)),
  );
  for (const { error } of unread.values()) throw error;
  const found: FoundQueue[] = [];
  const gone: string[] = [];
  for (const { name, place, key } of wanted) {
    if (place !== undefined && !clusters.some((cluster) => isCalled(cluster, place)))
      throw new Error(`No cluster is called ${place}.`);
    const [first, ...others] = queues.filter(
      ({ queue, cluster }) =>
        (place === undefined || isCalled(cluster, place)) &&
        (UUID.test(key) ? queue.id === key.toLowerCase() : queue.key === key),
    );
    if (first !== undefined && others.length > 0) {
      const all = [first, ...others].map((one) => `${placeOf(one)} (${one.queue.id})`);
      throw new Error(`${all.length} queues are called ${name}: ${all.join(", ")}. Name one of these.`);
    }
    if (first !== undefined) found.push({ ...first, name: nameOf(first, clusters) });
    else if (!names.includes(name)) gone.push(name);
    else
      throw new Error(
        `No queue is called ${name}. Name it by its key, as <cluster name>/<key>, or by its UUID; \`buildpipeline graph\` shows all.`,
      );
  }
  return { found, gone };
}

type Named = Pick<api.Cluster, "name" | "id">;

/** Returns the argument that finds a queue: its place if that can't be another's, an option, or several lines. */
function nameOf(
  { queue, cluster }: Pick<FoundQueue, "queue" | "cluster">,
  clusters: readonly Named[],
): string {
  const place = `${cluster.name}/${queue.key}`;
  const isOwn = clusters.filter((other) => isCalled(other, cluster.name)).length === 1;
  return isOwn && !/^-|[\p{C}\p{Zl}\p{Zp}]/u.test(place) && !UUID.test(queue.key) ? place : queue.id;
}

const isCalled = ({ name, id }: Named, text: string) => name === text || id === text.toLowerCase();
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Checks that no stack manages pausing of the queues: a pause behind its back would be drift.
 *
 * @throws for the first queue with managed pausing
 */
export function requireUnmanaged(found: readonly FoundQueue[], resources: readonly StateResource[]): void {
  for (const { queue } of found) {
    const managed = resources.find(
      ({ id, pendingDeletion, inputs }) =>
        id === queue.id && !pendingDeletion && inputs.dispatchPaused !== undefined,
    );
    if (managed === undefined) continue;
    const value = String(managed.inputs.dispatchPaused);
    throw new Error(
      `${queue.key}: The stack manages pausing of this queue (${managed.urn} has dispatchPaused: ${value}), so a pause ` +
        "by `drain` would be drift, and the next `pulumi up` would undo it. Nothing was sent. Leave dispatchPaused out of " +
        "the program and deploy that first, or set it to true and deploy that instead of draining.",
    );
  }
}
