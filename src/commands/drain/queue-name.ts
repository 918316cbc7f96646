import type { BuildPipelineClient, Cluster, Queue } from "../../client/index.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { shellWord } from "../../shared/messages/quoted.js";
import type { StateResource } from "../shared/pulumi/stack-export.js";

import type { NamedQueue } from "../shared/workload/figures.js";

/** A queue and the cluster that it is in. */
export interface FoundQueue {
  readonly queue: Queue;
  readonly cluster: Cluster;
  /** The argument of the command that finds this queue and no other one. */
  readonly name: string;
}

/** What became of a queue that was to be resumed. `left`: it has another pause than the one that is meant. */
export interface ResumedQueue extends FoundQueue {
  readonly became: "resumed" | "not paused" | "deleted" | "left" | "failed";
  /** Who paused a queue that is left, or why the request failed. */
  readonly reason?: string;
}

/** Returns a queue by the names of people, on one line. */
export function placeOf({ cluster, queue }: Pick<FoundQueue, "cluster" | "queue">): string {
  return visible(`${cluster.name}/${queue.key}`);
}

/** Returns a queue as jobs and agents name it. */
export function namedQueue({ queue, cluster }: FoundQueue): NamedQueue {
  const isDefault = cluster.default_queue_id === queue.id;
  return { id: queue.id, key: queue.key, clusterId: cluster.id, isDefault };
}

/**
 * Returns the sentence with the command that resumes queues.
 *
 * @param record the file that has their pauses
 */
export function howToResume(queues: readonly FoundQueue[], record: string | undefined): string {
  const which =
    record === undefined
      ? queues.map(({ name }) => shellWord(name)).join(" ")
      : `--record ${shellWord(record)}`;
  return `To let jobs start again: \`buildpipeline drain ${which} --resume\``;
}

/** Names queues that could not be resumed, with the command that resumes them. Undefined if there are none. */
export function stillPausedInWords(
  resumed: readonly ResumedQueue[],
  record: string | undefined,
): string | undefined {
  const failed = resumed.filter(({ became }) => became === "failed");
  if (failed.length === 0) return undefined;
  const reasons = failed.map((one) => `${placeOf(one)} (${one.reason?.replace(/[.\s]*$/, "")})`);
  return `These queues could not be resumed and may stay paused: ${reasons.join("; ")}. ${howToResume(failed, record)}`;
}

/**
 * Finds queues by their names, and reads each list once.
 *
 * @param mayBeGone a deployment that failed midway may have deleted some of these
 * @throws for a name of no queue, or of several
 */
export async function findQueues(
  client: BuildPipelineClient,
  names: readonly string[],
  mayBeGone: readonly string[],
): Promise<{ readonly found: readonly FoundQueue[]; readonly gone: readonly string[] }> {
  const clusters = await client.clusters.list().all();
  const lists = new Map<string, readonly FoundQueue[]>();
  const queuesOf = async (cluster: Cluster): Promise<readonly FoundQueue[]> => {
    const known = lists.get(cluster.id);
    if (known !== undefined) return known;
    const queues = await client.queues.list(cluster.id).all();
    const isOwn = clusters.filter((other) => isCalled(other, cluster.name)).length === 1;
    const list = queues.map((queue) => {
      const place = `${cluster.name}/${queue.key}`;
      return { queue, cluster, name: isOwn && isPlain(place) && !UUID.test(queue.key) ? place : queue.id };
    });
    lists.set(cluster.id, list);
    return list;
  };
  const found: FoundQueue[] = [];
  const gone: string[] = [];
  for (const name of new Set([...names, ...mayBeGone])) {
    const queue = await findQueue(name, clusters, queuesOf);
    if (queue !== undefined) found.push(queue);
    else if (!names.includes(name)) gone.push(name);
    else
      throw new Error(
        `No queue is called ${name}. Name it by its key, as <cluster name>/<key>, or by its UUID; \`buildpipeline graph\` shows all.`,
      );
  }
  return { found, gone };
}

const isCalled = ({ name, id }: Cluster, text: string) => name === text || id === text.toLowerCase();
/** What could be an option, or several lines, is no name in a command. */
const isPlain = (name: string) => !name.startsWith("-") && visible(name) === name;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Finds a queue by its key, by `cluster/key`, or by its UUID. A cluster has a name or a UUID.
 *
 * @throws if there is no such cluster, or several queues have the name
 */
async function findQueue(
  name: string,
  clusters: readonly Cluster[],
  queuesOf: (cluster: Cluster) => Promise<readonly FoundQueue[]>,
): Promise<FoundQueue | undefined> {
  const slash = name.lastIndexOf("/");
  const [place, key] = slash < 0 ? [undefined, name] : [name.slice(0, slash), name.slice(slash + 1)];
  const searched = place === undefined ? clusters : clusters.filter((cluster) => isCalled(cluster, place));
  if (place !== undefined && searched.length === 0) throw new Error(`No cluster is called ${place}.`);
  const found: FoundQueue[] = [];
  for (const cluster of searched) {
    const queues = await queuesOf(cluster);
    found.push(
      ...queues.filter(({ queue }) => (UUID.test(key) ? queue.id === key.toLowerCase() : queue.key === key)),
    );
  }
  if (found.length > 1) {
    const names = found.map((one) => `${placeOf(one)} (${one.queue.id})`);
    throw new Error(`${found.length} queues are called ${name}: ${names.join(", ")}. Name one of these.`);
  }
  return found[0];
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
