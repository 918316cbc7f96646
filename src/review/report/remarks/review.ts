import { ofKind, type TypedKind } from "../../../cli/inventory/live-object.js";
import {
  agentsOf,
  durationInWords,
  type Figures,
  figuresInWords,
  figuresOf,
  jobsOf,
  type NamedQueue,
} from "../../../cli/workload/figures.js";
import type { LiveJob } from "../../../cli/workload/job.js";
import { Queue } from "../../../provider/resources/index.js";
import { counted } from "../../../shared/messages/nouns.js";
import type { ArgumentChange, Change } from "../../plan/change.js";
import type { Plan } from "../../plan/plan.js";
import { listed, type Text, text } from "../../plan/text.js";
import type { Live, Readable } from "./read.js";

/**
 * Remarks of a report on changes to resources of one type, in addition to its description. Because all remarks
 * have defaults, most types need a few lines, and a new type needs none.
 */
export interface Review {
  /**
   * Says what a deletion or a replacement destroys; undefined if nothing is lost. It is a danger, unless the sentence says
   * that people only notice it, because another object takes over.
   * Default: `` Queue `small` of `Linux` is deleted. ``
   *
   * @param about with the present load, if it is known, and with what is deleted with the object: every type that can be
   *   in it has an entry
   */
  lost?(
    change: Change,
    about: {
      readonly plan: Plan;
      readonly contents: readonly { readonly noun: string; readonly labels: readonly string[] }[];
      readonly load: Load | undefined;
    },
  ): Remark | undefined;
  /**
   * Says what was lost with an object that somebody deleted outside of the program, and what creating it again does not
   * restore. Default: nothing but its id.
   */
  readonly vanished?: { readonly lost: Text; readonly remains?: Text };
  /**
   * Updates that people notice, by argument. `"values"` shows the values before and after; undefined stands for a harmless
   * value.
   */
  readonly cautions?: Readonly<
    Record<
      string,
      "values" | ((change: Change, argument: ArgumentChange, load: Load | undefined) => Remark | undefined)
    >
  >;
  /** Describes which jobs and agents a change affects now. Default: none. */
  readonly impact?: {
    readonly reads: readonly Readable[];
    /** Updates that affect jobs or agents, as whatever disappears does. Default: none. */
    isHit?(change: Change): boolean;
    /** What it leaves out is so of most: an idle object of the change's label that is deleted or replaced. */
    load(change: Change, live: Live, plan: Plan): Partial<Load>;
  };
}

/** Sentences, of which those that don't apply are false. */
type Sentences = readonly (Text | false)[];

export function shown(sentences: Sentences = []): Text[] {
  return sentences.filter((one) => one !== false);
}

/** What a report says about a change, before places and the present load are added to it. */
export interface Remark {
  /** `` Queue `small` ``. Default: the resource type and the object's name */
  readonly subject?: Text;
  /** `` is replaced by `tiny` `` */
  readonly predicate: Text;
  /** What follows. */
  readonly rest?: Sentences;
  /** Default: what the remark is about is a danger if it is lost, and people notice it otherwise. */
  readonly level?: "danger" | "caution";
}

/** What a change hits now. */
export interface Load {
  /** The object's label, or that of what it is a part of. */
  readonly label: string;
  /** For programs. */
  readonly effect: "delete" | "replace" | "pause" | "resume" | "switch" | "restrict" | "revoke" | "hide";
  /** Jobs run in what disappears, or may start there at any moment. */
  readonly busy: boolean;
  /** Undefined where jobs do not matter, or could not be read. */
  readonly figures: Figures | undefined;
  /** Connected agents; undefined where they do not matter, or could not be read. */
  readonly agents: number | undefined;
  /** In words; undefined where nothing is counted, or could be. */
  readonly now?: string | undefined;
  readonly lines: Sentences;
  /** Why the service or the provider refuses it, so that the deployment stops halfway. */
  readonly refusal?: Refusal | undefined;
}

/** A refusal of the service or the provider that can be foreseen. */
export interface Refusal extends Required<Remark> {
  /** False where it depends on something that the API doesn't show. */
  readonly certain: boolean;
}

export function refusal(certain: boolean, why: Text, ...rest: readonly Text[]): Refusal {
  const predicate = [`${certain ? "will" : "may"} stop halfway`, ...why];
  const subject = ["The deployment"];
  return { certain, level: "danger", subject, predicate, rest };
}

export function refusedForAgents(subject: Text, keys: readonly string[]): Refusal | undefined {
  if (keys.length === 0) return undefined;
  const tags = [`tag${keys.length === 1 ? "" : "s"} `, ...listed(keys.map((key) => `queue=${key}`))];
  return refusal(
    false,
    text` at ${subject}: agents with the ${tags} are connected (the API doesn't show in which cluster), and a queue with connected agents isn't deleted`,
    ["Stop them first."],
  );
}

export function loadOf(live: Live, jobs: readonly LiveJob[]) {
  if (live.jobs.extent === "missing") return { figures: undefined, now: undefined, lines: [] };
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
