import { capitalized } from "../../messages/nouns.js";
import { ofPlace, placeText } from "../../review/change.js";
import { listed, type Text } from "../../review/text.js";
import type { Block, Row } from "../block.js";
import { deployed, type Plan } from "../plan.js";
import { nounOf } from "../words.js";
import type { Impact } from "./impact.js";

/** Returns the section with the impact of a plan. */
export function impactBlocks(plan: Plan, impact: Impact): Block[] {
  const rows = rowsOf(impact);
  return [
    { type: "section", title: "Impact now" },
    { type: "paragraph", text: headlineOf(plan, impact), tone: impact.busy ? "strong" : "plain" },
    ...(rows.length === 0 ? [] : [{ type: "table", columns: ["change", "now", ""], rows } as const]),
    ...notesOf(impact).map((text): Block => ({ type: "paragraph", text, tone: "quiet" })),
  ];
}

/** Returns equal findings as one row, with the names of what they are in. */
function rowsOf({ findings }: Impact): Row[] {
  // Busy ones are few, and each is looked at for itself.
  const groups = Map.groupBy(findings, ({ subject, predicate, now, lines, busy, urn }) =>
    JSON.stringify([subject, predicate, now, lines, busy && urn]),
  );
  return [...groups.values()].flatMap((own): Row[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { subject, predicate, now, lines, busy, place } = first;
    const places = own.flatMap((one) => one.place ?? []);
    const where = ` in ${places.length} ${nounOf(place?.kind ?? "")}s: `;
    const what =
      places.length > 1
        ? [...subject, " ", ...predicate, where, ...listed(places.map(placeText))]
        : [...subject, ...ofPlace(place), " ", ...predicate];
    return [{ cells: [[what], [[now]], lines], busy }];
  });
}

/** One sentence that says whether the deployment should wait. It reassures only where nothing is missing. */
function headlineOf(plan: Plan, { findings, busy, uncertain }: Impact): Text {
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
  if (plan.drift && findings.length === 0) return ["A refresh changes nothing on the service."];
  if (uncertain) {
    return ["Not everything could be read, so jobs may run in what this change deletes or replaces."];
  }
  if (findings.length > 0) {
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
function notesOf({ gaps, readAt, atLeast, jobsWithoutCluster, requests, findings }: Impact): Text[] {
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
