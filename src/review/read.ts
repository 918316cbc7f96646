import type { BuildPipelineClient, Run } from "../client/index.js";
import { type Reading, type ReadOptions, readAgents, readJobs, readPages } from "../load/read.js";
import type { Gap, Live, LiveCluster } from "./live.js";
import type { Needs } from "./review.js";

/** Most suites to read runs of: each costs a request. */
const MOST_SUITES = 20;

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
  const before = options.requests();
  const gaps: Gap[] = [];
  const noted = <Item>(what: string, reading: Reading<Item>): Reading<Item> => {
    if (reading.unread && !gaps.some((gap) => gap.what === what)) gaps.push({ what, ...reading.unread });
    return reading;
  };
  const wanted = (need: (needs: Needs) => string | undefined) =>
    new Set(needs.map(need).filter((id) => id !== undefined));
  const queuesOf = wanted((need) => need.queuesOf);
  const tokensOf = wanted((need) => need.agentTokensOf);
  const suites = needs.flatMap(({ runsOf }) => runsOf ?? []);
  const [jobs, agents, clusters, runs] = await Promise.all([
    needs.some((need) => need.jobs) ? readJobs(client, options) : nothing(options),
    needs.some((need) => need.agents) ? readAgents(client, options) : nothing(options),
    readClusters(client, queuesOf, tokensOf, options, noted),
    readRuns(client, suites, options, noted),
  ]);
  noted("jobs", jobs);
  noted("agents", agents);
  return { now: options.now(), jobs, agents, clusters, runs, gaps, requests: options.requests() - before };
}

function nothing({ now }: ReadOptions): Reading<never> {
  return { items: [], extent: "complete", at: now().toISOString() };
}

type Note = <Item>(what: string, reading: Reading<Item>) => Reading<Item>;

async function readClusters(
  client: BuildPipelineClient,
  queuesOf: ReadonlySet<string>,
  tokensOf: ReadonlySet<string>,
  { now, signal }: ImpactOptions,
  noted: Note,
): Promise<Map<string, LiveCluster>> {
  if (queuesOf.size + tokensOf.size === 0) return new Map();
  const bounds = (operation: string) => ({ operation, most: Number.POSITIVE_INFINITY, now, signal });
  const list = noted("clusters", await readPages(client.clusters.list({ signal }), bounds("clusters.list")));
  const read = list.items.map(async ({ id, name, default_queue_id }): Promise<[string, LiveCluster]> => {
    const [queues, tokens] = await Promise.all([
      queuesOf.has(id) ? readPages(client.queues.list(id, { signal }), bounds("queues.list")) : undefined,
      tokensOf.has(id)
        ? readPages(client.agentTokens.list(id, { signal }), bounds("agentTokens.list"))
        : undefined,
    ]);
    const whole = <Item>(what: string, reading: Reading<Item> | undefined) =>
      reading && noted(what, reading).extent === "complete" ? reading.items : undefined;
    return [
      id,
      {
        id,
        name,
        defaultQueueId: default_queue_id ?? undefined,
        queues: whole("queues", queues),
        agentTokens: whole("agent tokens", tokens),
      },
    ];
  });
  return new Map(await Promise.all(read));
}

/** Returns the keys of all queues of the organization; undefined if a list can't be read. */
export async function readQueues(
  client: BuildPipelineClient,
  options: ReadOptions,
): Promise<{ id: string; key: string }[] | undefined> {
  const bounds = { most: Number.POSITIVE_INFINITY, now: options.now, signal: options.signal };
  const clusters = await readPages(client.clusters.list({ signal: options.signal }), {
    ...bounds,
    operation: "clusters.list",
  });
  const lists = await Promise.all(
    clusters.items.map(({ id }) =>
      readPages(client.queues.list(id, { signal: options.signal }), { ...bounds, operation: "queues.list" }),
    ),
  );
  if ([clusters, ...lists].some(({ extent }) => extent !== "complete")) return undefined;
  return lists.flatMap(({ items }) => items.map(({ id, key }) => ({ id, key })));
}

/** Returns the pipeline templates that the access token may list; none if it may not. */
export async function readTemplates(client: BuildPipelineClient, { signal }: ReadOptions) {
  try {
    const all = await client.pipelineTemplates.list({ signal }).all();
    return all.map(({ uuid, name, configuration }) => ({ id: uuid, name, configuration }));
  } catch {
    // The report then reads those of the stack, and says nothing of others.
    return [];
  }
}

async function readRuns(
  client: BuildPipelineClient,
  suites: readonly { readonly id: string; readonly slug: string }[],
  { now, signal }: ImpactOptions,
  noted: Note,
): Promise<Map<string, readonly Run[]>> {
  const read = suites.slice(0, MOST_SUITES).map(async ({ id, slug }): Promise<[string, readonly Run[]][]> => {
    // Runs are listed newest first: those in progress are on the first page.
    const bounds = { operation: "runs.list", most: 1, now, signal };
    const reading = noted("runs", await readPages(client.runs.list(slug, {}, { signal }), bounds));
    return reading.extent === "missing" ? [] : [[id, reading.items]];
  });
  return new Map((await Promise.all(read)).flat());
}
