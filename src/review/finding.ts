import { durationInWords, type Figures, figuresInWords } from "../load/figures.js";
import type { Change } from "./change.js";
import type { Live } from "./live.js";
import { listed, type Text, text } from "./text.js";

/** Effect on an object, for programs. */
export type Effect = "delete" | "replace" | "pause" | "resume" | "switch" | "restrict" | "revoke" | "hide";

/** Impact of a change. */
export interface Finding {
  readonly change: Change;
  /** The object's label, or that of what it is a part of. */
  readonly label: string;
  readonly effect: Effect;
  /** `` Queue `small` `` and `` is replaced by `tiny` ``: the cluster's name, or several, come between or after them. */
  readonly subject: Text;
  readonly predicate: Text;
  /** Jobs run in what disappears, or may start there at any moment. */
  readonly busy: boolean;
  /** Undefined where jobs do not matter, or could not be read. */
  readonly figures: Figures | undefined;
  /** Connected agents; undefined where they do not matter, or could not be read. */
  readonly agents: number | undefined;
  /** The present load, in words. */
  readonly now: string;
  /** Consequences, a line each. */
  readonly lines: readonly Text[];
  /** Why the service or the provider refuses it, so that the deployment stops halfway. */
  readonly refusal?: Refusal | undefined;
}

/** A refusal that can be foreseen. */
export interface Refusal {
  /** False where it depends on something that the API doesn't show. */
  readonly certain: boolean;
  readonly message: Text;
}

/** Returns the refusal of a deletion because of connected agents; undefined without any. */
export function refusedForAgents(subject: Text, keys: readonly string[]): Refusal | undefined {
  if (keys.length === 0) return undefined;
  const tags = [`tag${keys.length === 1 ? "" : "s"} `, ...listed(keys.map((key) => `queue=${key}`))];
  return {
    certain: false,
    message: text`The deployment may stop halfway at ${subject}: agents with the ${tags} are connected (the API doesn't show in which cluster), and a queue with connected agents isn't deleted. Stop them first.`,
  };
}

/** The present load where it could not be read. */
export const NOT_COUNTED = "not counted";

/** `3 running, 12 waiting, the oldest for 4 min`. */
export function nowInWords(figures: Figures | undefined, live: Live): string {
  if (figures === undefined) return NOT_COUNTED;
  const words = figuresInWords(figures, live.jobs.extent === "complete");
  const { oldestWaitSeconds } = figures;
  return oldestWaitSeconds === undefined || oldestWaitSeconds === 0
    ? words
    : `${words}, the oldest for ${durationInWords(oldestWaitSeconds)}`;
}

const MOST_PIPELINES = 5;

/** Jobs by pipeline: `` `storefront`: 2 running, 9 waiting``. */
export function pipelineLines({ pipelines }: Figures): Text[] {
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
