import type { Action } from "../messages/actions.js";
import { counted } from "../messages/nouns.js";
import type { Change } from "../review/change.js";
import type { Danger } from "./dangers.js";
import type { Plan } from "./plan.js";
import { sumsOf } from "./words.js";

/** The first thing that a reviewer reads. */
export interface Verdict {
  /** `clear`: confirmed. `open`: no danger was found, but some data is missing. */
  readonly level: "danger" | "caution" | "clear" | "open";
  /** `3 dangerous`, `5 noticeable`, `12 others`. */
  readonly parts: readonly string[];
  /** Sentences of the report that are about a danger, or about something that people notice. */
  readonly dangerous: number;
  readonly noticeable: number;
  /** Changes that no sentence is about. */
  readonly others: number;
}

/** What decides whether a report may reassure. */
interface Known {
  readonly plan: Plan;
  readonly changes: readonly Change[];
  readonly dangers: readonly Danger[];
  readonly warnings: readonly string[];
  /** Resources of other packages, by step. */
  readonly others: Readonly<Record<string, number>>;
}

/** Returns how many changes there are of each action, or what is proven where there are none. */
export function summaryOf(known: Known): readonly { readonly text: string; readonly action?: Action }[] {
  const { plan, changes } = known;
  const sums = sumsOf(changes, plan.drift);
  if (sums.length > 0 || plan.failed) return sums;
  if (isProven(known)) return [{ text: "No changes" }];
  return [
    {
      text: plan.drift
        ? "The refresh shows no drift"
        : "The preview shows no change of a resource of this package",
    },
  ];
}

/** Returns the verdict on a deployment. "Nothing dangerous" is said only if nothing that could contradict it is missing. */
export function verdictOf(known: Known): Verdict {
  const { plan, changes, dangers } = known;
  const count = (wanted: Danger["level"]) => dangers.filter(({ level }) => level === wanted).length;
  const [dangerous, noticeable] = [count("danger"), count("caution")];
  const named = new Set(dangers.flatMap(({ of }) => of));
  const others = changes.filter((change) => !named.has(change)).length;
  const isClear = dangerous === 0 && isProven(known) && !changes.some(hasUnknown);
  const isBroken = plan.failed || plan.interrupted !== undefined;
  const noun = plan.drift ? "out-of-band change" : dangers.length > 0 ? "other" : "change";
  const parts = [
    ...(plan.failed ? [`The ${plan.drift ? "refresh" : "preview"} failed`] : []),
    ...(plan.interrupted ? ["The last deployment was interrupted"] : []),
    ...(changes.length === 0 ? summaryOf(known).map(({ text }) => text) : []),
    ...(dangerous > 0 ? [`${dangerous} dangerous`] : []),
    ...(isClear && changes.length > 0 && !plan.drift ? ["Nothing dangerous"] : []),
    ...(noticeable > 0 ? [`${noticeable} noticeable`] : []),
    ...(others > 0 ? [counted(others, noun)] : []),
    ...(changes.length > 0 && dangerous === 0 && !isClear && !isBroken ? ["not everything is checked"] : []),
  ];
  const level =
    isBroken || dangerous > 0 ? "danger" : noticeable > 0 ? "caution" : isClear ? "clear" : "open";
  return { level, parts, dangerous, noticeable, others };
}

/** Returns whether everything that could contradict a reassuring sentence was read and is complete. */
function isProven({ plan, warnings, others }: Known): boolean {
  const { gaps, failed, interrupted, masking, drift } = plan;
  const hasOthers = !drift && Object.keys(others).length > 0;
  return (
    gaps.length === 0 &&
    !failed &&
    interrupted === undefined &&
    warnings.length === 0 &&
    !hasOthers &&
    !masking.withholds
  );
}

/** An argument that is known only after the deployment may turn out to be a danger. */
function hasUnknown({ action, changed }: Change): boolean {
  return action === "update" && changed.some(({ unknown }) => unknown);
}
