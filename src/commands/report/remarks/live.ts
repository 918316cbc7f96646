import { Queue } from "../../../provider/resources/queue.js";
import { counted } from "../../../shared/messages/nouns.js";
import { ofKind, type TypedKind } from "../../shared/inventory/live-object.js";
import type { Text } from "../../shared/plan/text.js";
import {
  agentsOf,
  durationInWords,
  type Figures,
  figuresInWords,
  figuresOf,
  jobsOf,
  type NamedQueue,
} from "../../shared/workload/figures.js";
import type { LiveJob } from "../../shared/workload/job.js";
import type { Live } from "./read.js";

/** The present load where it could not be read. */
export const NOT_COUNTED = "not counted";

/** Returns what some jobs are, in figures and in words; the figures are undefined if jobs could not be read. */
export function loadOf(live: Live, jobs: readonly LiveJob[]) {
  if (live.jobs.extent === "missing") return { figures: undefined, now: NOT_COUNTED, lines: [] };
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

/** Returns `3 jobs that have not started name`: what they name follows. */
export function notStarted({ length }: readonly LiveJob[]): string {
  return `${counted(length, "job")} that ${length === 1 ? "has not started names" : "have not started name"}`;
}

/** A queue's jobs, its agents, and what the service shows of it. */
export function queueNow(live: Live, queue: Omit<NamedQueue, "isDefault">) {
  const isDefault = defaultQueueOf(live, queue.clusterId) === queue.id;
  const named = { ...queue, isDefault };
  return {
    isDefault,
    entity: inCluster(live, Queue.kind, queue.clusterId)?.find(({ id }) => id === queue.id),
    jobs: jobsOf(named, live.jobs.items),
    agents: live.agents.extent === "missing" ? undefined : agentsOf(named, live.agents.items),
  };
}

export function defaultQueueOf({ objects }: Live, clusterId: string | undefined): unknown {
  return objects.find(({ id }) => id === clusterId)?.observed.defaultQueueId;
}

/** Returns the objects of a kind in a cluster; undefined if they could not be read. */
export function inCluster<Entity extends object>(
  { objects, unread }: Live,
  kind: TypedKind<Entity>,
  clusterId: string | undefined,
): Entity[] | undefined {
  const inside = objects.filter(({ parent }) => parent?.id === clusterId);
  return unread.has(kind.name) ? undefined : ofKind(inside, kind).map(({ entity }) => entity);
}
