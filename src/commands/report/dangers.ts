import { contentKindsOf, nounOf } from "../../provider/lifecycle/values/kinds.js";
import { type Change, disappears, type Managed, type Place } from "../shared/plan/change.js";
import type { Marked, Text } from "../shared/plan/text.js";
import { revokesSecretInUse } from "./remarks/agent-token.js";
import { reviews } from "./remarks/index.js";
import { NOT_COUNTED } from "./remarks/live.js";
import type { Finding, Remark, WholeRemark } from "./remarks/review.js";
import { sentence, subjectOf } from "./sentences.js";

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

/** A remark on a change, and what needs to be known to write it. */
interface Found {
  readonly remark: WholeRemark;
  readonly change: Change;
  /** What is lost with it. */
  readonly inside: readonly Change[];
  /** The present load, if it was read. */
  readonly finding: Finding | undefined;
}

/**
 * Returns what would be lost, would stop, or would open up, the worst first.
 *
 * @param managed what the stack has today
 * @param findings the present load
 */
export function dangersOf(
  changes: readonly Change[],
  managed: readonly Managed[],
  findings: readonly Finding[] = [],
): Danger[] {
  // The parent's sentence names the objects that are lost with it. One that moves is a danger by itself.
  const lost = new Set(changes.filter(disappears).map(({ urn }) => urn));
  const found = changes
    .filter(
      ({ place, pending, movesTo }) =>
        pending || movesTo !== undefined || place === undefined || !lost.has(place.key),
    )
    .flatMap((change) => {
      const finding = findings.find((one) => one.change === change);
      const inside = insideOf(change, changes);
      return remarksOf(change, changes, managed).map((remark): Found => {
        const level = disappears(change) ? "danger" : "caution";
        return { remark: { subject: subjectOf(change), level, ...remark }, change, inside, finding };
      });
    })
    .sort((one, other) => loadOf(other.finding) - loadOf(one.finding));
  return [
    ...findings.flatMap(({ change, refusal }): Danger[] =>
      refusal === undefined ? [] : [dangerOf(refusal, [change])],
    ),
    ...grouped(found),
  ];
}

/** Returns what a report says about a change. */
export function remarksOf(
  change: Change,
  plan: readonly Change[],
  managed: readonly Managed[],
): readonly Remark[] {
  const { kind, action, changed } = change;
  const { lost, cautions = {} } = reviews[kind] ?? {};
  if (disappears(change)) {
    if (lost === undefined) return [{ predicate: [`is ${action}d`] }];
    const inside = insideOf(change, plan);
    const contents = contentKindsOf(kind).map(({ name }) => ({
      noun: nounOf(name),
      labels: inside.filter((one) => one.kind === name).map(({ label }) => label),
    }));
    return [lost(change, contents, plan, managed) ?? []].flat();
  }
  if (action !== "update") return [];
  return changed.flatMap((argument): Remark | readonly Remark[] => {
    const { name, before, after } = argument;
    const caution = Object.hasOwn(cautions, name) ? cautions[name] : undefined;
    if (caution === "values") return [{ predicate: [`changes ${name} from `, before, " to ", after] }];
    return caution?.(change, argument) ?? [];
  });
}

/** Returns what is lost with an object. */
function insideOf(change: Change, plan: readonly Change[]): Change[] {
  if (!disappears(change)) return [];
  return plan.filter(
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

/** Writes one sentence about equal objects. */
function written({ remark, finding }: Found, all: readonly Found[]): Danger {
  const load = finding === undefined || finding.now === NOT_COUNTED ? undefined : finding.now;
  const places = all.flatMap(({ change: { place } }) => place ?? []);
  const of = all.flatMap(({ change, inside }) => [change, ...inside]);
  const now = load && finding?.busy ? { strong: load } : load;
  return { ...dangerOf(remark, of, places, now), details: finding?.lines ?? [] };
}

/** Writes a remark on some changes. */
export function dangerOf(
  remark: WholeRemark,
  of: readonly Change[],
  ...placesAndLoad: readonly [places?: readonly Place[], load?: Marked[number]]
): Danger {
  return { level: remark.level, message: sentence(remark, ...placesAndLoad), of };
}

/** Returns whether a rotation of agent tokens revokes the secret in use, as far as it is known. */
export function leavesOutGeneration(changes: readonly Change[], managed: readonly Managed[]): boolean {
  return changes.some((change) => revokesSecretInUse(change, changes, managed) !== "no");
}
