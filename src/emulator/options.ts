import type { RateLimits } from "./http/limits.js";
import type { Variations } from "./variations.js";

/** How an emulator is started. Everything may be left out. */
export interface EmulatorOptions {
  /** A loopback address, because the emulator's access tokens don't protect it. Default `127.0.0.1`. */
  host?: string;
  /** 0 takes any free port. Default 0. */
  port?: number;
  /**
   * The file for the state, a SQLite database: made when it is not there, continued when it is. It holds secrets in
   * plain text. One emulator at a time. Without it everything is in memory.
   */
  data?: string;
  /**
   * True if a new organization starts with objects that the API can't create. These are a pipeline `storefront` and its
   * builds, three agents, two members, and runs of a suite. Default true. The organization and its access tokens always
   * exist.
   */
  seed?: boolean;
  /** The organization's slug: lower-case letters, digits and hyphens. Default `acme`, or what the file has. */
  organization?: string;
  /**
   * Rate limits: `real` is 200 a minute for the organization and 50 for a user. Default `off`, which also
   * leaves the rate-limit headers out.
   */
  limits?: "off" | "real" | RateLimits;
  /** Where all times and limit windows come from. Default: real time. */
  clock?: () => Date;
  /**
   * Has agents work by themselves: an idle agent takes the next job of its queue, and each job passes after this many
   * seconds of `clock`. Default: jobs move when a test says so (`dispatchJobs`, `finishJobs`, `moveJob`).
   */
  jobSeconds?: number;
  /** Answers to questions that the API's documentation leaves open. They come before those of `like`. */
  variations?: Partial<Variations>;
  /** What `buildpipeline probe --json` printed of a live service: the emulator then gives the same answers. */
  like?: { readonly answers: Readonly<Record<string, unknown>> };
}
