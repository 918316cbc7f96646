import type { BuildPipelineClient } from "../../../client/index.js";
import type { AnyKind } from "../../../provider/kind/kind.js";
import { canContain } from "../../../provider/lifecycle/values/kinds.js";
import { AgentToken } from "../../../provider/resources/agent-token.js";
import { Cluster } from "../../../provider/resources/cluster.js";
import { PipelineTemplate } from "../../../provider/resources/pipeline-template.js";
import { Queue } from "../../../provider/resources/queue.js";
import { type Listing, listOrganization } from "../../shared/inventory/listing.js";
import type { LiveObject } from "../../shared/inventory/live-object.js";
import { readList, type Unread } from "../../shared/inventory/reading.js";
import type { Change } from "../../shared/plan/change.js";
import { type ReadOptions, readAgents, readJobs, type TimedReading } from "../../shared/workload/read.js";

/** What the impact of a change needs, of its cluster or, with runs, of a suite. */
export type Readable = "jobs" | "agents" | "queues" | "agentTokens" | "runs";

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
export async function readLive(
  client: BuildPipelineClient,
  changes: readonly { readonly change: Change; readonly reads: readonly Readable[] }[],
  allQueues: boolean,
  options: ImpactOptions,
) {
  const { now, requests, signal } = options;
  const before = requests();
  const nothing: TimedReading<never> = { items: [], extent: "complete", at: now().toISOString() };
  const of = (what: Readable) => changes.flatMap(({ change, reads }) => (reads.includes(what) ? change : []));
  const clustersOf = (what: Readable) =>
    new Set(of(what).flatMap(({ kind, id, place }) => (canContain(kind) ? id : place?.id) ?? []));
  const unlisted: Pick<Listing, "objects" | "unread"> = { objects: [], unread: new Map() };
  const [queuesOf, tokensOf] = [clustersOf("queues"), clustersOf("agentTokens")];
  const kinds = new Set([Cluster, Queue, AgentToken].map(({ kind }) => kind.name));
  const within = ({ id }: LiveObject, { name }: AnyKind) =>
    name === Queue.kind.name ? allQueues || queuesOf.has(id) : tokensOf.has(id);
  const suites = of("runs").flatMap(({ id, before: { slug } }) =>
    id !== undefined && typeof slug === "string" ? { id, slug } : [],
  );
  const [jobs, agents, listing, runs] = await Promise.all([
    of("jobs").length > 0 ? readJobs(client, options) : nothing,
    of("agents").length > 0 ? readAgents(client, options) : nothing,
    allQueues || queuesOf.size + tokensOf.size > 0
      ? listOrganization(client, { kinds, within, signal })
      : unlisted,
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
    areRunsMissing: runs.some(({ extent }) => extent === "missing"),
    gaps: [...new Map(unread)].flatMap(([what, why]): Gap[] => (why === undefined ? [] : [{ ...why, what }])),
    requests: requests() - before,
  };
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
