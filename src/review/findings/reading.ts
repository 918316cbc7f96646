import { type Listing, listOrganization } from "../../cli/inventory/listing.js";
import type { LiveObject } from "../../cli/inventory/live-object.js";
import { readList, type Unread } from "../../cli/inventory/reading.js";
import { type ReadOptions, readAgents, readJobs, type TimedReading } from "../../cli/workload/read.js";
import type { BuildPipelineClient, List, Scope } from "../../client/index.js";
import {
  type AnyKind,
  canContain,
  jobsIn,
  kinds,
  placeIn,
  queueKind,
} from "../../provider/for-commands/kinds.js";
import type { PlannedChange } from "../plan/change.js";
import { type LiveName, USER, userOf } from "../plan/names.js";
import type { Plan } from "../plan/plan.js";
import { accessKinds, changesAccess } from "./access.js";
import type { Gap, Live } from "./live.js";
import { lostInSteps, namedKinds, removedNames, stepsArgument } from "./steps.js";
import type { Hitting } from "./use.js";
import { waitingForDefault } from "./waiting.js";

export interface LiveOptions extends ReadOptions {
  /** Requests sent so far. */
  readonly requests: () => number;
}

/** The lists to read of each kind: those in some objects, or in all of them. A kind without a list in others has one. */
class Wanted {
  readonly #within = new Map<string, Set<string> | "all">();

  add(kind: string, within: string | undefined | "all" = "all"): void {
    const known = this.#within.get(kind);
    if (within === "all") this.#within.set(kind, within);
    else if (known !== "all") this.#within.set(kind, new Set([...(known ?? []), within]));
  }

  get kinds(): ReadonlySet<string> {
    return new Set(this.#within.keys());
  }

  has({ id }: LiveObject, { name }: AnyKind): boolean {
    const within = this.#within.get(name);
    return within === "all" || within?.has(id) === true;
  }
}

/** More lists than this of what people may do are not read. */
const MOST_LISTS = 100;

/**
 * Reads the data that some changes need, with few requests: open builds, agents and clusters once, and the contents of
 * changed clusters only. A list that can't be read is a gap, and the rest is read.
 */
export async function readLive(
  client: BuildPipelineClient,
  plan: Plan,
  hits: readonly Hitting[],
  options: LiveOptions,
): Promise<Live> {
  const { now, requests, signal } = options;
  const before = requests();
  const withSteps = await readWithSteps(client, plan, options);
  const lacking = new Set(
    lostInSteps({ ...plan, beside: { withSteps, named: new Map() } }).map(({ of }) => of.name),
  );
  const wanted = wantedOf(plan, hits);
  for (const kind of lacking) wanted.add(kind);
  if (waitingForDefault(plan).length > 0) wanted.add(kinds.get(queueKind())?.parent?.kind ?? "");
  const usedBy = (what: Hitting["usedBy"]) =>
    hits.filter((hit) => hit.usedBy === what).map(({ change }) => change);
  const isHit = { jobs: usedBy("jobs").length > 0, agents: hits.some(needsAgents) };
  const nothing: TimedReading<never> = { items: [], extent: "complete", at: now().toISOString() };
  const unlisted: Pick<Listing, "objects" | "unread"> = { objects: [], unread: new Map() };
  const [people, jobs, agents, listing, runs, builds] = await Promise.all([
    readPeople(client, plan, options),
    isHit.jobs ? readJobs(client, options) : nothing,
    isHit.agents ? readAgents(client, options) : nothing,
    wanted.kinds.size > 0
      ? listOrganization(client, {
          kinds: wanted.kinds,
          within: (object, kind) => wanted.has(object, kind),
          isTooMuch: (kind, lists) => kind.isPair === true && lists > MOST_LISTS,
          signal,
        })
      : unlisted,
    newestOf(usedBy("runs"), "run", "read_suites", signal, (slug) => client.runs.list(slug, {}, { signal })),
    newestOf(usedBy("builds"), "build", "read_builds", signal, (slug) =>
      client.builds.listForPipeline(slug, {}, { signal }),
    ),
  ]);
  const unread: [string, Unread | undefined][] = [
    ...[...listing.unread.values()].map((one): [string, Unread] => [`${one.of.words.noun}s`, one]),
    ["runs", runs.find((run) => run.unread)?.unread],
    ["builds", builds.find((build) => build.unread)?.unread],
    ["jobs", jobs.unread],
    ["agents", agents.unread],
  ];
  const { objects } = listing;
  const named = [...lacking].filter((kind) => !listing.unread.has(kind));
  return {
    now: now(),
    jobs,
    agents,
    objects,
    names: [
      ...people,
      ...objects.flatMap(({ kind, id, label }) => (label === "" ? [] : [[kind.name, id, label] as const])),
    ],
    hasClusters: [...wanted.kinds].some((kind) => canContain(kind)),
    unread: listing.unread,
    references: {
      withSteps,
      named: new Map(named.map((kind) => [kind, objects.filter((one) => one.kind.name === kind)])),
      hasDefault: new Map(
        objects.flatMap(({ id, kind, observed }) =>
          canContain(kind.name) ? [[id, observed.defaultQueueId != null] as const] : [],
        ),
      ),
    },
    runs: new Map(runs.flatMap(({ id, items, extent }) => (extent === "missing" ? [] : [[id, items]]))),
    builds: new Map(
      builds.flatMap(({ id, items, extent }) =>
        extent === "missing" ? [] : [[id, items.filter(({ pipeline }) => (pipeline?.id ?? id) === id)]],
      ),
    ),
    areRunsMissing: [...runs, ...builds].some(({ extent }) => extent === "missing"),
    gaps: [...new Map(unread)].flatMap(([what, why]): Gap[] => (why === undefined ? [] : [{ ...why, what }])),
    requests: requests() - before,
    inside: (kind, id) =>
      listing.unread.has(kind)
        ? undefined
        : objects.filter((one) => one.kind.name === kind && one.parent?.id === id),
    defaultQueue: (cluster) => objects.find(({ id }) => id === cluster)?.observed.defaultQueueId,
  };
}

function needsAgents({ usedBy, change: { kind } }: Hitting): boolean {
  return usedBy === "agents" || (usedBy === "jobs" && jobsIn(kind) !== "by default");
}

function wantedOf(plan: Plan, hits: readonly Hitting[]): Wanted {
  const wanted = new Wanted();
  const has = (kind: AnyKind) =>
    kind.requires !== "newer API" ||
    [...plan.managed, ...plan.deployed].some((one) => one.kind === kind.name);
  for (const { change, usedBy } of hits) {
    const { kind, id, place } = change;
    const isContainer = canContain(kind);
    const [container = "", within] = isContainer ? [kind, id] : [place?.kind, place?.id];
    if ((usedBy !== "jobs" && usedBy !== "agents") || !canContain(container)) continue;
    wanted.add(container);
    for (const own of kinds.values()) {
      const uses = own.review?.usedBy;
      const isInside = own.parent?.kind === container && own.view === undefined;
      if (isInside && (uses === "jobs" || uses === usedBy || (isContainer && has(own))))
        wanted.add(own.name, within);
      // What keeps it from being deleted.
      if (isContainer && own.parent === undefined && placeIn(own)?.kind === kind && has(own))
        wanted.add(own.name);
    }
  }
  if (plan.deployed.some(changesAccess)) for (const kind of accessKinds()) wanted.add(kind);
  return wanted;
}

/** Returns what has steps and the access token may list, pipelines only for a stack with pipelines; none if it may not. */
async function readWithSteps(
  client: BuildPipelineClient,
  plan: Plan,
  { signal }: ReadOptions,
): Promise<readonly LiveObject[]> {
  // Steps are read only if a name is removed: the report then reads those of the stack, and says nothing of others.
  if (namedKinds().every((kind) => removedNames(kind, plan).size === 0)) return [];
  const all = [...plan.managed, ...plan.deployed];
  const names = [...kinds.values()]
    .filter((kind) => stepsArgument(kind.name) !== undefined)
    .filter(({ name, requires }) => requires !== "newer API" || all.some(({ kind }) => kind === name))
    .map(({ name }) => name);
  const { objects } = await listOrganization(client, { kinds: new Set(names), within: () => false, signal });
  return objects;
}

/** More people than this are not read. */
const MOST_PEOPLE = 20;

/** Returns the names of people whom the stack knows by their ids only, as far as the access token may read them. */
async function readPeople(
  { members }: BuildPipelineClient,
  { deployed }: Plan,
  { signal }: ReadOptions,
): Promise<LiveName[]> {
  const ids = new Set(
    deployed.flatMap(({ kind, after, nextLabel }) =>
      userOf(kind, { properties: after }) === nextLabel ? [nextLabel] : [],
    ),
  );
  const read = [...ids].slice(0, MOST_PEOPLE).map(async (id): Promise<LiveName[]> => {
    const { name } = await members.get(id, { signal }).catch(() => ({ name: undefined }));
    return name ? [[USER, id, name]] : [];
  });
  return (await Promise.all(read)).flat();
}

/** Returns the newest of what some objects list: what is in progress is on the first page. */
function newestOf<Item extends { readonly id: string }>(
  changes: readonly PlannedChange[],
  noun: string,
  scope: Scope,
  signal: AbortSignal | undefined,
  list: (slug: string) => List<Item>,
) {
  return Promise.all(
    changes.flatMap(({ id, before: { slug } }) => {
      if (id === undefined || typeof slug !== "string") return [];
      const bounds = { noun, scope, most: 1, signal, idOf: (one: Item) => one.id };
      return readList(list(slug), bounds).then((reading) => ({ id, ...reading }));
    }),
  );
}
