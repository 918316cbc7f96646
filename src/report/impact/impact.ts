import { type Change, disappears } from "../../review/change.js";
import type { Finding } from "../../review/finding.js";
import { reviews } from "../../review/index.js";
import type { Gap, Live } from "../../review/live.js";
import type { Managed, Needs } from "../../review/review.js";

/** Jobs and agents that a preview's changes would affect now. */
export interface Impact {
  /** Busy ones first. */
  readonly findings: readonly Finding[];
  /** Jobs run in something that would disappear, or may start there at any moment. */
  readonly busy: boolean;
  /** Something that decides whether it is busy could not be read. */
  readonly uncertain: boolean;
  readonly gaps: readonly Gap[];
  /** Open jobs that name no cluster, as in organizations without clusters; they count for no queue. */
  readonly jobsWithoutCluster: number;
  /** When each figure was read; the service's time. Undefined if it was not needed. */
  readonly readAt: { readonly jobs?: string; readonly agents?: string; readonly clusters?: string };
  /** True if there are more open builds than were read. */
  readonly atLeast: boolean;
  readonly requests: number;
}

/** Returns the data that a plan's impact needs. */
export function needsOf(plan: readonly Change[]): Needs[] {
  return concerned(plan).map(({ needs }) => needs);
}

/** Compares a plan with the data that was read for it. */
export function impactOf(plan: readonly Change[], live: Live, managed: readonly Managed[]): Impact {
  const own = concerned(plan);
  const findings = own.map(({ change, impact }) => impact.finding(change, live, plan, managed));
  const needsJobs = own.some(({ needs }) => needs.jobs);
  const decides = own.some(({ change, needs }) => needs.jobs && disappears(change));
  return {
    findings: findings.sort(byWeight),
    busy: findings.some(({ busy }) => busy),
    uncertain:
      decides && (live.jobs.extent !== "complete" || live.gaps.some(({ what }) => what === "clusters")),
    gaps: live.gaps,
    jobsWithoutCluster: needsJobs
      ? live.jobs.items.filter(({ clusterId }) => clusterId === undefined).length
      : 0,
    readAt: {
      ...(needsJobs && live.jobs.extent !== "missing" && { jobs: live.jobs.at }),
      ...(own.some(({ needs }) => needs.agents) &&
        live.agents.extent !== "missing" && { agents: live.agents.at }),
      ...(live.clusters.size > 0 && { clusters: live.now.toISOString() }),
    },
    atLeast: needsJobs && live.jobs.extent === "partial",
    requests: live.requests,
  };
}

/** Returns the changes that may hit something. A deleted cluster speaks for all that is in it. */
function concerned(plan: readonly Change[]) {
  const gone = new Set(plan.filter(disappears).map(({ kind, id }) => `${kind} ${id}`));
  return plan.flatMap((change) => {
    const impact = reviews[change.kind]?.impact;
    if (impact === undefined || gone.has(`${change.place?.kind} ${change.place?.id}`)) return [];
    const needs = impact.needs(change);
    return needs === undefined ? [] : [{ change, impact, needs }];
  });
}

function byWeight(one: Finding, other: Finding): number {
  const jobs = ({ figures }: Finding) => (figures?.running ?? 0) * 1_000_000 + (figures?.waiting ?? 0);
  return (
    Number(other.busy) - Number(one.busy) ||
    jobs(other) - jobs(one) ||
    (one.place?.name ?? "").localeCompare(other.place?.name ?? "") ||
    one.label.localeCompare(other.label)
  );
}
