import { oneLine } from "../../shared/messages/foreign-text.js";
import { ArgumentError, BuildPipelineError, nameErrors } from "../errors/build-pipeline-error.js";
import type { Clock } from "../transport/options.js";
import type { Build } from "./build.js";

/** How to follow a build to its end. */
export interface FollowOptions {
  /** Called with the build after each read, including the last. If this function throws, the call fails with that error. */
  onProgress?: ((build: Build) => void) | undefined;
  /**
   * Milliseconds between the first two reads. While the build doesn't change, the interval grows to 30 seconds.
   * Default: 2,000.
   */
  intervalMs?: number | undefined;
  /** Milliseconds after which the call fails with a {@link FollowTimeoutError}. Default: no limit. */
  timeoutMs?: number | undefined;
  /** Aborts the call, which then rejects with the signal's reason. The build continues. */
  signal?: AbortSignal | undefined;
}

const GROWTH = 1.5;
const LONGEST_INTERVAL = 30_000;

const ENDS: ReadonlySet<string> = new Set(["passed", "failed", "blocked", "canceled"]);
const ON_THE_WAY: ReadonlySet<string> = new Set(["scheduled", "running", "failing", "canceling"]);

/** Checks whether a build has ended, or waits for a person. */
function hasEnded(build: Build): boolean {
  if (ENDS.has(build.state) || build.blocked === true) return true;
  // A build in an undocumented state is still running, unless the API says when it finished.
  return !ON_THE_WAY.has(build.state) && typeof build.finished_at === "string";
}

export async function follow(
  look: () => Promise<Build>,
  { pipeline, number, clock }: { pipeline: string; number: number; clock: Clock },
  { onProgress, intervalMs = 2_000, timeoutMs = Number.POSITIVE_INFINITY, signal }: FollowOptions,
): Promise<Build> {
  if (!(intervalMs > 0)) throw new ArgumentError("intervalMs", "must be above zero");
  if (!(timeoutMs >= 0)) throw new ArgumentError("timeoutMs", "must be zero or above");
  const start = clock.now();
  let slept = 0;
  let interval = intervalMs;
  let before: string | undefined;
  for (;;) {
    const build = await look();
    onProgress?.(build);
    if (hasEnded(build)) return build;
    // Also compares the sum of the waits, so that the loop ends if the clock stands still.
    const left = timeoutMs - Math.max(clock.now() - start, slept);
    if (left <= 0) throw new FollowTimeoutError(pipeline, number, build.state, timeoutMs);
    const now = progressOf(build);
    interval =
      now === before ? Math.min(interval * GROWTH, Math.max(LONGEST_INTERVAL, intervalMs)) : intervalMs;
    before = now;
    const wait = Math.min(interval, left);
    await clock.sleep(wait, signal);
    slept += wait;
  }
}

/** Returns the states of a build and its jobs, which show whether two reads differ. */
function progressOf({ state, jobs }: Build): string {
  return [state, ...(jobs ?? []).map((job) => `${job.id}=${job.state}`)].join();
}

/** A followed build did not end within `timeoutMs`. The build continues. */
export class FollowTimeoutError extends BuildPipelineError {
  /** Slug of the pipeline. */
  readonly pipeline: string;
  /** Number of the build. */
  readonly number: number;
  /** The build's last known state. */
  readonly state: string;
  /** The limit, in milliseconds. */
  readonly timeoutMs: number;

  constructor(pipeline: string, number: number, state: string, timeoutMs: number) {
    const shown = oneLine(state, 100);
    super(
      "build-unfinished",
      // Error build-unfinished: A build that the client follows did not end within `timeoutMs`.
      // Fix: Follow it again, or cancel it.
      `Build ${number} of pipeline ${pipeline} is still ${shown} after ${timeoutMs} ms. The build continues. ` +
        "Follow it again with a longer timeoutMs, or cancel it.",
    );
    this.pipeline = pipeline;
    this.number = number;
    this.state = shown;
    this.timeoutMs = timeoutMs;
  }
}

nameErrors({ FollowTimeoutError });
