import { kinds } from "../../provider/for-commands/kinds.js";
import { capitalized, counted } from "../../shared/messages/nouns.js";
import type { PlannedChange } from "../plan/change.js";
import { type Plan, vanishedIn } from "../plan/plan.js";
import type { Text } from "../plan/text.js";
import type { Impact } from "./findings.js";

/** What a report says of jobs and agents as a whole: the sums, and where figures are missing. */

/** Returns the sums of what runs in what disappears. */
export function loadOf(plan: Plan, { hits, atLeast, uncertain, gaps }: Impact) {
  const own = hits.filter((one) => one.busy);
  const sum = (of: "running" | "waiting") =>
    own.reduce((total, { figures }) => total + (figures?.[of] ?? 0), 0);
  return {
    busy: own.length,
    running: sum("running"),
    waiting: sum("waiting"),
    atLeast,
    /** Nothing is missing that could contradict the figures. */
    proven: !uncertain && gaps.length === 0 && showsAll(plan),
  };
}

/** `at least 3 running, 12 waiting in 2 things`: what happens to them follows. */
export function busyInWords({
  busy,
  running,
  waiting,
  atLeast,
}: Omit<ReturnType<typeof loadOf>, "proven">): string {
  const what = busy === 1 ? "something" : `${busy} things`;
  return `${atLeast ? "at least " : ""}${running} running, ${waiting} waiting in ${what}`;
}

/** Returns whether the inputs show everything that the deployment deletes or replaces. */
export function showsAll({ failed, gaps }: Plan): boolean {
  return !failed && gaps.every(({ what }) => what === "out-of-band changes");
}

/**
 * Says whether the deployment should wait. It reassures only if no data is missing, and of the whole only if nothing that
 * the report says speaks against it.
 */
export function headlineOf(plan: Plan, impact: Impact, isOpen: boolean): string {
  const { hits, uncertain } = impact;
  const load = loadOf(plan, impact);
  if (load.running + load.waiting > 0)
    return `Busy: ${busyInWords(load)} that this change deletes or replaces.`;
  if (load.busy > 0) return "What this change deletes, replaces or archives is in use.";
  // The title says that.
  if (plan.failed) return "";
  if (uncertain)
    return "Not everything could be read, so jobs may run in what this change deletes or replaces.";
  if (hits.length > 0 || vanishedIn(plan).length > 0)
    return showsAll(plan)
      ? "No job runs in anything that this change deletes or replaces."
      : "No job runs in what the preview shows to be deleted or replaced.";
  const speaksAgainst = isOpen || plan.drift || plan.deployed.some(changesSteps);
  if (speaksAgainst || !showsAll(plan)) return "";
  return "The changes touch nothing that jobs, agents or pipelines use.";
}

/** Jobs are what steps say. */
function changesSteps({ kind, changed }: PlannedChange): boolean {
  return changed.some(({ name, isLayout }) => kinds.get(kind)?.arguments[name]?.hasSteps && !isLayout);
}

export function notesOf({ gaps, readAt, atLeast, jobsWithoutCluster, requests, hits }: Impact): Text[] {
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
    hits.some(({ agents }) => agents !== undefined) && [
      "Agents count by their tags: the API does not show an agent's cluster.",
    ],
    first !== undefined && [
      `Read ${first.slice(0, 10)}: ${times.join(", ")} (UTC), with ${counted(requests, "request")}.`,
    ],
  ];
  return notes.filter((note) => note !== false);
}
