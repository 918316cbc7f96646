import { defaultSetBy, kindNamed, lostWith, nounOf } from "../../provider/lifecycle/values/kinds.js";
import { capitalized } from "../../shared/messages/nouns.js";
import { kindOfUrn } from "../../shared/protocol/type-token.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";
import { disappears } from "../shared/plan/action.js";
import type { Change } from "../shared/plan/change.js";
import { ofPlace, type Place, placeText } from "../shared/plan/names.js";
import type { Plan } from "../shared/plan/plan.js";
import { byText, listed, type Marked, type Text, text } from "../shared/plan/text.js";
import { engineEvent } from "../shared/pulumi/events.js";
import { revokesSecretInUse } from "./remarks/agent-token.js";
import { reviews } from "./remarks/index.js";
import { type Finding, NOT_COUNTED, type Remark, type WholeRemark } from "./remarks/review.js";

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

interface Found {
  readonly remark: WholeRemark;
  readonly change: Change;
  /** What is lost with it. */
  readonly inside: readonly Change[];
  readonly finding: Finding | undefined;
}

/** Returns what a deployment would lose, stop or open up, the worst first. @param findings the present load */
export function dangersOf(plan: Plan, findings: readonly Finding[] = []): Danger[] {
  const changes = plan.deployed;
  // The parent's sentence names the objects that are lost with it. One that moves is a danger by itself.
  const lost = new Set(changes.filter(disappears).map(({ urn }) => urn));
  const found = changes
    .filter(
      ({ place, pending, movesTo }) =>
        pending || movesTo !== undefined || place === undefined || !lost.has(place.key),
    )
    .flatMap((change) => {
      const finding = findings.find((one) => one.change === change);
      const inside = insideOf(change, plan);
      return remarksOf(change, plan).map((remark): Found => {
        const level = disappears(change) ? "danger" : "caution";
        return { remark: { subject: subjectOf(change), level, ...remark }, change, inside, finding };
      });
    })
    .sort((one, other) => loadOf(other.finding) - loadOf(one.finding));
  return [
    ...findings.flatMap(({ change, refusal }) => (refusal === undefined ? [] : dangerOf(refusal, [change]))),
    ...grouped(found),
  ];
}

export function remarksOf(change: Change, plan: Plan): readonly Remark[] {
  const { kind, action, changed } = change;
  const { lost, cautions = {} } = reviews[kind] ?? {};
  if (disappears(change)) {
    if (lost === undefined) return [{ predicate: [`is ${action}d`] }];
    const inside = insideOf(change, plan);
    const contents = lostWith(kind).map(({ name }) => ({
      noun: nounOf(name),
      labels: inside.filter((one) => one.kind === name).map(({ label }) => label),
    }));
    return [lost(change, plan, contents) ?? []].flat();
  }
  if (action !== "update") return [];
  return changed.flatMap((argument): Remark | readonly Remark[] => {
    const { name, before, after } = argument;
    const caution = Object.hasOwn(cautions, name) ? cautions[name] : undefined;
    if (caution === "values") return { predicate: [`changes ${name} from `, before, " to ", after] };
    return caution?.(change, argument) ?? [];
  });
}

function insideOf(change: Change, { deployed }: Plan): Change[] {
  if (!disappears(change)) return [];
  return deployed.filter(
    ({ place, action, movesTo }) =>
      place?.key === change.urn && (action === "update" || disappears({ action })) && movesTo === undefined,
  );
}

/** What is busy comes first, and then in the order of the changes. */
function loadOf(finding: Finding | undefined): number {
  return finding?.busy
    ? 1 + (finding.figures?.running ?? 0) * 1_000_000 + (finding.figures?.waiting ?? 0)
    : 0;
}

/** Joins remarks that differ only in the place. Busy objects stay separate, because a reviewer checks each of them. */
function grouped(all: readonly Found[]): Danger[] {
  const groups = Map.groupBy(all, ({ remark, finding, change }) => {
    const own = finding?.busy ? [change.urn, change.id] : [];
    return JSON.stringify([remark, finding && [finding.now, finding.lines], own]);
  });
  return [...groups.values()].flatMap((own) => {
    const places = new Set(own.flatMap(({ change: { place } }) => place?.key ?? []));
    return places.size < 2
      ? own.map((one) => written(one, [one]))
      : own.slice(0, 1).map((one) => written(one, own));
  });
}

function written({ remark, finding }: Found, all: readonly Found[]): Danger {
  const load = finding === undefined || finding.now === NOT_COUNTED ? undefined : finding.now;
  const places = all.flatMap(({ change: { place } }) => place ?? []);
  const of = all.flatMap(({ change, inside }) => [change, ...inside]);
  const now = load && finding?.busy ? { strong: load } : load;
  return { ...dangerOf(remark, of, places, now), details: finding?.lines ?? [] };
}

export function dangerOf(
  remark: WholeRemark,
  of: readonly Change[],
  ...placesAndLoad: readonly [places?: readonly Place[], load?: Marked[number]]
): Danger {
  return { level: remark.level, message: sentence(remark, ...placesAndLoad), of };
}

/** Writes a remark on one object, or on equal objects in several places. @param load what runs there now, if it is known */
export function sentence(
  { subject, predicate, rest = [] }: Omit<WholeRemark, "level">,
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
  const sentences = rest.flatMap((one) => {
    if (!("unlessLoadKnown" in one)) return [" ", ...one];
    return load === undefined ? [" ", ...one.unlessLoadKnown] : [];
  });
  return [...what, ...where, ...now, ...end, ...sentences];
}

/** `` Agent token `build` `` */
export function subjectOf({ kind, title }: Pick<Change, "kind" | "title">): Text {
  return [`${capitalized(nounOf(kind))} `, ...title];
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
      const remark: WholeRemark = {
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
