import * as z from "zod";
import { contentKindsOf, nounOf } from "../../provider/lifecycle/values/kinds.js";
import { capitalized } from "../../shared/messages/nouns.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";
import { type Change, disappears, type Managed, ofPlace, placeText } from "../shared/plan/change.js";
import { subjectOf } from "../shared/plan/names.js";
import { byText, listed, type Marked, type Text, text } from "../shared/plan/text.js";
import { revokesSecretInUse } from "./remarks/agent-token.js";
import { reviews } from "./remarks/index.js";
import { NOT_COUNTED } from "./remarks/live.js";
import { type Finding, placed, type Sentence } from "./remarks/review.js";

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

/** A sentence about a change, and what it needs to be written. */
interface Found {
  readonly level: Danger["level"];
  readonly change: Change;
  /** What is lost with it. */
  readonly inside: readonly Change[];
  readonly sentence: Sentence;
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
  const contents = Map.groupBy(changes, ({ place }) => place?.key);
  // The parent's sentence names the objects that are lost with it. One that moves is a danger by itself.
  const lost = new Set(changes.filter(disappears).map(({ urn }) => urn));
  const found = changes
    .filter(
      ({ place, pending, movesTo }) =>
        pending || movesTo !== undefined || place === undefined || !lost.has(place.key),
    )
    .flatMap((change) => {
      const finding = findings.find((one) => one.change === change);
      const lostIn = (contents.get(change.urn) ?? []).filter(
        ({ action, movesTo }) => (action === "update" || disappears({ action })) && movesTo === undefined,
      );
      const inside = disappears(change) ? lostIn : [];
      return sentencesOf(change, inside, changes, managed, finding).map(
        ([level, sentence]): Found => ({ level, change, inside, sentence, finding }),
      );
    })
    .sort((one, other) => loadOf(other.finding) - loadOf(one.finding));
  return [
    ...findings.flatMap(({ change, refusal }): Danger[] =>
      refusal === undefined ? [] : [{ level: "danger", message: refusal.message, of: [change] }],
    ),
    ...(["danger", "caution"] as const).flatMap((wanted) =>
      grouped(found.filter(({ level }) => level === wanted)),
    ),
  ];
}

function sentencesOf(
  change: Change,
  inside: readonly Change[],
  plan: readonly Change[],
  managed: readonly Managed[],
  finding: Finding | undefined,
): [Danger["level"], Sentence][] {
  const loss = disappears(change) ? lossOf(change, inside, plan, managed) : undefined;
  if (loss !== undefined) return [[loss.level ?? "danger", loss]];
  const cautions = cautionsOf(change);
  if (cautions.length === 0 && finding !== undefined)
    cautions.push(placed(finding.subject, change, finding.predicate, [], { known: [] }));
  return cautions.map((caution) => ["caution", caution]);
}

/** What is busy comes first, and then in the order of the changes. */
function loadOf(finding: Finding | undefined): number {
  return finding?.busy
    ? 1 + (finding.figures?.running ?? 0) * 1_000_000 + (finding.figures?.waiting ?? 0)
    : 0;
}

/** Joins sentences that differ only in the cluster. Sentences about busy objects stay separate, because a reviewer checks each of them. */
function grouped(all: readonly Found[]): Danger[] {
  const groups = Map.groupBy(all, ({ sentence: { inMany, message, known }, finding, change }) => {
    const load = finding && [finding.now, finding.lines, known && finding.predicate];
    const own = inMany === undefined || finding?.busy ? [message, change.urn, change.id] : inMany;
    return JSON.stringify([own, load]);
  });
  return [...groups.values()].flatMap((own): Danger[] => {
    const places = new Map(own.flatMap(({ change: { place } }) => (place ? [[place.key, place]] : [])));
    const many = [...places.values()].map(placeText).sort(byText);
    const [first] = own;
    if (first?.sentence.inMany === undefined || many.length < 2)
      return own.map((one) => dangerOf(one, [one], []));
    return [dangerOf(first, own, many)];
  });
}

/** Writes a sentence, with the load if it is known. @param many the names of the clusters that share it, if several do */
function dangerOf(
  { level, change, sentence, finding }: Found,
  own: readonly Found[],
  many: readonly Text[],
): Danger {
  const { message, inMany, known } = sentence;
  const about = { level, of: own.flatMap((one) => [one.change, ...one.inside]) };
  const places = ` in ${many.length} ${nounOf(change.place?.kind ?? "")}s`;
  const lines = finding?.lines ?? [];
  const isCounted = finding !== undefined && finding.now !== NOT_COUNTED;
  if (known !== undefined && isCounted) {
    const { subject, predicate, busy, now } = finding;
    const load = busy ? { strong: now } : now;
    const lead =
      many.length > 0
        ? [...subject, " ", ...predicate, `${places}, each with `, load, ": ", ...listed(many), "."]
        : [...subject, ...ofPlace(change.place), " ", ...predicate, ": ", load, "."];
    return { ...about, message: [...lead, ...(known.length > 0 ? [" ", ...known] : [])], details: lines };
  }
  const hasFigures = isCounted && (finding.agents ?? finding.figures) !== undefined;
  const details = [...(hasFigures ? [[`${capitalized(finding.now)}.`]] : []), ...lines];
  if (many.length === 0 || inMany === undefined) return { ...about, details, message };
  const { lead, rest } = inMany;
  const end = rest.length > 0 ? ". " : ".";
  return { ...about, details, message: [...lead, `${places}: `, ...listed(many), end, ...rest] };
}

/** Returns whether a rotation of agent tokens revokes the secret in use, as far as it is known. */
export function leavesOutGeneration(changes: readonly Change[], managed: readonly Managed[]): boolean {
  return changes.some((change) => revokesSecretInUse(change, changes, managed) !== "no");
}

function lossOf(
  change: Change,
  inside: readonly Change[],
  plan: readonly Change[],
  managed: readonly Managed[],
): Sentence | undefined {
  const contents = contentKindsOf(change.kind).map(({ name }) => ({
    noun: nounOf(name),
    labels: inside.filter(({ kind }) => kind === name).map(({ label }) => label),
  }));
  const lost = reviews[change.kind]?.lost;
  if (lost !== undefined) return lost(change, contents, plan, managed);
  return placed(subjectOf(change), change, [`is ${change.action}d`], []);
}

function cautionsOf(change: Change): Sentence[] {
  if (change.action !== "update") return [];
  const { cautions = {} } = reviews[change.kind] ?? {};
  return change.changed.flatMap((argument) => {
    const caution = Object.hasOwn(cautions, argument.name) ? cautions[argument.name] : undefined;
    if (caution === undefined) return [];
    if (caution !== "values") return caution(change, argument) ?? [];
    const { name, before, after } = argument;
    const subject = text`${subjectOf(change)}${ofPlace(change.place)}`;
    return { message: text`${subject}: ${[name]} changes from ${[before]} to ${[after]}.` };
  });
}

/** An event of `pulumi policy analyze --json`. */
const violationSchema = z.object({
  sequence: z.number(),
  policyEvent: z
    .object({
      policyName: z.string(),
      resourceUrn: z.string().optional(),
      message: z.string(),
      enforcementLevel: z.string(),
    })
    .optional(),
});

/**
 * Reads the policy violations among events, one on each line: of `pulumi policy analyze --json`, or of a preview's event
 * log. Breaking a mandatory rule is a danger.
 *
 * @throws if the lines aren't such events
 */
export function readViolations(lines: readonly unknown[]): Danger[] {
  return lines.flatMap((line) => {
    const { data: event } = violationSchema.safeParse(line);
    if (event === undefined) throw new Error("is not what `pulumi policy analyze --json` prints.");
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
