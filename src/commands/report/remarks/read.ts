import type { BuildPipelineClient } from "../../../client/index.js";
import type { AnyKind } from "../../../provider/kind/kind.js";
import { AgentToken } from "../../../provider/resources/agent-token.js";
import { Cluster } from "../../../provider/resources/cluster.js";
import { PipelineTemplate } from "../../../provider/resources/pipeline-template.js";
import { Queue } from "../../../provider/resources/queue.js";
import { type Listing, listOrganization } from "../../shared/inventory/listing.js";
import type { LiveObject } from "../../shared/inventory/live-object.js";
import { readList, type Unread } from "../../shared/inventory/reading.js";
import { type ReadOptions, readAgents, readJobs, type TimedReading } from "../../shared/workload/read.js";

/** Data that the impact of a change needs. */
export interface Needs {
  readonly jobs?: boolean;
  readonly agents?: boolean;
  /** A cluster's queues, or its agent tokens. */
  readonly queuesOf?: string | undefined;
  readonly agentTokensOf?: string | undefined;
  /** The queues of all clusters. */
  readonly allQueues?: boolean;
  /** A suite's latest runs. */
  readonly runsOf?: { readonly id: string; readonly slug: string };
}

/** Something that could not be read, and what the report lacks for it. */
export interface Gap extends Unread {
  /** `jobs`, `agents`, `clusters`, `queues`, `agent tokens`, `runs`. */
  readonly what: string;
}

/** Objects, jobs and agents of the organization that a preview's changes may affect. */
export type Live = Awaited<ReturnType<typeof readLive>>;

export interface ImpactOptions extends ReadOptions {
  /** Requests sent so far. */
  readonly requests: () => number;
}

/**
 * Reads the data that some changes need, with few requests: open builds, agents and clusters once. It reads queues and
 * tokens of the changed clusters only. A list that can't be read is a gap, and the rest is read.
 */
export async function readLive(client: BuildPipelineClient, needs: readonly Needs[], options: ImpactOptions) {
  const { now, requests, signal } = options;
  const before = requests();
  const nothing: TimedReading<never> = { items: [], extent: "complete", at: now().toISOString() };
  const suites = needs.flatMap(({ runsOf }) => runsOf ?? []);
  const [jobs, agents, listing, runs] = await Promise.all([
    needs.some((need) => need.jobs) ? readJobs(client, options) : nothing,
    needs.some((need) => need.agents) ? readAgents(client, options) : nothing,
    listClusters(client, needs, signal),
    Promise.all(
      suites.map(async ({ id, slug }) => {
        // Runs are listed newest first: those in progress are on the first page.
        const bounds = { noun: "run", scope: "read_suites", most: 1, signal } as const;
        const list = client.runs.list(slug, {}, { signal });
        return { id, ...(await readList(list, { ...bounds, idOf: (run) => run.id })) };
      }),
    ),
  ]);
  const unread: [string, Unread | undefined][] = [
    ...[...listing.unread.values()].map((one): [string, Unread] => [`${one.of.words.noun}s`, one]),
    ["runs", runs.find((run) => run.unread)?.unread],
    ["jobs", jobs.unread],
    ["agents", agents.unread],
  ];
  return {
    /** The service's time when reading ended. */
    now: now(),
    jobs,
    agents,
    /** Clusters, and what is in those where changes need it. */
    objects: listing.objects,
    unread: listing.unread,
    /** The latest runs of suites, by the suite's id. */
    runs: new Map(runs.flatMap(({ id, items, extent }) => (extent === "missing" ? [] : [[id, items]]))),
    gaps: [...new Map(unread)].flatMap(([what, why]): Gap[] => (why === undefined ? [] : [{ ...why, what }])),
    requests: requests() - before,
  };
}

/** Lists clusters, and the queues and tokens in those where changes need them. */
async function listClusters(
  client: BuildPipelineClient,
  needs: readonly Needs[],
  signal: AbortSignal | undefined,
): Promise<Pick<Listing, "objects" | "unread">> {
  const everywhere = needs.some(({ allQueues }) => allQueues);
  const queuesOf = new Set(needs.flatMap((need) => need.queuesOf ?? []));
  const tokensOf = new Set(needs.flatMap((need) => need.agentTokensOf ?? []));
  if (!everywhere && queuesOf.size + tokensOf.size === 0) return { objects: [], unread: new Map() };
  const names = [Cluster, Queue, AgentToken].map(({ kind }) => kind.name);
  const isNeeded = (id: string, kind: string) =>
    kind === Queue.kind.name ? everywhere || queuesOf.has(id) : tokensOf.has(id);
  const within = ({ id }: LiveObject, { name }: AnyKind) => isNeeded(id, name);
  return listOrganization(client, { kinds: new Set(names), within, signal });
}

/** Returns the pipeline templates that the access token may list; none if it may not. */
export async function readTemplates(client: BuildPipelineClient, { signal }: ReadOptions) {
  // The report then reads those of the stack, and says nothing of others.
  const kinds = new Set([PipelineTemplate.kind.name]);
  const { objects } = await listOrganization(client, { kinds, signal });
  return objects.map(({ id, label, observed }) => ({
    id,
    name: label,
    configuration: observed.configuration,
  }));
}
