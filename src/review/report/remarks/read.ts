import { type Listing, listOrganization } from "../../../cli/inventory/listing.js";
import type { LiveObject } from "../../../cli/inventory/live-object.js";
import { readList, type Unread } from "../../../cli/inventory/reading.js";
import type { LiveAgent, LiveJob } from "../../../cli/workload/job.js";
import { type ReadOptions, readAgents, readJobs, type TimedReading } from "../../../cli/workload/read.js";
import type { Build, BuildPipelineClient, List, Run, Scope } from "../../../client/index.js";
import { type AnyKind, canContain } from "../../../provider/lifecycle/values/kinds.js";
import {
  AgentToken,
  Cluster,
  Pipeline,
  PipelineTemplate,
  Queue,
  Team,
  TeamMember,
  TeamPipeline,
  TeamSuite,
} from "../../../provider/resources/index.js";
import type { Change } from "../../plan/change.js";
import type { Plan } from "../../plan/plan.js";

/**
 * What the impact of a change needs: of its cluster; of a suite, its runs; of a pipeline, its builds; of a team, its
 * access; and of all teams, which pipelines they may use.
 */
export type Readable =
  | "jobs"
  | "agents"
  | "queues"
  | "agentTokens"
  | "runs"
  | "builds"
  | "access"
  | "allAccess";

export interface Gap extends Unread {
  /** `jobs`, `agents`, `clusters`, `queues`, `agent tokens`, `runs`. */
  readonly what: string;
}

/** Objects, jobs and agents of the organization that a preview's changes may affect. */
export interface Live {
  /** The service's time when reading ended. */
  readonly now: Date;
  readonly jobs: TimedReading<LiveJob>;
  readonly agents: TimedReading<LiveAgent>;
  /** Clusters, and what is in those where changes need it. */
  readonly objects: Listing["objects"];
  readonly hasClusters: boolean;
  readonly unread: Listing["unread"];
  /** The latest runs of suites, by the suite's id. */
  readonly runs: ReadonlyMap<string, readonly Run[]>;
  /** The latest builds of pipelines, by the pipeline's id. Another pipeline may have taken the slug. */
  readonly builds: ReadonlyMap<string, readonly Build[]>;
  readonly areRunsMissing: boolean;
  readonly gaps: readonly Gap[];
  /** How many requests it took. */
  readonly requests: number;
}

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
): Promise<Live> {
  const { now, requests, signal } = options;
  const before = requests();
  const nothing: TimedReading<never> = { items: [], extent: "complete", at: now().toISOString() };
  const of = (what: Readable) => changes.flatMap(({ change, reads }) => (reads.includes(what) ? change : []));
  const clustersOf = (what: Readable) =>
    new Set(of(what).flatMap(({ kind, id, place }) => (canContain(kind) ? id : place?.id) ?? []));
  const unlisted: Pick<Listing, "objects" | "unread"> = { objects: [], unread: new Map() };
  const [queuesOf, tokensOf] = [clustersOf("queues"), clustersOf("agentTokens")];
  const teams = new Set(of("access").flatMap(({ id }) => id ?? []));
  const allTeams = of("allAccess").length > 0;
  const inClusters = allQueues || queuesOf.size + tokensOf.size > 0;
  const kinds = new Set(
    [
      ...(inClusters ? [Cluster, Queue, AgentToken] : []),
      ...(teams.size > 0 ? [Team, TeamMember, TeamPipeline, TeamSuite] : allTeams ? [TeamPipeline] : []),
    ].map(({ kind }) => kind.name),
  );
  const within = ({ id, kind }: LiveObject, { name }: AnyKind) => {
    if (kind.name === Team.kind.name) return teams.has(id) || (allTeams && name === TeamPipeline.kind.name);
    return name === Queue.kind.name ? allQueues || queuesOf.has(id) : tokensOf.has(id);
  };
  // Returns the newest of what suites or pipelines list, by their ids: what is in progress is on the first page.
  const newestOf = async <Item extends { readonly id: string }>(
    what: Readable,
    scope: Scope,
    list: (slug: string) => List<Item>,
  ) =>
    Promise.all(
      of(what).flatMap(({ id, before: { slug } }) => {
        if (id === undefined || typeof slug !== "string") return [];
        const bounds = {
          noun: what.slice(0, -1),
          scope,
          most: 1,
          signal,
          idOf: (one: Item) => one.id,
        } as const;
        return readList(list(slug), bounds).then((reading) => ({ id, ...reading }));
      }),
    );
  const [jobs, agents, listing, runs, builds] = await Promise.all([
    of("jobs").length > 0 ? readJobs(client, options) : nothing,
    of("agents").length > 0 ? readAgents(client, options) : nothing,
    kinds.size > 0 ? listOrganization(client, { kinds, within, signal }) : unlisted,
    newestOf("runs", "read_suites", (slug) => client.runs.list(slug, {}, { signal })),
    newestOf("builds", "read_builds", (slug) => client.builds.listForPipeline(slug, {}, { signal })),
  ]);
  const unread: [string, Unread | undefined][] = [
    ...[...listing.unread.values()].map((one): [string, Unread] => [`${one.of.words.noun}s`, one]),
    ["runs", runs.find((run) => run.unread)?.unread],
    ["builds", builds.find((build) => build.unread)?.unread],
    ["jobs", jobs.unread],
    ["agents", agents.unread],
  ];
  return {
    now: now(),
    jobs,
    agents,
    objects: listing.objects,
    hasClusters: inClusters,
    unread: listing.unread,
    runs: new Map(runs.flatMap(({ id, items, extent }) => (extent === "missing" ? [] : [[id, items]]))),
    builds: new Map(
      builds.flatMap(({ id, items, extent }) =>
        extent === "missing" ? [] : [[id, items.filter(({ pipeline }) => (pipeline?.id ?? id) === id)]],
      ),
    ),
    areRunsMissing: [...runs, ...builds].some(({ extent }) => extent === "missing"),
    gaps: [...new Map(unread)].flatMap(([what, why]): Gap[] => (why === undefined ? [] : [{ ...why, what }])),
    requests: requests() - before,
  };
}

/** Returns what has steps and the access token may list, pipelines only for a stack with pipelines; none if it may not. */
export async function readDocuments(
  client: BuildPipelineClient,
  { managed, deployed }: Plan,
  { signal }: ReadOptions,
) {
  // The report then reads those of the stack, and says nothing of others.
  const hasPipelines = [...managed, ...deployed].some(({ kind }) => kind === Pipeline.kind.name);
  const kinds = new Set([PipelineTemplate.kind.name, ...(hasPipelines ? [Pipeline.kind.name] : [])]);
  const { objects } = await listOrganization(client, { kinds, within: () => false, signal });
  return objects.map(({ kind, id, label, observed: { configuration, clusterId } }) => ({
    kind: kind.name,
    id,
    name: label,
    configuration,
    clusterId,
  }));
}
