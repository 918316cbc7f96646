import { disappears } from "../../cli/drawing/actions.js";
import type { LiveObject } from "../../cli/inventory/live-object.js";
import {
  agentsOf,
  durationInWords,
  type Figures,
  figuresInWords,
  figuresOf,
  jobsOf,
} from "../../cli/workload/figures.js";
import type { LiveAgent, LiveJob } from "../../cli/workload/job.js";
import { defaultSetBy, jobsIn, kinds, type Meaning, queueKind } from "../../provider/for-commands/kinds.js";
import { counted } from "../../shared/messages/nouns.js";
import type { PlannedChange } from "../plan/change.js";
import { organizationOf, type Plan } from "../plan/plan.js";
import { listed, type Text, text } from "../plan/text.js";
import { shutOut } from "./addresses.js";
import type { Use } from "./consequences.js";
import type { Live } from "./live.js";
import { argumentRemarks } from "./remarks.js";

/** What uses the object of a change now, and what the change does to that. */
export interface Hit extends Use {
  readonly change: PlannedChange;
  /** For programs. */
  readonly effect: "delete" | "replace" | "revoke" | NonNullable<Meaning["now"]>;
  /** Jobs; undefined where they do not matter, or could not be read. */
  readonly figures?: Figures | undefined;
  /** Connected agents; undefined where they do not matter, or could not be read. */
  readonly agents?: number | undefined;
  /** Keys of queues that go, and that agents with their tags are connected for. */
  readonly keysInUse?: readonly string[];
}

/** A change that hits something, before anything is read. */
export interface Hitting extends Pick<Hit, "change" | "effect"> {
  readonly usedBy: "jobs" | "agents" | "runs" | "builds" | undefined;
}

/**
 * Returns the changes that may hit what uses their objects. A deleted cluster speaks for all that is in it.
 *
 * @param organization changes that are known to be in another one hit nothing. Default: all may
 */
export function hitting({ deployed }: Plan, organization?: string): Hitting[] {
  const lost = new Set(deployed.filter(disappears).map(({ kind, id }) => `${kind} ${id}`));
  return deployed.flatMap((change) => {
    const { kind, place, action } = change;
    const { usedBy } = kinds.get(kind)?.review ?? {};
    const isElsewhere =
      organization !== undefined && (organizationOf(change) ?? organization) !== organization;
    const isContained = kinds.get(kind)?.parent !== undefined && lost.has(`${place?.kind} ${place?.id}`);
    const gone = action === "replace" ? "replace" : "delete";
    const effect = disappears(change)
      ? usedBy === "agents"
        ? "revoke"
        : gone
      : action === "update"
        ? effectOfUpdate(change)
        : undefined;
    return isElsewhere || isContained || effect === undefined ? [] : [{ change, usedBy, effect }];
  });
}

/** What isn't known yet may do any of what its argument can do. */
function effectOfUpdate(change: PlannedChange): Meaning["now"] {
  const fields = kinds.get(change.kind)?.arguments ?? {};
  const unknown = change.changed.flatMap(({ name, unknown }) =>
    unknown ? Object.values(fields[name]?.review.means ?? {}) : [],
  );
  return [...argumentRemarks(change), ...unknown].find(({ now }) => now !== undefined)?.now;
}

/** Counts what uses the object of a change. */
export function hitOf(hit: Hitting, live: Live, plan: Plan): Hit {
  const { change, effect, usedBy } = hit;
  const counted = usedBy && COUNTING[usedBy](hit, live, plan);
  return { change, effect, busy: false, lines: [], ...counted };
}

type Counting = (hit: Hitting, live: Live, plan: Plan) => Partial<Hit>;

const COUNTING: Readonly<Record<NonNullable<Hitting["usedBy"]>, Counting>> = {
  jobs: (hit, live, plan) => {
    const how = jobsIn(hit.change.kind);
    if (how === "inside") return containerHit(hit.change, live, plan);
    return how === "by default" ? defaultHit(hit.change, live) : queueHit(hit, live, plan);
  },
  agents: ({ change }, live, plan) => agentsHit(change, live, plan),
  runs: ({ change: { id = "" } }, live) => {
    const runs = live.runs.get(id);
    const open = runs?.filter(({ state }) => state === "running").length ?? 0;
    const latest = runs?.[0]?.created_at;
    return {
      busy: open > 0,
      now: runs && `${open > 0 ? counted(open, "run") : "no run"} in progress`,
      lines: latest ? [text`The latest run began at ${latest}.`] : [],
    };
  },
  builds: ({ change }, live) => buildsHit(change, live),
};

function figuresHit(live: Live, jobs: readonly LiveJob[]): Pick<Hit, "figures" | "now" | "lines"> {
  if (live.jobs.extent === "missing") return { lines: [] };
  const figures = figuresOf(jobs, live.now);
  const words = figuresInWords(figures, live.jobs.extent === "complete");
  const { oldestWaitSeconds } = figures;
  return {
    figures,
    now: oldestWaitSeconds ? `${words}, the oldest for ${durationInWords(oldestWaitSeconds)}` : words,
    lines: pipelineLines(figures),
  };
}

const MOST_PIPELINES = 5;

/** Jobs by pipeline: `` `storefront`: 2 running, 9 waiting``. */
function pipelineLines({ pipelines }: Figures): Text[] {
  if (pipelines.length === 0) return [];
  const shown = pipelines
    .slice(0, MOST_PIPELINES)
    .flatMap(({ slug, ...counts }, index) => [
      index === 0 ? "Pipelines: " : "; ",
      { code: slug },
      ` ${figuresInWords(counts)}`,
    ]);
  const rest = pipelines.length - MOST_PIPELINES;
  return [[...shown, rest > 0 ? `; and ${rest} more pipelines.` : "."]];
}

const countOf = (jobs: readonly LiveJob[], phase: LiveJob["phase"]) =>
  jobs.filter((job) => job.phase === phase).length;

/** A cluster that disappears takes its queues, their jobs and its tokens with it. */
function containerHit({ id = "" }: PlannedChange, live: Live, plan: Plan): Partial<Hit> {
  const queues = live.inside(queueKind(), id) ?? [];
  const jobs = live.jobs.items.filter(({ clusterId }) => clusterId === id);
  const hit = figuresHit(live, jobs);
  const paused = new Set<unknown>(queues.filter(isPaused).flatMap((one) => [one.id, one.label]));
  const mayStart = jobs.some(
    ({ phase, queueId, queueKey }) =>
      phase === "waiting" && !paused.has(queueId ?? queueKey ?? live.defaultQueue(id)),
  );
  const owned = new Set(plan.managed.map((one) => one.id));
  const others = Map.groupBy(
    live.objects.filter((one) => one.parent?.id === id && !owned.has(one.id)),
    ({ kind }) => kind.words.noun,
  );
  return {
    ...hit,
    busy: (hit.figures?.running ?? 0) > 0 || mayStart,
    lines: [
      ...hit.lines,
      ...[...others].map(
        ([noun, objects]): Text => [
          `${counted(objects.length, noun)} that this stack does not manage: `,
          ...listed(objects.map(labelOrId)),
          ".",
        ],
      ),
    ],
    keysInUse: queues.flatMap((one) => (agentsOfQueue(live, one, id)?.length ? [one.label] : [])),
  };
}

export const labelOrId = ({ label, id }: LiveObject) => label || id;

function isPaused({ kind: { drawn }, observed }: LiveObject): boolean {
  return drawn?.as === "paused" && observed[drawn.argument] === true;
}

function agentsOfQueue(live: Live, { id, label }: Pick<LiveObject, "id" | "label">, clusterId: string) {
  const named = { id, key: label, clusterId, isDefault: live.defaultQueue(clusterId) === id };
  return live.agents.extent === "missing" ? undefined : agentsOf(named, live.agents.items);
}

/** A queue that disappears, is paused or is resumed concerns jobs that run there or wait for it, and its agents. */
function queueHit({ change, effect }: Hitting, live: Live, plan: Plan): Partial<Hit> {
  const { id = "", label } = change;
  const clusterId = change.place?.id ?? "";
  const isDefault = live.defaultQueue(clusterId) === id;
  const now = live.inside(queueKind(), clusterId)?.find((one) => one.id === id);
  const jobs = jobsOf({ id, key: label, clusterId, isDefault }, live.jobs.items);
  const agents = agentsOfQueue(live, { id, label }, clusterId);
  const hit = figuresHit(live, jobs);
  const isGone = disappears(change);
  const paused = now !== undefined && isPaused(now);
  const who = `${counted(agents?.length ?? 0, "connected agent")} ${agents?.length === 1 ? "has" : "have"}`;
  return {
    ...hit,
    busy: isGone && (countOf(jobs, "running") > 0 || (countOf(jobs, "waiting") > 0 && !paused)),
    agents: agents?.length,
    lines: [
      ...hit.lines,
      ...(isGone ? linesOfGone(change, plan, jobs, isDefault) : linesOfDispatch(effect, jobs)),
      ...(now && paused && effect !== "resume" ? [pausedLine(now, live)] : []),
      ...(agents?.length
        ? [text`${[who]} the tag ${`queue=${label}`}${isDefault ? [" or no such tag"] : []}.`]
        : []),
    ],
    keysInUse: isGone && agents?.length ? [label] : [],
  };
}

/** Returns `3 jobs that have not started name`: what they name follows. */
function notStarted({ length }: readonly LiveJob[]): string {
  return `${counted(length, "job")} that ${length === 1 ? "has not started names" : "have not started name"}`;
}

function linesOfGone(
  change: PlannedChange,
  plan: Plan,
  jobs: readonly LiveJob[],
  isDefault: boolean,
): Text[] {
  const { kind, label, place } = change;
  const cluster = place?.name ?? place?.id ?? "";
  const open = jobs.filter(({ phase }) => phase !== "running");
  const running = jobs.length - open.length;
  const naming = open.filter(({ queueKey }) => queueKey === label);
  const others = open.filter(({ queueKey }) => queueKey === undefined);
  const next = nextDefault(change, plan) ?? label;
  const isOne = others.length === 1;
  const made = plan.deployed.filter(
    (one) =>
      one.kind === kind &&
      (one.action === "create" || one.action === "adopt" || one.action === "replace") &&
      (one.movesTo ?? one.place)?.key === place?.key,
  );
  const mayFollow = made.some(({ changed }) =>
    changed.some(({ name, unknown }) => unknown && name === kinds.get(kind)?.words.label),
  );
  const successor = mayFollow
    ? text`: ${cluster} gets a queue with a key that isn't known yet.`
    : made.some(({ nextLabel }) => nextLabel === label)
      ? [": a new queue with this key takes over."]
      : text`: no queue of ${cluster} has this key afterwards.`;
  const lines: (Text | false)[] = [
    running > 0 && [
      `The service does not document what happens to ${running === 1 ? "the running job" : "running jobs"}.`,
    ],
    naming.length > 0 && [`${notStarted(naming)} `, { code: `queue=${label}` }, ...successor],
    others.length > 0 && [
      `${notStarted(others)} no queue and `,
      ...(next === label
        ? [isOne ? "waits" : "wait", " for the default queue, which this is."]
        : [isOne ? "goes" : "go", " to the default queue, ", { code: next }, " from then on."]),
    ],
    others.length === 0 && isDefault && text`${label} is the default queue of ${cluster}.`,
  ];
  return lines.filter((line) => line !== false);
}

function nextDefault({ kind, place }: PlannedChange, { deployed }: Plan): string | undefined {
  for (const other of deployed) {
    const set = defaultSetBy(other.kind);
    const next = set?.of === kind && other.place?.id === place?.id && other.value(set.argument, "after");
    if (typeof next === "object" && "code" in next) return next.code;
  }
  return undefined;
}

function linesOfDispatch(effect: Hit["effect"], jobs: readonly LiveJob[]): Text[] {
  const [running, waiting] = [countOf(jobs, "running"), countOf(jobs, "waiting")];
  const lines =
    effect === "resume"
      ? [waiting > 0 && `${counted(waiting, "waiting job")} can start.`]
      : [
          running > 0 && `${counted(running, "running job")} ${running === 1 ? "goes" : "go"} on.`,
          waiting > 0 &&
            `${counted(waiting, "job")} ${waiting === 1 ? "waits" : "wait"} until the queue is resumed.`,
        ];
  return lines.flatMap((line) => (line === false ? [] : [[line]]));
}

function pausedLine({ entity }: LiveObject, live: Live): Text {
  const textOf = (value: unknown) => (typeof value === "string" ? value : "");
  const { dispatch_paused_at: at, dispatch_paused_by: by, dispatch_paused_note: given } = Object(entity);
  const since = Date.parse(textOf(at));
  const [who, note] = [textOf(Object(by).name), textOf(given)];
  const seconds = Math.max(0, Math.round((live.now.getTime() - since) / 1000));
  return [
    "It is paused",
    ...(Number.isNaN(since) ? [] : [` since ${durationInWords(seconds)}`]),
    ...(who ? text` by ${who}` : []),
    ...(note ? text`: ${note}` : []),
    ".",
  ];
}

/** Another default queue, or none, concerns jobs that name no queue. */
function defaultHit(change: PlannedChange, live: Live): Partial<Hit> {
  const isGone = change.action === "delete" || (change.action === "replace" && change.movesTo !== undefined);
  const jobs = live.jobs.items.filter(
    (job) => job.clusterId === change.place?.id && job.queueKey === undefined && job.phase !== "running",
  );
  const hit = figuresHit(live, jobs);
  const isOne = jobs.length === 1;
  const next = change.value(defaultSetBy(change.kind)?.argument ?? "", "after");
  const where = isGone
    ? `: no agent takes ${isOne ? "it" : "them"} then.`
    : ` and ${isOne ? "goes" : "go"} to `;
  const line: Text = [`${notStarted(jobs)} no queue`, where, ...(isGone ? [] : [next, "."])];
  return { ...hit, lines: jobs.length === 0 ? hit.lines : [...hit.lines, line] };
}

/** Revoking a token locks agents out. Allowing fewer addresses may lock agents out too. */
function agentsHit(change: PlannedChange, live: Live, plan: Plan): Partial<Hit> {
  const agents = agentsOfCluster(change.place?.id ?? "", live);
  const isComplete = live.agents.extent === "complete";
  const isRevoked = disappears(change);
  const out = agents && shutOut(agents, change, plan, live, !isRevoked && isComplete);
  return {
    agents: agents?.length,
    now: agents && `${isComplete ? "" : "at least "}${counted(agents.length, "connected agent")}`,
    lines: [
      ...(isRevoked && agents?.length ? [["The API does not show which agents use this token."]] : []),
      ...(out ? [out] : []),
    ],
  };
}

/** Returns the agents that may be in a cluster: the API shows an agent's tags, and the cluster of its job. */
function agentsOfCluster(id: string, live: Live): LiveAgent[] | undefined {
  const queues = live.inside(queueKind(), id);
  // Without the cluster's queues, nothing shows which agents are in it.
  if (live.agents.extent === "missing" || queues === undefined) return undefined;
  const keys = new Set(queues.map(({ label }) => label));
  const hasDefault = live.defaultQueue(id) != null;
  return live.agents.items.filter(({ clusterId, queueKey }) => {
    if (clusterId !== undefined) return clusterId === id;
    return queueKey === undefined ? hasDefault : keys.has(queueKey);
  });
}

/** States of builds that have not ended. */
const OPEN: ReadonlySet<string> = new Set(["scheduled", "running", "failing", "canceling"]);

function buildsHit(change: PlannedChange, live: Live): Partial<Hit> {
  const builds = live.builds.get(change.id ?? "");
  if (builds === undefined) return {};
  const [last] = builds;
  const open = builds.filter(({ state }) => OPEN.has(state)).map(({ number }) => `#${number}`);
  const waits = change.action === "delete" && change.before.onDelete === "delete";
  const end = waits ? ". The deletion waits up to five minutes for them." : ".";
  return {
    busy: open.length > 0,
    now:
      last === undefined
        ? "no build so far"
        : `last build #${last.number}, of ${(last.created_at ?? "an unknown date").slice(0, 10)}`,
    lines: open.length === 0 ? [] : [["Builds that have not ended: ", ...listed(open), end]],
  };
}
