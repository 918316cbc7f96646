import type { BuildPipelineClient } from "../../client/index.js";
import { capitalized } from "../../shared/messages/nouns.js";
import { type Change, disappears, type Managed } from "../shared/plan/change.js";
import { deployed, organizationOf, type Plan, planOf } from "../shared/plan/plan.js";
import type { Text } from "../shared/plan/text.js";
import type { Preview } from "../shared/pulumi/preview.js";
import type { StackState } from "../shared/pulumi/stack-export.js";
import { remarksOf } from "./dangers.js";
import { lostIn } from "./losses.js";
import { type LiveReferences, lostKeys, removedKeys } from "./queue-references.js";
import { reviews } from "./remarks/index.js";
import { type Gap, type Live, namesIn } from "./remarks/live.js";
import type { ImpactOptions } from "./remarks/read.js";
import type { Finding, OwnFinding } from "./remarks/review.js";
import { subjectOf } from "./sentences.js";

/** Jobs and agents that a preview's changes would affect now. */
export interface Impact {
  /** Busy ones first. */
  readonly findings: readonly Finding[];
  /** Jobs run in something that would disappear, or may start there at any moment. */
  readonly busy: boolean;
  /** Something that decides whether it is busy could not be read. */
  readonly uncertain: boolean;
  readonly gaps: readonly Gap[];
  /** Open jobs that name no cluster, as in organizations without clusters; they are not assigned to a queue. */
  readonly jobsWithoutCluster: number;
  /** When each figure was read; the service's time. Undefined if it was not needed. */
  readonly readAt: { readonly jobs?: string; readonly agents?: string; readonly clusters?: string };
  /** True if there are more open builds than were read. */
  readonly atLeast: boolean;
  readonly requests: number;
}

/** Compares a plan with the data that was read for it. @param organization the one that was read */
function impactOf(
  plan: readonly Change[],
  live: Live,
  managed: readonly Managed[],
  organization: string,
): Impact {
  const own = concerned(plan, organization);
  const others = new Set(concerned(plan).flatMap(({ change }) => organizationOf(change) ?? []));
  others.delete(organization);
  const findings = own.map(({ change, impact }) =>
    findingOf(change, plan, managed, impact.finding(change, live, plan, managed)),
  );
  const needsJobs = own.some(({ needs }) => needs.jobs);
  const gone = own.filter(({ change }) => disappears(change));
  const decides = gone.some(({ needs }) => needs.jobs);
  return {
    findings: findings.sort(byWeight),
    busy: findings.some(({ busy }) => busy),
    uncertain:
      others.size > 0 ||
      gone.some(({ needs: { runsOf } }) => runsOf !== undefined && !live.runs.has(runsOf.id)) ||
      (decides && (live.jobs.extent !== "complete" || live.gaps.some(({ what }) => what === "clusters"))),
    gaps: [...(others.size > 0 ? [notRead([...others], organization)] : []), ...live.gaps],
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

function notRead(others: readonly string[], organization: string): Gap {
  const reason = `the settings name the organization ${organization}, and the preview changes objects of ${others.join(", ")}`;
  return { what: "jobs and agents", reason };
}

function findingOf(
  change: Change,
  plan: readonly Change[],
  managed: readonly Managed[],
  own: OwnFinding,
): Finding {
  const [remark] = remarksOf(change, plan, managed);
  return {
    change,
    label: change.label,
    effect: change.action === "replace" ? "replace" : "delete",
    what: [...(remark?.subject ?? subjectOf(change)), " ", ...(remark?.predicate ?? ["changes"])],
    busy: false,
    figures: undefined,
    agents: undefined,
    lines: [],
    ...own,
  };
}

/**
 * Returns the changes that may hit something. A deleted cluster speaks for all that is in it.
 *
 * @param organization leaves out changes that are known to be in another one. Default: all
 */
function concerned(plan: readonly Change[], organization?: string) {
  const gone = new Set(plan.filter(disappears).map(({ kind, id }) => `${kind} ${id}`));
  return plan.flatMap((change) => {
    if (organization !== undefined && (organizationOf(change) ?? organization) !== organization) return [];
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
    (one.change.place?.name ?? "").localeCompare(other.change.place?.name ?? "") ||
    one.label.localeCompare(other.label)
  );
}

/** One sentence that says whether the deployment should wait. It is reassuring only if no data is missing. */
export function headlineOf(plan: Plan, { findings, busy, uncertain }: Impact): Text {
  const isKnown = !plan.failed && plan.gaps.every(({ what }) => what === "out-of-band changes");
  if (busy) {
    const own = findings.filter((one) => one.busy);
    const sum = (of: "running" | "waiting") =>
      own.reduce((total, { figures }) => total + (figures?.[of] ?? 0), 0);
    const what = own.length === 1 ? "something" : `${own.length} things`;
    const atLeast = own.some(({ now }) => now.startsWith("at least")) ? "at least " : "";
    return [
      `Busy: ${atLeast}${sum("running")} running, ${sum("waiting")} waiting in ${what} that this change deletes or replaces.`,
    ];
  }
  if (plan.failed && deployed(plan).length === 0) {
    return ["The preview failed, so nothing is known about what the changes would hit."];
  }
  if (plan.drift && findings.length === 0 && isKnown) return ["A refresh changes nothing on the service."];
  if (uncertain) {
    return ["Not everything could be read, so jobs may run in what this change deletes or replaces."];
  }
  if (findings.length > 0 || lostIn(plan).length > 0) {
    return [
      isKnown
        ? "No job runs in anything that this change deletes or replaces."
        : "No job runs in what the preview shows to be deleted or replaced.",
    ];
  }
  return isKnown
    ? ["The changes touch nothing that jobs, agents or pipelines use."]
    : ["Nothing that the preview shows is used by jobs, agents or pipelines."];
}

/** Returns the limits of the figures: the time of reading, and gaps. */
export function notesOf({ gaps, readAt, atLeast, jobsWithoutCluster, requests, findings }: Impact): Text[] {
  const notes: Text[] = [];
  for (const { what, reason, scope } of gaps) {
    const extent = atLeast && what === "jobs" ? "were read in part" : "are missing";
    // A reason without a scope may quote the service.
    notes.push([`${capitalized(what)} ${extent}: `, scope === undefined ? { code: reason } : reason, "."]);
  }
  if (atLeast && !gaps.some(({ what }) => what === "jobs"))
    notes.push(["There are more open builds than were read, so figures are the least there is."]);
  if (jobsWithoutCluster > 0)
    notes.push([
      `${jobsWithoutCluster} open ${jobsWithoutCluster === 1 ? "job names" : "jobs name"} no cluster, as in organizations without clusters. They count for no queue.`,
    ]);
  if (findings.some(({ agents }) => agents !== undefined))
    notes.push(["Agents count by their tags: the API does not show an agent's cluster."]);
  const times = Object.entries(readAt).map(([what, at]) => `${what} ${at.slice(11, 19)}`);
  const [first] = Object.values(readAt);
  if (first !== undefined)
    notes.push([`Read ${first.slice(0, 10)}: ${times.join(", ")} (UTC), with ${requests} requests.`]);
  return notes;
}

/** A plan with names from the service, and its impact. */
export interface PlanWithImpact {
  readonly plan: Plan;
  readonly impact: Impact;
  readonly references: LiveReferences;
}

/** Reads which jobs and agents a deployment would affect now. A refresh itself affects none; only pending deletions do. */
export async function readImpact(
  client: BuildPipelineClient,
  preview: Preview,
  state: StackState | undefined,
  options: ImpactOptions,
): Promise<PlanWithImpact> {
  // A report without an impact needs no client, which takes its time to load.
  const { readLive, readQueues, readTemplates } = await import("./remarks/read.js");
  const shown = planOf(preview, state);
  const changes = deployed(shown);
  // Templates are read only if a queue's key is removed, and queues only if a template names a key that the stack lacks.
  const templates = removedKeys(changes).size > 0 ? await readTemplates(client, options) : [];
  const isLost = lostKeys(changes, shown.managed, { templates, queues: undefined }).length > 0;
  const references = { templates, queues: isLost ? await readQueues(client, options) : undefined };
  const needs = concerned(changes, client.organization).map((one) => one.needs);
  const live = await readLive(client, needs, options);
  const plan = planOf(preview, state, namesIn(live));
  return { plan, references, impact: impactOf(deployed(plan), live, plan.managed, client.organization) };
}
