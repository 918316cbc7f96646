import { disappears } from "../../cli/drawing/actions.js";
import { listOrganization } from "../../cli/inventory/listing.js";
import type { LiveObject } from "../../cli/inventory/live-object.js";
import type { Preview } from "../../cli/pulumi/preview.js";
import type { StackState, StateResource } from "../../cli/pulumi/stack-export.js";
import { agentsOf, type NamedQueue } from "../../cli/workload/figures.js";
import { queuesAmong, readAgents } from "../../cli/workload/read.js";
import type { BuildPipelineClient, Queue as LiveQueue } from "../../client/index.js";
import { kindNamed, queueKind } from "../../provider/for-commands/kinds.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { counted } from "../../shared/messages/nouns.js";
import type { PlannedChange } from "../plan/change.js";
import { planOf } from "../plan/plan.js";

export interface FoundQueue {
  readonly queue: LiveQueue;
  readonly cluster: LiveObject;
  /** The argument of the command that finds this queue and no other one. */
  readonly name: string;
}

export function placeOf({ cluster, queue }: Pick<FoundQueue, "cluster" | "queue">): string {
  return visible(`${cluster.label}/${queue.key}`);
}

export function namedQueue({ queue: { id, key }, cluster }: FoundQueue): NamedQueue {
  return { id, key, clusterId: cluster.id, isDefault: cluster.observed.defaultQueueId === id };
}

/** Includes the queues of deleted clusters, and those that an earlier deployment left, which only the state shows. */
export function queuesThatDisappear(preview: Preview, state?: StackState): PlannedChange[] {
  return planOf(preview, state).deployed.filter(
    (change) => change.kind === queueKind() && disappears(change),
  );
}

const CLUSTERS = kindNamed(queueKind())?.parent?.kind ?? "";
const KINDS = new Set([CLUSTERS, queueKind()]);

/** Checks in the lists whether a queue exists, because a 404 may mean a missing permission. */
export async function isStillThere(
  client: BuildPipelineClient,
  { cluster, queue }: FoundQueue,
): Promise<boolean> {
  const within = ({ id }: LiveObject) => id === cluster.id;
  const { objects, unread } = await listOrganization(client, { kinds: KINDS, within });
  return unread.size > 0 || objects.some(({ id }) => id === queue.id);
}

/**
 * Finds queues by key, `cluster/key` or UUID, and reads each list once. A cluster has a name or a UUID.
 *
 * @param mayBeGone a deployment that failed midway may have deleted some of these
 */
export async function findQueues(
  client: BuildPipelineClient,
  names: readonly string[],
  mayBeGone: readonly string[],
): Promise<{ readonly found: readonly FoundQueue[]; readonly gone: readonly string[] }> {
  const wanted = [...new Set([...names, ...mayBeGone])].map((name) => {
    const slash = name.lastIndexOf("/");
    const place = slash < 0 ? undefined : name.slice(0, slash);
    const isIn = (cluster: LiveObject) => place === undefined || isCalled(cluster, place);
    return { name, place, key: name.slice(slash + 1), isIn };
  });
  const within = (cluster: LiveObject) => wanted.some(({ isIn }) => isIn(cluster));
  const listing = await listOrganization(client, { kinds: KINDS, within });
  for (const { error } of listing.unread.values()) throw error;
  const clusters = listing.objects.filter(({ kind }) => kind.name === CLUSTERS);
  const queues = queuesAmong(listing.objects).flatMap(({ entity: queue, parent: cluster }) =>
    cluster === undefined ? [] : [{ queue, cluster, name: nameOf(queue, cluster, clusters) }],
  );
  const found: FoundQueue[] = [];
  const gone: string[] = [];
  for (const { name, place, key, isIn } of wanted) {
    if (!clusters.some(isIn) && place !== undefined) throw new Error(`No cluster is called ${place}.`);
    const fitting = queues.filter(
      ({ queue, cluster }) =>
        isIn(cluster) && (UUID.test(key) ? queue.id === key.toLowerCase() : queue.key === key),
    );
    if (fitting.length > 1) {
      const all = fitting.map((one) => `${placeOf(one)} (${one.queue.id})`);
      throw new Error(`${all.length} queues are called ${name}: ${all.join(", ")}. Name one of these.`);
    }
    found.push(...fitting);
    if (fitting.length > 0) continue;
    if (names.includes(name))
      throw new Error(
        `No queue is called ${name}. Name it by its key, as <cluster name>/<key>, or by its UUID; \`buildpipeline graph\` shows all.`,
      );
    gone.push(name);
  }
  return { found, gone };
}

/** Returns the argument that finds a queue: its place if that can't be another's, an option, or several lines. */
function nameOf({ key, id }: LiveQueue, cluster: LiveObject, clusters: readonly LiveObject[]): string {
  const place = `${cluster.label}/${key}`;
  const isOwn = clusters.filter((other) => isCalled(other, cluster.label)).length === 1;
  return isOwn && !place.startsWith("-") && visible(place) === place && !UUID.test(key) ? place : id;
}

const isCalled = ({ label, id }: LiveObject, text: string) => label === text || id === text.toLowerCase();
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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

/**
 * The API refuses to delete a queue under its agents, and doesn't show an agent's cluster. A doubt is `known` if such
 * agents are connected; otherwise it is unknown whether any are.
 */
export async function deletionDoubts(
  client: BuildPipelineClient,
  queues: readonly (FoundQueue & { readonly deleted: boolean })[],
  now: () => Date,
): Promise<readonly { readonly message: string; readonly known: boolean }[]> {
  const { items, extent, unread } = await readAgents(client, { now });
  const doubts = queues.flatMap((one) => {
    const agents = one.deleted ? [] : agentsOf(namedQueue(one), items);
    if (agents.length === 0) return [];
    const tagged = agents.some(({ queueKey }) => queueKey !== undefined);
    const message =
      `Deleting ${placeOf(one)} may be refused: ${counted(agents.length, "connected agent")} ` +
      `${agents.length === 1 ? "has" : "have"} ${tagged ? `the tag \`queue=${one.queue.key}\`` : "no tag `queue`"}, ` +
      "and the API doesn't say in which cluster. Stop the agents of this queue before the deployment.";
    return { message, known: true };
  });
  if (extent === "complete") return doubts;
  const message = `Agents that prevent a deletion may be connected: ${unread?.reason ?? "not all were read"}.`;
  return [...doubts, { message, known: false }];
}
