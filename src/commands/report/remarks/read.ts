import type { BuildPipelineClient } from "../../../client/index.js";
import { AgentToken } from "../../../provider/resources/agent-token.js";
import { Cluster } from "../../../provider/resources/cluster.js";
import { PipelineTemplate } from "../../../provider/resources/pipeline-template.js";
import { Queue } from "../../../provider/resources/queue.js";
import { listOrganization, ofKind } from "../../shared/inventory/listing.js";
import { readList, type Unread } from "../../shared/inventory/reading.js";
import { type ReadOptions, readAgents, readJobs, type TimedReading } from "../../shared/workload/read.js";
import type { Live, Needs } from "./live.js";

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
  const nothing: TimedReading<never> = { items: [], extent: "complete", at: now().toISOString() };
  const suites = needs.flatMap(({ runsOf }) => runsOf ?? []);
  const [jobs, agents, { clusters, unread }, runs] = await Promise.all([
    needs.some((need) => need.jobs) ? readJobs(client, options) : nothing,
    needs.some((need) => need.agents) ? readAgents(client, options) : nothing,
    readClusters(client, needs, signal),
    Promise.all(
      suites.map(async ({ id, slug }) => {
        const list = client.runs.list(slug, {}, { signal });
        // Runs are listed newest first: those in progress are on the first page.
        const bounds = { noun: "run", scope: "read_suites", most: 1, signal } as const;
        return { id, ...(await readList(list, { ...bounds, idOf: (run) => run.id })) };
      }),
    ),
  ]);
  const lists: readonly (readonly [string, Unread | undefined])[] = [
    ...[...unread.values()].map((one) => [`${one.of.words.noun}s`, one] as const),
    ...runs.map((one) => ["runs", one.unread] as const),
    ["jobs", jobs.unread],
    ["agents", agents.unread],
  ];
  const gaps = lists.flatMap(([what, why]) => (why === undefined ? [] : [{ ...why, what }]));
  return {
    now: now(),
    jobs,
    agents,
    clusters: new Map(clusters.map((cluster) => [cluster.id, cluster])),
    runs: new Map(runs.flatMap(({ id, items, extent }) => (extent === "missing" ? [] : [[id, items]]))),
    gaps: [...Map.groupBy(gaps, ({ what }) => what).values()].flatMap((same) => same.slice(0, 1)),
    requests: requests() - before,
  };
}

/** Reads clusters, and the queues and tokens in those where changes need them. */
async function readClusters(
  client: BuildPipelineClient,
  needs: readonly Needs[],
  signal: AbortSignal | undefined,
) {
  const everywhere = needs.some(({ allQueues }) => allQueues);
  const queuesOf = new Set(needs.flatMap((need) => need.queuesOf ?? []));
  const tokensOf = new Set(needs.flatMap((need) => need.agentTokensOf ?? []));
  if (!everywhere && queuesOf.size + tokensOf.size === 0) return { clusters: [], unread: new Map() };
  const within = ({ id }: { readonly id: string }, { name }: { readonly name: string }) =>
    name === Queue.kind.name ? everywhere || queuesOf.has(id) : tokensOf.has(id);
  const names = [Cluster, Queue, AgentToken].map(({ kind }) => kind.name);
  const listing = await listOrganization(client, { kinds: new Set(names), within, signal });
  const { unread } = listing;
  const [queues, tokens] = [ofKind(listing, Queue.kind), ofKind(listing, AgentToken.kind)];
  const clusters = ofKind(listing, Cluster.kind).map((cluster) => {
    const isRead = ({ kind }: { readonly kind: { readonly name: string } }) =>
      within(cluster, kind) && !unread.has(kind.name);
    const inside = <Entity>(all: readonly { readonly entity: Entity; readonly parent: unknown }[]) =>
      all.flatMap(({ entity, parent }) => (parent === cluster ? [entity] : []));
    return {
      id: cluster.id,
      name: cluster.label,
      defaultQueueId: cluster.entity.default_queue_id ?? undefined,
      queues: isRead(Queue) ? inside(queues) : undefined,
      agentTokens: isRead(AgentToken) ? inside(tokens) : undefined,
    };
  });
  return { clusters, unread };
}

/** Returns the pipeline templates that the access token may list; none if it may not. */
export async function readTemplates(client: BuildPipelineClient, { signal }: ReadOptions) {
  // The report then reads those of the stack, and says nothing of others.
  const { objects } = await listOrganization(client, {
    kinds: new Set([PipelineTemplate.kind.name]),
    signal,
  });
  return objects.map(({ id, label, observed }) => ({
    id,
    name: label,
    configuration: observed.configuration,
  }));
}
