import type { BuildPipelineClient, Cluster, Queue } from "../client/index.js";
import type { StateResource } from "../inventory/stack-export.js";
import type { NamedQueue } from "../load/figures.js";

/** A queue and the cluster that it is in. */
export interface FoundQueue {
  readonly queue: Queue;
  readonly cluster: Cluster;
}

/** A queue that could not be resumed. */
export interface StillPaused extends FoundQueue {
  readonly reason: string;
}

/** Returns the name of a queue that is its own in the organization. */
export function placeOf({ cluster, queue }: FoundQueue): string {
  return `${cluster.name}/${queue.key}`;
}

/** Returns a queue as jobs and agents name it. */
export function namedQueue({ queue, cluster }: FoundQueue): NamedQueue {
  const isDefault = cluster.default_queue_id === queue.id;
  return { id: queue.id, key: queue.key, clusterId: cluster.id, isDefault };
}

/** Returns the name of a queue as an argument of the command. */
export function quotedName(one: FoundQueue): string {
  return `"${placeOf(one)}"`;
}

/** Names queues that stay paused, with the command that resumes them. */
export function stillPausedInWords(queues: readonly StillPaused[]): string {
  const reasons = queues.map((one) => `${quotedName(one)} (${one.reason.replace(/[.\s]*$/, "")})`);
  return (
    `These queues could not be resumed and may stay paused: ${reasons.join("; ")}. ` +
    `To let jobs start again: buildpipeline drain ${queues.map(quotedName).join(" ")} --resume`
  );
}

/** No queue has this name. */
class QueueNotFoundError extends Error {}

/**
 * Finds queues by their names.
 *
 * @param mayBeGone a deployment that failed midway may have deleted some of these
 * @throws for a name of no queue, or of several
 */
export async function findQueues(
  client: BuildPipelineClient,
  names: readonly string[],
  mayBeGone: readonly string[],
): Promise<{ readonly found: readonly FoundQueue[]; readonly gone: readonly string[] }> {
  const found: FoundQueue[] = [];
  const gone: string[] = [];
  for (const name of new Set([...names, ...mayBeGone])) {
    try {
      found.push(await findQueue(client, name));
    } catch (error) {
      if (!(error instanceof QueueNotFoundError) || names.includes(name)) throw error;
      gone.push(name);
    }
  }
  return { found, gone };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Finds a queue by its key, by `cluster/key`, or by its UUID. A cluster has a name or a UUID.
 *
 * @throws if there is none, or several
 */
async function findQueue(client: BuildPipelineClient, name: string): Promise<FoundQueue> {
  const slash = name.lastIndexOf("/");
  const [place, key] = slash < 0 ? [undefined, name] : [name.slice(0, slash), name.slice(slash + 1)];
  const clusters = await client.clusters.list().all();
  const searched =
    place === undefined
      ? clusters
      : clusters.filter((cluster) => cluster.name === place || cluster.id === place.toLowerCase());
  if (place !== undefined && searched.length === 0) throw new Error(`No cluster is called ${place}.`);
  const isWanted = (queue: Queue) => (UUID.test(key) ? queue.id === key.toLowerCase() : queue.key === key);
  const found: FoundQueue[] = [];
  for (const cluster of searched) {
    const queues = await client.queues.list(cluster.id).all();
    found.push(...queues.filter(isWanted).map((queue) => ({ queue, cluster })));
  }
  const [first, ...others] = found;
  if (first === undefined) {
    throw new QueueNotFoundError(
      `No queue is called ${name}. Name it by its key, as <cluster name>/<key>, or by its UUID; \`buildpipeline graph\` shows all.`,
    );
  }
  if (others.length > 0) {
    const names = found.map((one) => `${placeOf(one)} (${one.queue.id})`);
    throw new Error(`${found.length} queues are called ${name}: ${names.join(", ")}. Name one of these.`);
  }
  return first;
}

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
