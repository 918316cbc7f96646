import { disappears } from "../../cli/drawing/actions.js";
import { engineEvent } from "../../cli/pulumi/events.js";
import { defaultSetBy, kindNamed, nounOf } from "../../provider/lifecycle/values/kinds.js";
import { kindOfUrn } from "../../shared/protocol/type-token.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";
import type { Change } from "../plan/change.js";
import { ofPlace, type Place, placeText } from "../plan/names.js";
import type { Plan } from "../plan/plan.js";
import { byText, listed, type Marked, type Text, text } from "../plan/text.js";
import { type Finding, subjectOf } from "./assessment.js";
import { revokesSecretInUse } from "./remarks/agent-token.js";
import { reviews } from "./remarks/index.js";
import { type Remark, shown } from "./remarks/review.js";

/** Something that a reviewer must not overlook. */
export interface Danger {
  /** `danger`: something is lost or stops. `caution`: people notice it. */
  readonly level: "danger" | "caution";
  /** With the present load, if it was read. */
  readonly message: Marked;
  /** Consequences for what runs now, a sentence each. */
  readonly details?: readonly Text[];
  /** The changes that it is about. */
  readonly of: readonly Change[];
}

/** Returns what a deployment would lose, stop or open up, the worst first. */
export function dangersOf({ deployed }: Plan, findings: readonly Finding[]): Danger[] {
  // The parent's sentence names the objects that are lost with it. One that moves is a danger by itself.
  const lost = new Set(deployed.filter(disappears).map(({ urn }) => urn));
  const own = findings.filter(
    ({ change: { place, pending, movesTo } }) =>
      pending || movesTo !== undefined || place === undefined || !lost.has(place.key),
  );
  // What is busy comes first, and then in the order of the changes.
  return grouped(own.sort((one, other) => weightOf(other) - weightOf(one)));
}

function weightOf({ load }: Finding): number {
  return load?.busy ? 1 + (load.figures?.running ?? 0) * 1_000_000 + (load.figures?.waiting ?? 0) : 0;
}

/** Joins remarks that differ only in the place. Busy objects stay separate, because a reviewer checks each of them. */
function grouped(findings: readonly Finding[]): Danger[] {
  const all = findings.flatMap(({ remarks, ...finding }) =>
    remarks.map((remark) => ({ ...finding, remark })),
  );
  const groups = Map.groupBy(all, ({ remark, load, change }) =>
    JSON.stringify([remark, load && [load.now, load.lines], load?.busy ? [change.urn, change.id] : []]),
  );
  return [...groups.values()].flatMap((same) => {
    const places = new Set(same.flatMap(({ change: { place } }) => place?.key ?? []));
    const apart = places.size < 2 ? same.map((one) => [one]) : [same];
    return apart.flatMap((own) =>
      own.slice(0, 1).map(({ remark, load }): Danger => {
        const of = own.flatMap(({ change, inside }) => [change, ...inside]);
        const where = own.flatMap(({ change: { place } }) => place ?? []);
        const now = load?.now && load.busy ? { strong: load.now } : load?.now;
        return { ...dangerOf(remark, of, where, now), details: shown(load?.lines) };
      }),
    );
  });
}

export function dangerOf(
  remark: Required<Remark>,
  of: readonly Change[],
  ...placesAndLoad: readonly [places?: readonly Place[], load?: Marked[number]]
): Danger {
  return { level: remark.level, message: sentence(remark, ...placesAndLoad), of };
}

/** Writes a remark on one object, or on equal objects in several places. @param load what runs there now, if it is known */
export function sentence(
  { subject, predicate, rest }: Omit<Required<Remark>, "level">,
  places: readonly Place[] = [],
  load?: Marked[number],
): Marked {
  const [first, ...others] = places;
  const isMany = others.length > 0;
  const names = places.map(placeText).sort(byText);
  const what = [...subject, ...(isMany ? [] : ofPlace(first)), " ", ...predicate];
  const where = isMany ? [` in ${places.length} ${nounOf(first?.kind ?? "")}s`] : [];
  const now = load === undefined ? [] : [isMany ? ", each with " : ": ", load];
  const end = isMany ? [": ", ...listed(names), "."] : ["."];
  const sentences = shown(rest).flatMap((one) => [" ", ...one]);
  return [...what, ...where, ...now, ...end, ...sentences];
}

/** Says what was lost outside of the program: in drift, what it means; in a preview, what the deployment doesn't restore. */
export function lossesOf(plan: Plan): Danger[] {
  const all = lostIn(plan);
  const lost = new Set(all.map(({ urn }) => urn));
  // The parent's sentence names what was lost with it.
  return all
    .filter(({ place }) => place === undefined || !lost.has(place.key))
    .map((one): Danger => {
      const { urn, kind, label, place, fate } = one;
      const inside = all.filter((other) => other.place?.key === urn);
      const { lost: losses, remains = [] } = reviews[kind]?.vanished ?? DEFAULT;
      const isSet = defaultSetBy(kind) !== undefined;
      const isRestored = fate === "undone" && remains.length === 0;
      const remark: Required<Remark> = {
        level: isRestored ? "caution" : "danger",
        subject: isSet ? [`The ${nounOf(kind)}`] : subjectOf({ kind, title: [{ code: label }] }),
        predicate: [
          `was ${isSet ? "removed" : "deleted"} outside of the program`,
          ...(inside.length > 0 ? text`, with ${listed(inside.map(named))}` : []),
          {
            undone: `, and this deployment ${isSet ? "sets" : "creates"} it again`,
            kept: `, and this deployment doesn't ${isSet ? "set" : "create"} it again`,
            open: "",
          }[fate],
        ],
        rest: [
          isRestored ? [] : losses,
          fate === "kept" ? [] : remains,
          ...[one, ...inside].map((each) => deliveryOf(each, plan)),
        ].filter((text) => text.length > 0),
      };
      const of = [one, ...inside].flatMap(
        (each) => plan.changes.find((change) => change.urn === each.urn) ?? [],
      );
      return dangerOf(remark, of, place ? [place] : []);
    });
}

const DEFAULT: { readonly lost: Text; readonly remains?: Text } = {
  lost: [],
  remains: ["A new object has another id."],
};

/** Returns what somebody deleted outside of the program, as far as a refresh shows it. */
export function lostIn({ drift, changes, outOfBand }: Plan) {
  return drift
    ? changes
        .filter(({ action, pending }) => action === "delete" && !pending)
        .map((one) => ({ ...one, fate: "open" as const }))
    : outOfBand.filter(({ action }) => action === "delete");
}

/** A property of its parent is named by it. */
function named({ kind, label }: Change): Text {
  return defaultSetBy(kind) === undefined ? text`${[nounOf(kind)]} ${label}` : [nounOf(kind)];
}

/** Returns to which resources of other packages the outputs of an object with a secret go. */
function deliveryOf({ kind, urn, label }: Change, { steps }: Plan): Text {
  if (!Object.values(kindNamed(kind)?.outputs ?? {}).some(({ secret }) => secret)) return [];
  const to = steps.flatMap(({ urn: own, oldState, newState }) => {
    const from = Object.values((newState ?? oldState)?.propertyDependencies ?? {}).flat();
    return from.includes(urn) && kindOfUrn(own) === undefined ? [nameOfUrn(own)] : [];
  });
  return to.length === 0 ? [] : text`The outputs of ${label} go to ${listed([...new Set(to)])}.`;
}

export function leavesOutGeneration(plan: Plan): boolean {
  return plan.deployed.some((change) => revokesSecretInUse(change, plan) !== "no");
}

/**
 * Reads the policy violations among the events of `pulumi policy analyze --json` or of a preview's event log.
 *
 * @throws if the lines aren't such events
 */
export function readViolations(lines: readonly unknown[]): Danger[] {
  return lines.flatMap((line) => {
    const event = engineEvent(line);
    if (event?.sequence === undefined) throw new Error("is not what `pulumi policy analyze --json` prints.");
    if (event.policyEvent === undefined) return [];
    const { policyName, resourceUrn = "", message, enforcementLevel } = event.policyEvent;
    const name = nameOfUrn(resourceUrn);
    // The first line describes the rule, and the others this violation.
    const [rule = "", ...details] = message.split("\n");
    const why = details.join(" ").trim() || rule;
    return {
      of: [],
      level: enforcementLevel === "mandatory" ? "danger" : "caution",
      message: text`${policyName} is broken${name === "" ? [] : text` by ${name}`}: ${[why]}`,
    };
  });
}
