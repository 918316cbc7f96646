import { type Text, text } from "../review/text.js";
import type { Preview, Step } from "./preview.js";
import type { StackState } from "./stack-state.js";
import type { Phases } from "./steps.js";

/** Data that is missing from the inputs of a report, so that the report makes no statement about it. */
export interface Gap {
  /** `steps`: the preview ended, and nothing of it is missing. */
  readonly what: "steps" | "pending deletions" | "out-of-band changes";
  /** What is not known, and what shows it. */
  readonly message: Text;
}

/** Operations that steps and counts both have. */
const COUNTED = ["create", "update", "replace", "delete", "import"];

/** Returns what a preview, and the state that was given with it, don't show. */
export function gapsOf(
  { counts }: Preview,
  { refreshed }: Phases,
  { drift, steps, state }: { drift: boolean; steps: readonly Step[]; state: StackState | undefined },
): Gap[] {
  const gaps: Gap[] = [];
  const isWhole = COUNTED.every((op) => steps.filter((step) => step.op === op).length >= (counts?.[op] ?? 0));
  if (counts === undefined || !isWhole) {
    gaps.push({ what: "steps", message: ["the rest of the preview: a part of its output is missing"] });
  }
  const read = new Set(refreshed.map(({ urn }) => urn));
  const isRefreshed =
    refreshed.length > 0 &&
    (state?.resources ?? []).every(
      ({ urn, external, pendingDeletion }) => external || pendingDeletion || read.has(urn),
    );
  if (state === undefined && !isRefreshed) {
    gaps.push({
      what: "pending deletions",
      message: text`deletions that an earlier deployment left pending (give ${"--stack-export"} the output of ${"pulumi stack export"})`,
    });
  }
  if (!drift && !isRefreshed) {
    gaps.push({
      what: "out-of-band changes",
      message: text`changes outside of the program (preview with ${"--refresh"})`,
    });
  }
  return gaps;
}
