import type { Query } from "../api/query.js";

/**
 * States to filter by; `finished` includes `passed`, `failed`, `blocked` and `canceled`. The client also sends other
 * values.
 */
export type BuildStateFilter =
  | "scheduled"
  | "running"
  | "failing"
  | "passed"
  | "failed"
  | "blocked"
  | "canceled"
  | "finished"
  | (string & {});

/** Filters for a list of builds. */
export interface BuildQuery {
  /** One branch, or several. */
  branch?: string | readonly string[] | undefined;
  /** Full commit hash. A shortened hash matches no build. */
  commit?: string | undefined;
  /** Builds created at this time or later: a Date, or ISO 8601 text. */
  created_from?: Date | string | undefined;
  /** Builds created before this time: a Date, or ISO 8601 text. */
  created_to?: Date | string | undefined;
  /** Builds finished at this time or later: a Date, or ISO 8601 text. */
  finished_from?: Date | string | undefined;
  /** User who created the build. The format is not documented, so the client sends the value unchanged. */
  creator?: string | undefined;
  /** True includes every retried execution of a job, not only the latest execution of each step. */
  include_retried_jobs?: boolean | undefined;
  /** Lists only builds with this meta-data, by key. */
  meta_data?: Readonly<Record<string, string>> | undefined;
  /** One state, or several. */
  state?: BuildStateFilter | readonly BuildStateFilter[] | undefined;
}

/** Options for reading one build. */
export interface BuildGetQuery {
  /** True includes every retried execution of a job, not only the latest execution of each step. */
  include_retried_jobs?: boolean | undefined;
}

/** Returns the documented parameters of a build list, so that the client sends no others. */
export function buildParameters(query: BuildQuery): Query {
  const { branch, commit, created_from, created_to, finished_from, creator, meta_data, state } = query;
  const filters = { branch, commit, created_from, created_to, finished_from, creator };
  return { ...filters, ...retriedJobs(query), meta_data, state };
}

/** The API reads any value of the parameter as true, so the client omits the parameter for false. */
export function retriedJobs({ include_retried_jobs }: BuildGetQuery): Query {
  return include_retried_jobs === true ? { include_retried_jobs } : {};
}
