import { disappears } from "../../cli/drawing/actions.js";
import { engineEvent } from "../../cli/pulumi/events.js";
import type { Preview } from "../../cli/pulumi/preview.js";
import type { StackState } from "../../cli/pulumi/stack-export.js";
import type { BuildPipelineClient } from "../../client/index.js";
import { kinds, lostWith, nounOf, placeOfKind, queueKind } from "../../provider/for-commands/kinds.js";
import { alphabetically } from "../../shared/messages/alphabet.js";
import { capitalized } from "../../shared/messages/nouns.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";
import type { PlannedChange } from "../plan/change.js";
import { objectsOf } from "../plan/objects.js";
import { organizationOf, type Plan, planOf } from "../plan/plan.js";
import { listed, plainText, type Text, text } from "../plan/text.js";
import { Access } from "./access.js";
import { type Consequence, consequencesOf, type Remark, sentence, subjectOf } from "./consequences.js";
import type { Gap, Live } from "./live.js";
import { couldUse, deniedRemarks, finds, readersOf, successorsOf } from "./policies.js";
import type { LiveOptions } from "./reading.js";
import { type Refusal, refusalsOf } from "./refusals.js";
import { driftRemarks, insideOf, isLostWith, remarksOf } from "./remarks.js";
import {
  hasAfter,
  isArchivedBy,
  isNewCluster,
  namedKinds,
  nameOfKey,
  type PlanBeside,
  placeOfKey,
  stepRemarks,
  unknownSteps,
} from "./steps.js";
import { type Hit, hitOf, hitting } from "./use.js";
import { vanishedRemarks } from "./vanished.js";
import { defaultRemarks, withoutAgents } from "./waiting.js";

/** What a plan means for people: the second of the three stages between a preview and a text. */
export interface Findings {
  readonly plan: Plan;
  readonly consequences: readonly Consequence[];
  /** Steps that something gets or had, and that nobody read. */
  readonly unknownSteps: readonly Text[];
  /** Undefined if the live organization was not read. */
  readonly impact: Impact | undefined;
}

/** What a deployment would hit now. */
export interface Impact {
  /** The busiest first, with what will or may be refused. */
  readonly hits: readonly (Hit & {
    readonly what: Text;
    readonly refusal: { readonly certain: boolean; readonly message: Text } | undefined;
  })[];
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

/** @param now what the organization of the settings has @param violations broken rules */
export function findingsOf(
  plan: Plan,
  now?: { readonly live: Live; readonly organization: string },
  violations: readonly Remark[] = [],
): Findings {
  const { live, organization } = now ?? {};
  const hits = live === undefined ? [] : hitting(plan, organization).map((one) => hitOf(one, live, plan));
  const access = new Access(plan, live);
  const refusals = refusalsOf(plan, hits, live);
  const seen = { ...plan, beside: live?.references };
  const withReaders = readersOf(seen);
  const meant = (change: PlannedChange) =>
    remarksOf(change, seen).map((one) => access.asKnown(withReaders(one)));
  const ofChanges = new Map(plan.deployed.map((change) => [change, meant(change)]));
  const shown = [...ofChanges].flatMap(([change, remarks]) => {
    // What another sentence says is what is lost.
    const isLost = isLostWith(change, plan);
    return remarks.flatMap((remark, index): readonly Remark[] => {
      if (isLost && remark.effect !== "opened") return [];
      const use = hits.find((one) => one.change === change);
      // What uses the object is said once.
      const own = index > 0 ? [] : [...access.detailsOf(change), ...namedBy(change, plan)];
      const inside = index > 0 ? [] : [...keptInside(change, plan), ...idleWith(change, plan)];
      const details = [...(remark.details ?? []), ...own, ...inside, ...leftBehind(change, seen, remark)];
      const words = index > 0 ? remark.words : remark.words + refusedWords(change, refusals);
      return [{ ...remark, words, ...(index === 0 && { use }), ...(details.length > 0 && { details }) }];
    });
  });
  const saidOf = (hit: Hit): Impact["hits"][number] => {
    const { change, lines } = hit;
    const [remark] = ofChanges.get(change) ?? [];
    const refusal = refusals.find((one) => one.change === change);
    const [refused] = consequencesOf(refusal === undefined ? [] : [refusal.remark]);
    return {
      ...hit,
      what: remark ? sentence(remark, [remark]) : [...subjectOf([change]), " changes"],
      lines: [...lines, ...access.lastOf(change), ...access.detailsOf(change), ...namedBy(change, plan)],
      refusal: refusal && refused && { certain: refusal.certain, message: refused.message },
    };
  };
  return {
    plan,
    consequences: consequencesOf([
      ...vanishedRemarks(plan),
      ...refusals.map(({ remark }) => remark),
      ...access.remarks(),
      ...stepRemarks(seen),
      ...deniedRemarks(seen),
      ...defaultRemarks(seen),
      ...withoutAgents(seen),
      ...shown,
      ...driftRemarks(plan),
      ...violations,
    ]),
    unknownSteps: unknownSteps(seen),
    impact: now && impactOf(plan, hits.map(saidOf), now.live, now.organization),
  };
}

/** Says of a container that is deleted after all that is in it, that it may stay. */
function refusedWords(change: PlannedChange, refusals: readonly Refusal[]): string {
  const own = refusals.filter((one) => one.change === change);
  if (own.length === 0 || lostWith(change.kind).length === 0) return "";
  return own.some(({ certain }) => certain)
    ? ", but {its|their} own deletion is refused"
    : ", unless the deployment stops halfway";
}

/** Says what in the stack still names an object that disappears, other than by a place or a pair. */
function namedBy(change: PlannedChange, plan: Plan): Text[] {
  if (!disappears(change)) return [];
  const all = objectsOf(plan).flatMap(({ kind, id, label, after, change: own }) => {
    if (id === undefined || (own && disappears(own))) return [];
    const { view, arguments: fields = {} } = kinds.get(kind) ?? {};
    const names = Object.entries(fields).some(
      ([name, { refersTo, goesWith }]) =>
        refersTo === change.kind &&
        !goesWith &&
        view === undefined &&
        placeOfKind(kind).argument !== name &&
        [after[name]].flat().includes(change.id),
    );
    return names ? [text`${[nounOf(kind)]} ${own?.label ?? label}`] : [];
  });
  return all.length === 0 ? [] : [text`This stack still names it in ${listed(all)}.`];
}

/** Says what an archived object has that does nothing any more. */
function idleWith(change: PlannedChange, plan: Plan): Text[] {
  if (!isArchivedBy(change)) return [];
  return objectsOf(plan).flatMap(({ kind, label, refersTo, change: own }): Text[] => {
    const { parent, review } = kinds.get(kind) ?? {};
    const isIn = parent?.kind === change.kind && refersTo(parent.argument, "after") === change.urn;
    const lost = review?.vanished?.lost;
    return !isIn || (own !== undefined && disappears(own)) || lost === undefined
      ? []
      : [text`${[capitalized(nounOf(kind))]} ${label} stays. ${[lost]}`];
  });
}

/** Says what disappears with a change, and is where the stack's pipelines run afterwards. */
function keptInside(change: PlannedChange, plan: Plan): Text[] {
  const kept = insideOf(change, plan).flatMap((one) => {
    const places = successorsOf(one, plan);
    return places.length === 0
      ? []
      : [{ ...one, places: listed(places.map((key) => placeOfKey(key, plan))) }];
  });
  return [...Map.groupBy(kept, ({ kind, places }) => `${kind} ${plainText(places)}`).values()].flatMap(
    (own) =>
      own.slice(0, 1).map(({ kind, places }) => {
        const noun = `${nounOf(kind)}${own.length === 1 ? "" : "s"}`;
        return text`This stack's pipelines find the ${[noun]} ${listed(own.map(({ label }) => label))} again in ${places}, where they run afterwards.`;
      }),
  );
}

/** Says below the consequence of a move what steps can name in the place that an object moves from, and not in the other. */
function leftBehind(change: PlannedChange, plan: PlanBeside, remark: Remark): Text[] {
  const { argument = "", kind } = placeOfKind(change.kind);
  const isMoved = change.action === "update" && remark.argument === argument;
  const [from, to] = [change.refersTo(argument, "before"), change.refersTo(argument, "after")];
  const isInside = kinds.get(change.kind)?.parent !== undefined;
  if (isInside || !isMoved || from === undefined || to === undefined) return [];
  return namedKinds()
    .filter(({ parent, name }) => parent?.kind === kind && name !== queueKind())
    .flatMap(({ name, parent }): Text[] => {
      const left = objectsOf(plan).filter(
        (one) =>
          one.kind === name &&
          one.id !== undefined &&
          one.refersTo(parent?.argument ?? "", "before") === from &&
          couldUse(change.id, one, plan) &&
          !finds(change.id, to, one, plan),
      );
      const isRead = plan.beside?.named.has(name) || isNewCluster(plan, to);
      // Where this stack has another one of the name, nobody else does.
      const groups = Map.groupBy(left, (one) => isRead || hasAfter(to, one, plan));
      return [...groups].map(([isKnown, own]) => {
        const [noun, them] = own.length === 1 ? [nounOf(name), "it"] : [`${nounOf(name)}s`, "them"];
        const unless = isKnown
          ? []
          : text`, unless ${nameOfKey(to, plan)} has ${[them]} outside of this stack`;
        const names = listed(own.map(({ change: own, label }) => own?.label ?? label));
        return text`Jobs can then no longer use the ${[noun]} ${names}${unless}.`;
      });
    });
}

function impactOf(plan: Plan, hits: Impact["hits"], live: Live, organization: string): Impact {
  const others = new Set(hitting(plan).flatMap(({ change }) => organizationOf(change) ?? []));
  others.delete(organization);
  const { jobs, agents } = live;
  const jobHits = hitting(plan, organization).filter(({ usedBy }) => usedBy === "jobs");
  const needsJobs = jobHits.length > 0;
  const decides = jobHits.some(({ change }) => disappears(change));
  const isUnread = jobs.extent !== "complete" || live.gaps.some(({ what }) => what === "clusters");
  const elsewhere: Gap = {
    what: "jobs and agents",
    reason: `the settings name the organization ${organization}, and the preview changes objects of ${[...others].join(", ")}`,
  };
  return {
    hits: [...hits].sort(byWeight),
    busy: hits.some(({ busy }) => busy),
    uncertain: others.size > 0 || live.areRunsMissing || (decides && isUnread),
    gaps: others.size > 0 ? [elsewhere, ...live.gaps] : live.gaps,
    jobsWithoutCluster: needsJobs ? jobs.items.filter(({ clusterId }) => clusterId === undefined).length : 0,
    readAt: {
      ...(needsJobs && jobs.extent !== "missing" && { jobs: jobs.at }),
      ...(hits.some((one) => one.agents !== undefined) && { agents: agents.at }),
      ...(live.hasClusters && { clusters: live.now.toISOString() }),
    },
    atLeast: needsJobs && jobs.extent === "partial",
    requests: live.requests,
  };
}

function byWeight(one: Hit, other: Hit): number {
  const jobs = ({ figures }: Hit) => (figures?.running ?? 0) * 1_000_000 + (figures?.waiting ?? 0);
  return (
    Number(other.busy) - Number(one.busy) ||
    jobs(other) - jobs(one) ||
    alphabetically(one.change.place?.name ?? "", other.change.place?.name ?? "") ||
    alphabetically(one.change.label, other.change.label)
  );
}

/**
 * Reads what a deployment would affect now, and names from the service. A refresh itself affects nothing; only pending
 * deletions do.
 */
export async function readFindings(
  client: BuildPipelineClient,
  preview: Preview,
  state: StackState | undefined,
  options: LiveOptions,
  violations: readonly Remark[] = [],
): Promise<Findings> {
  // A report without an impact needs no client, which takes its time to load.
  const { readLive } = await import("./reading.js");
  const { organization } = client;
  const shown = planOf(preview, state);
  const live = await readLive(client, shown, hitting(shown, organization), options);
  return findingsOf(planOf(preview, state, live.names), { live, organization }, violations);
}

/**
 * Reads the policy violations among the events of `pulumi policy analyze --json` or of a preview's event log. A mandatory
 * rule stops the deployment.
 *
 * @throws if the lines aren't such events
 */
export function readViolations(lines: readonly unknown[]): Remark[] {
  return lines.flatMap((line): Remark[] => {
    const event = engineEvent(line);
    if (event?.sequence === undefined) throw new Error("is not what `pulumi policy analyze --json` prints.");
    if (event.policyEvent === undefined) return [];
    const { policyName, resourceUrn = "", message, enforcementLevel } = event.policyEvent;
    const name = nameOfUrn(resourceUrn);
    // The first line describes the rule, and the others this violation.
    const [rule = "", ...details] = message.split("\n");
    const why = (details.join(" ").trim() || rule).replace(/\.$/, "");
    const isMandatory = enforcementLevel === "mandatory";
    return [
      {
        effect: isMandatory ? "stops" : "noticed",
        level: isMandatory ? "danger" : "caution",
        subject: text`${policyName}`,
        words: "is broken{by}: {why}",
        values: { by: name === "" ? [] : text` by ${name}`, why: [why] },
        of: [],
      },
    ];
  });
}
