import { capitalized } from "../../messages/nouns.js";
import type { Finding } from "../../review/finding.js";
import { listed, type Text } from "../../review/text.js";
import { nounOf } from "../words.js";
import type { Impact } from "./impact.js";

/** A row of the section: findings that read the same, in one cluster or in several. */
export interface ImpactRow {
  readonly busy: boolean;
  readonly what: Text;
  readonly now: string;
  readonly lines: readonly Text[];
}

/** Rows as a reader sees them: equal ones are one, with the names of what they are in. */
export function impactRows({ findings }: Impact): ImpactRow[] {
  const rows = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { subject, predicate, now, lines, busy } = finding;
    // Busy ones are few, and each is looked at for itself.
    const key = JSON.stringify([subject, predicate, now, lines, busy && finding.urn]);
    rows.set(key, [...(rows.get(key) ?? []), finding]);
  }
  return [...rows.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { subject, predicate, now, lines, busy, place, placeKind = "" } = first;
    const places = own.flatMap((one) => one.place ?? []);
    const what =
      places.length > 1
        ? [...subject, " ", ...predicate, ` in ${places.length} ${nounOf(placeKind)}s: `, ...listed(places)]
        : [...subject, ...(place === undefined ? [] : [" of ", { code: place }]), " ", ...predicate];
    return [{ busy, what, now, lines }];
  });
}

/** One sentence that says whether the deployment should wait. */
export function impactHeadline({ findings, busy, uncertain }: Impact): string {
  if (findings.length === 0) return "The changes touch nothing that jobs, agents or pipelines use.";
  if (busy) {
    const own = findings.filter((one) => one.busy);
    const sum = (of: "running" | "waiting") =>
      own.reduce((total, { figures }) => total + (figures?.[of] ?? 0), 0);
    const what = own.length === 1 ? "something" : `${own.length} things`;
    const atLeast = own.some(({ now }) => now.startsWith("at least")) ? "at least " : "";
    return `Busy: ${atLeast}${sum("running")} running, ${sum("waiting")} waiting in ${what} that this change deletes or replaces.`;
  }
  return uncertain
    ? "Not everything could be read, so jobs may run in what this change deletes or replaces."
    : "No job runs in anything that this change deletes or replaces.";
}

/** Returns the limits of the figures: the time of reading, and gaps. */
export function impactNotes({
  gaps,
  readAt,
  atLeast,
  jobsWithoutCluster,
  requests,
  findings,
}: Impact): Text[] {
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
  const times = Object.entries(readAt).map(([what, at]) => `${what} ${timeOf(at)}`);
  if (times.length > 0)
    notes.push([
      `Read ${dayOf(Object.values(readAt)[0] ?? "")}: ${times.join(", ")} (UTC), with ${requests} requests.`,
    ]);
  return notes;
}

const dayOf = (iso: string) => iso.slice(0, 10);
const timeOf = (iso: string) => iso.slice(11, 19);
