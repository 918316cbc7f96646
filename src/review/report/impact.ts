import { disappears } from "../../cli/drawing/actions.js";
import { ofKind } from "../../cli/inventory/live-object.js";
import type { Preview } from "../../cli/pulumi/preview.js";
import type { StackState } from "../../cli/pulumi/stack-export.js";
import type { BuildPipelineClient } from "../../client/index.js";
import { Queue } from "../../provider/resources/index.js";
import { alphabetically } from "../../shared/messages/alphabet.js";
import { capitalized } from "../../shared/messages/nouns.js";
import { organizationOf, type Plan, planOf } from "../plan/plan.js";
import type { Text } from "../plan/text.js";
import { assess, concerned, type Finding, subjectOf } from "./assessment.js";
import { lostIn } from "./dangers.js";
import { lostKeys, removedKeys } from "./remarks/queue-references.js";
import type { Gap, ImpactOptions, Live } from "./remarks/read.js";
import type { Load } from "./remarks/review.js";

/** What a deployment would hit now. */
export interface Impact {
  /** The busiest first. */
  readonly findings: readonly (Hit & { readonly what: Text })[];
  /** Jobs run in something that would disappear, or may start there at any moment. */
  readonly busy: boolean;
  /** Something that decides whether it is busy could not be read. */
  readonly uncertain: boolean;
  readonly gaps: readonly Gap[];
  /** Open jobs that name no cluster, as in organizations without clusters; they are not assigned to a queue. */
  readonly jobsWithoutCluster: number;
  /** When each figure was read; the service's time. Missing if it was not needed. */
  readonly readAt: Readonly<Partial<Record<"jobs" | "agents" | "clusters", string>>>;
  /** True if there are more open builds than were read. */
  readonly atLeast: boolean;
  readonly requests: number;
}

function impactOf(plan: Plan, judged: readonly Finding[], live: Live, organization: string): Impact {
  const others = new Set(
    concerned(plan).flatMap(({ change, loadNow }) => (loadNow && organizationOf(change)) ?? []),
  );
  others.delete(organization);
  const findings = judged
    .flatMap(({ change, load, remarks: [remark] }) => {
      if (load === undefined) return [];
      const { subject = subjectOf(change), predicate = ["changes"] } = remark ?? {};
      return { change, what: [...subject, " ", ...predicate], ...load };
    })
    .sort(byWeight);
  const needsJobs = judged.some(({ reads }) => reads.includes("jobs"));
  const decides = judged.some(({ change, reads }) => disappears(change) && reads.includes("jobs"));
  const elsewhere: Gap = {
    what: "jobs and agents",
    reason: `the settings name the organization ${organization}, and the preview changes objects of ${[...others].join(", ")}`,
  };
  return {
    findings,
    busy: findings.some(({ busy }) => busy),
    uncertain:
      others.size > 0 ||
      live.areRunsMissing ||
      (decides && (live.jobs.extent !== "complete" || live.gaps.some(({ what }) => what === "clusters"))),
    gaps: others.size > 0 ? [elsewhere, ...live.gaps] : live.gaps,
    jobsWithoutCluster: needsJobs
      ? live.jobs.items.filter(({ clusterId }) => clusterId === undefined).length
      : 0,
    readAt: {
      ...(needsJobs && live.jobs.extent !== "missing" && { jobs: live.jobs.at }),
      ...(judged.some(({ reads }) => reads.includes("agents")) &&
        live.agents.extent !== "missing" && { agents: live.agents.at }),
      ...(live.hasClusters && { clusters: live.now.toISOString() }),
    },
    atLeast: needsJobs && live.jobs.extent === "partial",
    requests: live.requests,
  };
}

type Hit = Load & Pick<Finding, "change">;

function byWeight(one: Hit, other: Hit): number {
  const jobs = ({ figures }: Hit) => (figures?.running ?? 0) * 1_000_000 + (figures?.waiting ?? 0);
  return (
    Number(other.busy) - Number(one.busy) ||
    jobs(other) - jobs(one) ||
    alphabetically(one.change.place?.name ?? "", other.change.place?.name ?? "") ||
    alphabetically(one.label, other.label)
  );
}

export function busyIn(findings: readonly Hit[]) {
  const own = findings.filter((one) => one.busy);
  const sum = (of: "running" | "waiting") =>
    own.reduce((total, { figures }) => total + (figures?.[of] ?? 0), 0);
  return { busy: own.length, running: sum("running"), waiting: sum("waiting") };
}

/** `at least 3 running, 12 waiting in 2 things`: what happens to them follows. */
export function busyInWords({ busy, running, waiting }: ReturnType<typeof busyIn>, atLeast: boolean): string {
  const what = busy === 1 ? "something" : `${busy} things`;
  return `${atLeast ? "at least " : ""}${running} running, ${waiting} waiting in ${what}`;
}

/** Returns whether the inputs show everything that the deployment deletes or replaces. */
export function showsAll({ failed, gaps }: Plan): boolean {
  return !failed && gaps.every(({ what }) => what === "out-of-band changes");
}

/** One sentence that says whether the deployment should wait. It is reassuring only if no data is missing. */
export function headlineOf(plan: Plan, { findings, busy, uncertain, atLeast }: Impact): string {
  const isKnown = showsAll(plan);
  if (busy) return `Busy: ${busyInWords(busyIn(findings), atLeast)} that this change deletes or replaces.`;
  if (plan.failed && plan.deployed.length === 0)
    return "The preview failed, so nothing is known about what the changes would hit.";
  if (plan.drift && findings.length === 0 && isKnown) return "A refresh changes nothing on the service.";
  if (uncertain)
    return "Not everything could be read, so jobs may run in what this change deletes or replaces.";
  if (findings.length > 0 || lostIn(plan).length > 0)
    return isKnown
      ? "No job runs in anything that this change deletes or replaces."
      : "No job runs in what the preview shows to be deleted or replaced.";
  return isKnown
    ? "The changes touch nothing that jobs, agents or pipelines use."
    : "Nothing that the preview shows is used by jobs, agents or pipelines.";
}

export function notesOf({ gaps, readAt, atLeast, jobsWithoutCluster, requests, findings }: Impact): Text[] {
  const named = jobsWithoutCluster === 1 ? "job names" : "jobs name";
  const times = Object.entries(readAt).map(([what, at]) => `${what} ${at.slice(11, 19)}`);
  const [first] = Object.values(readAt);
  const notes: (Text | false)[] = [
    ...gaps.map(({ what, reason, scope }): Text => {
      const extent = atLeast && what === "jobs" ? "were read in part" : "are missing";
      // A reason without a scope may quote the service.
      return [`${capitalized(what)} ${extent}: `, scope === undefined ? { code: reason } : reason, "."];
    }),
    atLeast &&
      gaps.every(({ what }) => what !== "jobs") && [
        "There are more open builds than were read, so figures are the least there is.",
      ],
    jobsWithoutCluster > 0 && [
      `${jobsWithoutCluster} open ${named} no cluster, as in organizations without clusters. They count for no queue.`,
    ],
    findings.some(({ agents }) => agents !== undefined) && [
      "Agents count by their tags: the API does not show an agent's cluster.",
    ],
    first !== undefined && [
      `Read ${first.slice(0, 10)}: ${times.join(", ")} (UTC), with ${requests} requests.`,
    ],
  ];
  return notes.filter((note) => note !== false);
}

/**
 * Reads which jobs and agents a deployment would affect now, and names from the service. A refresh itself affects none;
 * only pending deletions do.
 */
export async function readImpact(
  client: BuildPipelineClient,
  preview: Preview,
  state: StackState | undefined,
  options: ImpactOptions,
) {
  // A report without an impact needs no client, which takes its time to load.
  const { readDocuments, readLive } = await import("./remarks/read.js");
  const shown = planOf(preview, state);
  // Steps are read only if a queue's key is removed, and queues only if steps name a key that the stack lacks.
  const documents = removedKeys(shown).size > 0 ? await readDocuments(client, shown, options) : [];
  const allQueues = lostKeys(shown, { documents, queues: undefined }).length > 0;
  const live = await readLive(client, concerned(shown, client.organization), allQueues, options);
  const isRead = allQueues && !live.unread.has(Queue.kind.name);
  const queues = isRead
    ? ofKind(live.objects, Queue.kind).map(({ entity, parent }) => ({ ...entity, clusterId: parent?.id }))
    : undefined;
  const names = live.objects.flatMap(({ kind, id, label }) =>
    label === "" ? [] : [[kind.name, id, label] as const],
  );
  const plan = planOf(preview, state, names);
  const { organization } = client;
  const findings = assess(plan, { live, organization });
  const impact = impactOf(plan, findings, live, organization);
  return { plan, findings, references: { documents, queues }, impact };
}
