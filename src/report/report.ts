import { lineDiff } from "../messages/lines.js";
import { counted } from "../messages/nouns.js";
import { type Change, disappears, ofPlace } from "../review/change.js";
import { listed, type Text, text } from "../review/text.js";
import { drawingOf, isLarge } from "../topology/drawing.js";
import { nounOf } from "../topology/kinds.js";
import { changesIn } from "../topology/signs.js";
import type { TopologyNode } from "../topology/topology.js";
import type { Block, Item } from "./block.js";
import { type Danger, dangersOf } from "./dangers.js";
import { type ChangeGroup, groupsOf, tablesOf } from "./groups.js";
import { headlineOf, type Impact, notesOf } from "./impact.js";
import { otherSteps, othersInWords } from "./other-packages.js";
import type { OutOfBand } from "./out-of-band.js";
import { byWeight, deployed, type Plan } from "./plan.js";
import { type LiveReferences, lostKeys, queueReferences } from "./queue-references.js";
import { refactoringsInWords, refactoringsOf } from "./refactorings.js";
import { summaryOf, type Verdict, verdictOf } from "./verdict.js";
import { argumentText } from "./words.js";

/** Where a report comes from, as far as it is known. */
export interface Origin {
  /** When it was written. */
  readonly at?: Date;
  /** The commit's full name, and `#128` or `!128`. */
  readonly commit?: string | undefined;
  readonly pullRequest?: string | undefined;
}

/** Content of a preview for a reviewer. */
export interface Report {
  readonly plan: Plan;
  /** `Preview`, `Drift`, `Failed preview`, `Failed refresh`. */
  readonly title: string;
  readonly verdict: Verdict;
  /** Organization, pull request, commit and time, as far as they are known. */
  readonly about: readonly string[];
  readonly origin: Origin;
  /** How many changes there are, or what is proven where there are none. Empty for a failed preview without changes. */
  readonly summary: ReturnType<typeof summaryOf>;
  /** What the changes are, where they are none of a deployment. */
  readonly explanation: string;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly dangers: readonly Danger[];
  readonly groups: readonly ChangeGroup[];
  /** Resources of other packages, by step: `create` 3. */
  readonly others: Readonly<Record<string, number>>;
  /** Impact of the changes now, if requested. */
  readonly impact: Impact | undefined;
  readonly blocks: readonly Block[];
}

/** Makes the report of a plan. */
export function reportOf(
  plan: Plan,
  impact?: Impact,
  references?: LiveReferences,
  origin: Origin = {},
  violations: readonly Danger[] = [],
): Report {
  const { drift, failed, masking } = plan;
  const messages = (severity: string) =>
    plan.diagnostics
      .filter((one) => one.severity.startsWith(severity))
      .map(({ message }) => masking.text(message));
  const changes = [...plan.changes, ...plan.pending].sort(byWeight);
  const others = otherSteps(plan.steps);
  const warnings = [...new Set(messages("warning"))].filter((warning) => !isAboutOld(warning, changes));
  // What a refresh found has happened; dangers are what a deployment would do.
  const dangers = [
    ...dangersOf(deployed(plan), impact?.findings),
    ...queueReferences(lostKeys(deployed(plan), plan.managed, references), references),
    ...violations,
  ].sort((one, other) => Number(one.level === "caution") - Number(other.level === "caution"));
  const known = { plan, changes, dangers, warnings, others };
  const report: Omit<Report, "blocks"> = {
    plan,
    title: failed ? `Failed ${drift ? "refresh" : "preview"}` : drift ? "Drift" : "Preview",
    verdict: verdictOf(known),
    about: aboutOf(plan, origin),
    origin,
    summary: summaryOf(known),
    explanation: drift && plan.changes.length > 0 ? DRIFT : "",
    errors: messages("error"),
    warnings,
    dangers,
    groups: groupsOf(changes),
    others,
    impact,
  };
  return { ...report, blocks: blocksOf(report) };
}

/** Explanation of any drift. */
const DRIFT =
  " These are out-of-band changes. Each line shows the value in state, then the value on the service.";

function aboutOf({ topology: { organization } }: Plan, { at, commit, pullRequest }: Origin): string[] {
  const time = at && `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return [organization, pullRequest, commit?.slice(0, 8), time].filter((one) => one !== undefined);
}

/** The provider can't know that an object of the same name is the one that this deployment deletes. */
function isAboutOld(warning: string, changes: readonly Change[]): boolean {
  const ids = changes.filter(disappears).flatMap(({ id }) => id ?? []);
  return / with the same \w+ already exists: /.test(warning) && ids.some((id) => warning.includes(id));
}

function blocksOf(report: Omit<Report, "blocks">): Block[] {
  const { plan, dangers, groups, warnings, others, impact, errors } = report;
  const { blocks: tables, anchors } = tablesOf(groups, plan.drift, dangers);
  const of = (wanted: Danger["level"]) =>
    dangers.flatMap(({ level, message, details, of: [first] }): Item[] =>
      level === wanted ? [{ text: message, details, anchor: first && anchors.get(first) }] : [],
    );
  const changes = groups.flatMap((group) => group.changes);
  const refactorings = plan.drift ? [] : refactoringsOf(plan.steps);
  return [
    ...alert("danger", ...failureOf(plan.drift, errors)),
    ...alert("danger", "The last deployment was interrupted", items(interruptionOf(plan))),
    ...uncheckedBlocks(plan),
    ...alert("caution", "Secrets", items(plan.masking.withholds ? [WITHHELD] : [])),
    ...(impact === undefined ? [] : impactBlocks(plan, impact)),
    ...alert("danger", "", of("danger")),
    ...alert("caution", "", of("caution")),
    ...alert(
      "caution",
      "Renamed or moved in the program?",
      items(refactoringsInWords(refactorings, plan.changes)),
    ),
    ...(groups.length === 0 ? [] : [{ type: "section", title: "Changes" } as const]),
    ...tables,
    ...changes.flatMap(diffsOf),
    ...outOfBandBlocks(plan.outOfBand),
    ...list(
      "Warnings",
      warnings.map((warning) => [{ code: named(warning, plan) }]),
    ),
    ...list(
      "Resources of other packages, which this report does not describe",
      othersInWords(others, plan.steps),
    ),
    ...drawingBlocks(plan),
  ];
}

/** Returns a message with names in place of the ids of objects that the stack has. */
function named(message: string, { managed }: Plan): string {
  return managed.reduce(
    (named, { kind, id, label }) => named.replaceAll(`${nounOf(kind)} ${id}`, `${nounOf(kind)} ${label}`),
    message,
  );
}

/** Returns the section with the load now: whether the deployment should wait, and the limits of the figures. */
function impactBlocks(plan: Plan, impact: Impact): Block[] {
  return [
    { type: "section", title: "Impact now" },
    { type: "paragraph", text: headlineOf(plan, impact), tone: impact.busy ? "strong" : "plain" },
    { type: "paragraph", text: joined(notesOf(impact), " "), tone: "quiet" },
  ];
}

const WITHHELD = ["The preview was made with --show-secrets, so values are left out here."];

function alert(level: Danger["level"], title: string, all: readonly Item[], rest = ""): Block[] {
  return all.length === 0 ? [] : [{ type: "alert", level, title, rest, items: all }];
}

function items(texts: readonly Text[]): Item[] {
  return texts.map((text) => ({ text }));
}

function list(title: string, items: readonly Text[]): Block[] {
  return items.length === 0 ? [] : [{ type: "list", title, items }];
}

/**
 * Returns the drawing that a reviewer needs: all of a small topology, only what changes of a large one, and where that is
 * large too, one line for each cluster.
 */
function drawingBlocks({ topology }: Plan): Block[] {
  const shown = isLarge(topology) ? { ...topology, nodes: topology.nodes.filter(hasChanges) } : topology;
  const drawing = drawingOf(shown);
  return changesIn(drawing).length === 0 ? [] : [{ type: "drawing", drawing }];
}

function hasChanges({ change, contents }: TopologyNode): boolean {
  return change !== undefined || contents.some(hasChanges);
}

/** For a failed preview, states that the changes were not checked. */
function uncheckedBlocks({ gaps, failed }: Plan): Block[] {
  if (failed || gaps.length === 0) return [];
  const what = gaps.map(({ message }) => message);
  return [{ type: "paragraph", tone: "quiet", text: text`Not checked: ${joined(what, "; ")}.` }];
}

/** The engine's last words repeat that there were errors. */
const ENDING = /^(?:error: )?(?:preview|refresh|update) failed$/i;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Puts errors together that differ only in ids and paths. */
function groupedErrors(errors: readonly string[]): Text[] {
  const telling = errors.filter((error) => !ENDING.test(error.trim()));
  const groups = Map.groupBy(telling.length > 0 ? telling : errors, (error) =>
    error.replace(/\/v2\/\S+/g, "…").replace(UUID, "…"),
  );
  return [...groups.values()].map(([first = "", ...more]) => [
    { code: first.replace(/^(?:error: |Preview failed: )+/, "") },
    ...(more.length > 0 ? [` (and ${counted(more.length, "more error")} like it)`] : []),
  ]);
}

function failureOf(drift: boolean, errors: readonly string[]): [string, Item[], string] {
  const all = items(groupedErrors(errors));
  return drift
    ? ["The refresh failed", all, ", so there may be more drift:"]
    : ["The preview failed", all, ", so this is not all that would change:"];
}

function interruptionOf({ interrupted }: Plan): Text[] {
  if (interrupted === undefined) return [];
  const what = listed(interrupted.map(({ operation, name }) => text`${[operation]} ${name}`));
  const todo = text`The service may have an object that the state lacks. Before you deploy, run ${"npx pulumi-buildpipeline recover"}.`;
  return [[...what, ...(what.length > 0 ? [". "] : []), ...todo]];
}

function diffsOf({ kind, title, changed }: Change): Block[] {
  return changed.flatMap(({ name, texts }): Block[] => {
    if (texts === undefined) return [];
    const { lines, added, removed } = lineDiff(texts.before, texts.after);
    const about = text`${[nounOf(kind)]} ${title}: ${argumentText(name)}`;
    return [{ type: "diff", title: about, sum: `+${added} −${removed} lines`, lines }];
  });
}

function outOfBandBlocks(all: readonly OutOfBand[]): Block[] {
  const linesOf = (fate: OutOfBand["fate"]) =>
    all
      .filter((one) => one.fate === fate)
      .map(({ kind, label, place, gone, changed }): Text => {
        const values = changed.map(
          ({ name, before, after }) => text`${argumentText(name)}: ${[before]} → ${[after]}`,
        );
        return text`${[nounOf(kind)]} ${label}${ofPlace(place)}: ${gone ? ["deleted"] : joined(values)}`;
      });
  const undone = linesOf("undone");
  const kept = linesOf("kept");
  return [
    ...(all.length === 0 ? [] : [{ type: "section", title: "What changed outside of the program" } as const]),
    ...list("Undone by this deployment", undone),
    ...list("Left alone by this deployment", kept),
  ];
}

function joined(parts: readonly Text[], between = ", "): Text {
  return parts.flatMap((part, index) => (index === 0 ? part : [between, ...part]));
}

/** Checks whether there is something that a reviewer must not overlook. */
export function isDangerous({ dangers, plan: { failed, interrupted } }: Report): boolean {
  return failed || interrupted !== undefined || dangers.some(({ level }) => level === "danger");
}
