import type { Query } from "../api/query.js";

/** States to filter by; `finished` stands for `passed`, `failed`, `blocked` and `canceled`. Others pass through. */
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

/** Which builds to list. */
export interface BuildQuery {
  /** One branch, or several. */
  branch?: string | readonly string[] | undefined;
  /** A full commit hash: shortened ones match nothing. */
  commit?: string | undefined;
  /** Builds created at this time or later: a Date, or ISO 8601 text. */
  created_from?: Date | string | undefined;
  /** Builds created before this time: a Date, or ISO 8601 text. */
  created_to?: Date | string | undefined;
  /** Builds finished at this time or later: a Date, or ISO 8601 text. */
  finished_from?: Date | string | undefined;
  /** The user who created the build; its form is not documented, so it is passed on as given. */
  creator?: string | undefined;
  /** True if each build lists every retried execution of a job, not only the latest of each step. */
  include_retried_jobs?: boolean | undefined;
  /** Builds with this meta-data, by key. */
  meta_data?: Readonly<Record<string, string>> | undefined;
  /** One state, or several. */
  state?: BuildStateFilter | readonly BuildStateFilter[] | undefined;
}

/** How to read one build. */
export interface BuildGetQuery {
  /** True if it lists every retried execution of a job, not only the latest of each step. */
  include_retried_jobs?: boolean | undefined;
}

/** Returns the parameters of a build list, in the document's names; others are not sent. */
export function buildParameters(query: BuildQuery): Query {
  const { branch, commit, created_from, created_to, finished_from, creator, meta_data, state } = query;
  return {
    branch,
    commit,
    created_from,
    created_to,
    finished_from,
    creator,
    ...retriedJobs(query),
    meta_data,
    state,
  };
}

/** The parameter counts as soon as it is given, whatever its value: false is said by leaving it out. */
export function retriedJobs({ include_retried_jobs }: BuildGetQuery): Query {
  return include_retried_jobs === true ? { include_retried_jobs } : {};
}
