import type { Reading } from "../shared/inventory/reading.js";
import type { LiveJob } from "../shared/workload/job.js";

/** How a drain ended. `overtaken`: someone resumed a queue meanwhile. */
export type DrainEnd = "drained" | "timeout" | "interrupted" | "overtaken";

/** The jobs that a look showed. They are complete only if all open builds were read. */
export interface Look extends Reading<LiveJob> {
  /** Requests for all open builds. */
  readonly pages: number;
}

/** What a drain knows after a look. */
export interface Situation {
  /** Undefined if the look failed. */
  readonly look: Look | undefined;
  /** The jobs of the look that run in the queues. */
  readonly running: readonly LiveJob[];
  /** Looks that failed one after another. */
  readonly failures: number;
  readonly isOvertaken: boolean;
  readonly isInterrupted: boolean;
  readonly isTimeUp: boolean;
}

/** What a drain does next: it ends, or looks again, after a wait or immediately. */
export type Step =
  | { readonly end: DrainEnd | "failed" }
  /** @property follow the jobs with builds that are read by themselves. Default: all open builds are read */
  | { readonly end?: undefined; readonly waits: boolean; readonly follow?: readonly LiveJob[] };

/** Looks that may fail one after another. */
const MOST_FAILURES = 5;

/** Decides what a drain does after a look. Only a look at all open builds shows that a queue is idle. */
export function nextStep(situation: Situation): Step {
  const { look, running, failures, isOvertaken, isInterrupted, isTimeUp } = situation;
  if (isInterrupted) return { end: "interrupted" };
  if (failures >= MOST_FAILURES) return { end: "failed" };
  if (isOvertaken) return { end: "overtaken" };
  const isIdle = look !== undefined && running.length === 0;
  if (isIdle && look.extent === "complete") return { end: "drained" };
  // The jobs that were followed have ended, and others may have started before the pause.
  if (isIdle && look.unread === undefined) return { waits: false };
  if (isTimeUp) return { end: "timeout" };
  return look !== undefined && areFew(running, look) ? { waits: true, follow: running } : { waits: true };
}

/** Checks whether reading the builds of jobs takes no more requests than reading all open builds. */
function areFew(jobs: readonly LiveJob[], { pages }: Look): boolean {
  const builds = buildsOf(jobs);
  return builds.length > 0 && builds.length <= pages && builds.every(({ pipeline }) => pipeline !== "");
}

/** Returns the builds of jobs. */
export function buildsOf(jobs: readonly LiveJob[]): Pick<LiveJob, "pipeline" | "build">[] {
  return [...new Map(jobs.map((job) => [`${job.pipeline} ${job.build}`, job])).values()];
}
