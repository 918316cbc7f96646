import type { AgentToken, BuildPipelineClient, Cluster, Queue, Run } from "../../../client/index.js";
import type { Change, Managed } from "../../shared/plan/change.js";
import {
  type Reading,
  type ReadOptions,
  readAgents,
  readJobs,
  readPages,
} from "../../shared/workload/read.js";
import type { Gap, Live, LiveCluster, Needs } from "./live.js";
import { type LiveReferences, lostKeys, removedKeys } from "./queue-references.js";

export interface ImpactOptions extends ReadOptions {
  /** Requests sent so far. */
  readonly requests: () => number;
}

/**
 * Reads the data that some changes need, with few requests: open builds, agents and clusters once. It reads queues and
 * tokens of the changed clusters only. A list that can't be read is a gap, and the rest is read.
 */
export async function readLive(
  client: BuildPipelineClient,
  needs: readonly Needs[],
  options: ImpactOptions,
): Promise<Live> {
  const { now, requests, signal } = options;
  const before = requests();
  const gaps = new Map<string, Gap>();
  const note = (what: string, { unread }: Reading<unknown>) => {
    if (unread && !gaps.has(what)) gaps.set(what, { what, ...unread });
  };
  const noted = async <Item>(what: string, read: Promise<Reading<Item>>): Promise<Reading<Item>> => {
    note(what, await read);
    return read;
  };
  const queuesOf = new Set(needs.flatMap((need) => need.queuesOf ?? []));
  const tokensOf = new Set(needs.flatMap((need) => need.agentTokensOf ?? []));
  const readCluster = async ({ id, name, default_queue_id }: Cluster): Promise<LiveCluster> => {
    const [queues, tokens] = await Promise.all([
      queuesOf.has(id) ? noted("queues", readQueuesOf(client, id, options)) : undefined,
      tokensOf.has(id) ? noted("agent tokens", readTokensOf(client, id, options)) : undefined,
    ]);
    const defaultQueueId = default_queue_id ?? undefined;
    return { id, name, defaultQueueId, queues: completeOf(queues), agentTokens: completeOf(tokens) };
  };
  const readClusterTree = async () => {
    if (queuesOf.size + tokensOf.size === 0) return [];
    const { items } = await noted("clusters", readClusters(client, options));
    return Promise.all(items.map(readCluster));
  };
  const suites = needs.flatMap(({ runsOf }) => runsOf ?? []);
  const readRuns = () =>
    Promise.all(
      suites.map(async ({ id, slug }): Promise<[string, readonly Run[]][]> => {
        // Runs are listed newest first: those in progress are on the first page.
        const list = client.runs.list(slug, {}, { signal });
        const runs = await noted("runs", readPages(list, { operation: "runs.list", most: 1, now, signal }));
        return runs.extent === "missing" ? [] : [[id, runs.items]];
      }),
    );
  const nothing = { items: [], extent: "complete", at: now().toISOString() } as const;
  const [jobs, agents, clusters, runs] = await Promise.all([
    needs.some((need) => need.jobs) ? readJobs(client, options) : nothing,
    needs.some((need) => need.agents) ? readAgents(client, options) : nothing,
    readClusterTree(),
    readRuns(),
  ]);
  note("jobs", jobs);
  note("agents", agents);
  return {
    now: now(),
    jobs,
    agents,
    clusters: new Map(clusters.map((cluster) => [cluster.id, cluster])),
    runs: new Map(runs.flat()),
    gaps: [...gaps.values()],
    requests: requests() - before,
  };
}

function readClusters(client: BuildPipelineClient, { now, signal }: ReadOptions): Promise<Reading<Cluster>> {
  return readPages(client.clusters.list({ signal }), { operation: "clusters.list", now, signal });
}

function readQueuesOf(
  client: BuildPipelineClient,
  clusterId: string,
  { now, signal }: ReadOptions,
): Promise<Reading<Queue>> {
  return readPages(client.queues.list(clusterId, { signal }), { operation: "queues.list", now, signal });
}

function readTokensOf(
  client: BuildPipelineClient,
  clusterId: string,
  { now, signal }: ReadOptions,
): Promise<Reading<AgentToken>> {
  const list = client.agentTokens.list(clusterId, { signal });
  return readPages(list, { operation: "agentTokens.list", now, signal });
}

function completeOf<Item>(reading: Reading<Item> | undefined): readonly Item[] | undefined {
  return reading?.extent === "complete" ? reading.items : undefined;
}

/**
 * Reads templates only if a queue's key is removed, and queues only if a template names a key that the stack lacks.
 */
export async function readReferences(
  client: BuildPipelineClient,
  changes: readonly Change[],
  managed: readonly Managed[],
  options: ReadOptions,
): Promise<LiveReferences> {
  const templates = removedKeys(changes).size > 0 ? await readTemplates(client, options) : [];
  const isLost = lostKeys(changes, managed, { templates, queues: undefined }).length > 0;
  return { templates, queues: isLost ? await readQueues(client, options) : undefined };
}

/** Returns the keys of all queues of the organization; undefined if a list can't be read. */
async function readQueues(
  client: BuildPipelineClient,
  options: ReadOptions,
): Promise<{ id: string; key: string }[] | undefined> {
  const clusters = await readClusters(client, options);
  const lists = await Promise.all(clusters.items.map(({ id }) => readQueuesOf(client, id, options)));
  if ([clusters, ...lists].some(({ extent }) => extent !== "complete")) return undefined;
  return lists.flatMap(({ items }) => items.map(({ id, key }) => ({ id, key })));
}

/** Returns the pipeline templates that the access token may list; none if it may not. */
async function readTemplates(client: BuildPipelineClient, { signal }: ReadOptions) {
  try {
    const all = await client.pipelineTemplates.list({ signal }).all();
    return all.map(({ uuid, name, configuration }) => ({ id: uuid, name, configuration }));
  } catch {
    // The report then reads those of the stack, and says nothing of others.
    return [];
  }
}
