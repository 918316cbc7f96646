import type { Figures } from "../load/figures.js";
import { durationInWords, figuresInWords } from "../load/words.js";
import type { PlannedChange } from "./change.js";
import type { Live } from "./live.js";
import type { Text } from "./text.js";

/** Effect on an object, for programs. */
export type Effect = "delete" | "replace" | "pause" | "resume" | "switch" | "restrict" | "revoke" | "hide";

/** Impact of a change. */
export interface Finding {
  readonly kind: string;
  readonly urn: string;
  readonly label: string;
  /** Label and resource type of what it is in: a cluster's name. */
  readonly place: string | undefined;
  readonly placeKind: string | undefined;
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
}

/** Returns the part of a finding that is the same for all kinds. */
export function aboutChange({
  kind,
  urn,
  label,
  parentKind,
  parentName,
}: PlannedChange): Pick<Finding, "kind" | "urn" | "label" | "place" | "placeKind"> {
  return { kind, urn, label, place: parentName, placeKind: parentKind };
}

/** `3 running, 12 waiting, the oldest for 4 min`. */
export function nowInWords(figures: Figures | undefined, live: Live): string {
  if (figures === undefined) return "not counted";
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
