import { lineDiff } from "../messages/lines.js";
import { counted } from "../messages/nouns.js";
import { type Change, disappears, ofPlace } from "../review/change.js";
import { listed, type Text } from "../review/text.js";
import { changesIn, drawingOf } from "../topology/drawing.js";

import type { Block } from "./block.js";
import { type Danger, dangersOf } from "./dangers.js";
import { groupedErrors } from "./errors.js";
import { type ChangeGroup, groupsOf, tablesOf } from "./groups.js";
import type { Impact } from "./impact/impact.js";
import { impactBlocks } from "./impact/summary.js";
import { otherSteps, othersInWords } from "./other-packages.js";
import type { OutOfBand } from "./out-of-band.js";
import { byWeight, deployed, type Plan } from "./plan.js";
import { type LiveReferences, lostKeys, queueReferences } from "./queue-references.js";
import { refactoringsInWords, refactoringsOf } from "./refactorings.js";
import { reviewedTopology } from "./review-topology.js";
import { argumentText, nounOf, sumsOf } from "./words.js";

/** Content of a preview for a reviewer. */
export interface Report {
  readonly plan: Plan;
  /** `Preview of`, `Drift of`, `Failed preview of`, `Failed refresh of`. */
  readonly title: string;
  /** How many changes there are, or what is proven where there are none. Empty for a failed preview without changes. */
  readonly summary: readonly { readonly text: string; readonly action?: Change["action"] }[];
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
export function reportOf(plan: Plan, impact?: Impact, references?: LiveReferences): Report {
  const { drift, failed, masking } = plan;
  const messages = (severity: string) =>
    plan.diagnostics
      .filter((one) => one.severity.startsWith(severity))
      .map(({ message }) => masking.text(message));
  const changes = [...plan.changes, ...plan.pending].sort(byWeight);
  const others = otherSteps(plan.steps);
  const warnings = [...new Set(messages("warning"))].filter((warning) => !isAboutOld(warning, changes));
  const about = { drift, changes, warnings, others };
  const report: Omit<Report, "blocks"> = {
    plan,
    title: failed ? `Failed ${drift ? "refresh" : "preview"}` : drift ? "Drift" : "Preview",
    summary: summaryOf(plan, about),
    explanation: drift && plan.changes.length > 0 ? DRIFT : "",
    errors: messages("error"),
    warnings,
    // What a refresh found has happened; dangers are what a deployment would do.
    dangers: [
      ...refusalsOf(impact),
      ...dangersOf(deployed(plan)),
      ...queueReferences(lostKeys(deployed(plan), plan.managed, references), references),
    ],
    groups: groupsOf(changes),
    others,
    impact,
  };
  return { ...report, blocks: blocksOf(report) };
}

/** Explanation of any drift. */
const DRIFT =
  " These are out-of-band changes. Each line shows the value in state, then the value on the service.";

interface About {
  readonly changes: readonly Change[];
  readonly warnings: readonly string[];
  readonly others: Report["others"];
}

/** The provider can't know that an object of the same name is the one that this deployment deletes. */
function isAboutOld(warning: string, changes: readonly Change[]): boolean {
  const ids = changes.filter(disappears).flatMap(({ id }) => id ?? []);
  return / with the same \w+ already exists: /.test(warning) && ids.some((id) => warning.includes(id));
}

/** The sentence that reassures is written only if nothing that could contradict it is missing. */
function summaryOf({ drift, failed, gaps, interrupted }: Plan, about: About): Report["summary"] {
  const sums = sumsOf(about.changes, drift);
  if (sums.length > 0 || failed) return sums;
  const isProven = gaps.length === 0 && interrupted === undefined && about.warnings.length === 0;
  const hasOthers = !drift && Object.keys(about.others).length > 0;
  if (isProven && !hasOthers) return [{ text: "No changes" }];
  return [
    {
      text: drift
        ? "The refresh shows no drift"
        : "The preview shows no change of a resource of this package",
    },
  ];
}

function blocksOf(report: Omit<Report, "blocks">): Block[] {
  const { plan, dangers, groups, warnings, others, impact, errors } = report;
  const of = (level: Danger["level"]) => dangers.flatMap((one) => (one.level === level ? [one.message] : []));
  const changes = groups.flatMap((group) => group.changes);
  const refactorings = plan.drift ? [] : refactoringsOf(plan.steps);
  const only = (action: Change["action"]) => changes.filter((one) => one.action === action);
  return [
    ...uncheckedBlocks(plan),
    ...alert("danger", ...failureOf(plan.drift, errors)),
    ...alert("danger", "The last deployment was interrupted", interruptionOf(plan)),
    ...alert("caution", "Secrets", plan.masking.withholds ? [WITHHELD] : []),
    ...(impact === undefined ? [] : impactBlocks(plan, impact)),
    ...alert("danger", "Dangerous", of("danger")),
    ...alert("caution", "Noticeable", of("caution")),
    ...alert("caution", "Renamed or moved in the program?", refactoringsInWords(refactorings, plan.changes)),
    ...(groups.length === 0 ? [] : [{ type: "section", title: "Changes" } as const]),
    ...tablesOf(groups, plan.drift),
    ...changes.flatMap(diffsOf),
    ...outOfBandBlocks(plan.outOfBand),
    ...list(
      "Imported: it exists, and nothing is created",
      only("adopt").map((one) => [...nameOf(one), " from ", { code: one.adopts ?? "" }]),
    ),
    ...list("Removed from state: nothing is deleted on the service", only("release").map(nameOf)),
    ...list(
      "Values known only after the deployment",
      changes
        .filter(isOnlyUnknown)
        .map((one) => [...nameOf(one), ": ", ...joined(one.changed.map(({ name }) => argumentText(name)))]),
    ),
    ...list(
      "Warnings",
      warnings.map((warning) => [{ code: warning }]),
    ),
    ...list(
      "Resources of other packages, which this report does not describe",
      othersInWords(others, plan.steps),
    ),
    ...drawingBlocks(plan),
  ];
}

const WITHHELD = ["The preview was made with --show-secrets, so values are left out here."];

function alert(level: "danger" | "caution", title: string, items: readonly Text[], rest = ""): Block[] {
  return items.length === 0 ? [] : [{ type: "alert", level, title, rest, items }];
}

function list(title: string, items: readonly Text[]): Block[] {
  return items.length === 0 ? [] : [{ type: "list", title, items }];
}

function drawingBlocks({ topology }: Plan): Block[] {
  const drawing = drawingOf(reviewedTopology(topology));
  return changesIn(drawing).length === 0 ? [] : [{ type: "drawing", drawing }];
}

/** A preview that failed checked nothing, which it says. */
function uncheckedBlocks({ gaps, failed }: Plan): Block[] {
  if (failed || gaps.length === 0) return [];
  const text = [
    "Not checked: ",
    ...joined(
      gaps.map(({ message }) => message),
      "; ",
    ),
    ".",
  ];
  return [{ type: "paragraph", tone: "quiet", text }];
}

function failureOf(drift: boolean, errors: readonly string[]): [string, Text[], string] {
  const items = groupedErrors(errors).map(
    ({ message, more }): Text => [
      { code: message },
      ...(more > 0 ? [` (and ${counted(more, "more error")} like it)`] : []),
    ],
  );
  return drift
    ? ["The refresh failed", items, ", so there may be more drift:"]
    : ["The preview failed", items, ", so this is not all that would change:"];
}

function interruptionOf({ interrupted }: Plan): Text[] {
  if (interrupted === undefined) return [];
  const what = interrupted.map(({ operation, name }): Text => [`${operation} `, { code: name }]);
  return [
    [
      ...(what.length > 0 ? [...listed(what), ". "] : []),
      "The service may have an object that the state lacks. Before you deploy, run ",
      { code: "npx pulumi-buildpipeline recover" },
      ".",
    ],
  ];
}

/** What the service or the provider will refuse, or may. */
function refusalsOf(impact: Impact | undefined): Danger[] {
  return (impact?.findings ?? []).flatMap(({ refusal }) =>
    refusal === undefined ? [] : [{ level: "danger", message: refusal.message }],
  );
}

function diffsOf({ kind, title, changed }: Change): Block[] {
  return changed.flatMap(({ name, texts }): Block[] => {
    if (texts === undefined) return [];
    const { lines, added, removed } = lineDiff(texts.before, texts.after);
    const about = [`${nounOf(kind)} `, ...title, ": ", ...argumentText(name)];
    return [{ type: "diff", title: about, sum: `+${added} −${removed} lines`, lines }];
  });
}

function outOfBandBlocks(all: readonly OutOfBand[]): Block[] {
  const linesOf = (fate: OutOfBand["fate"]) =>
    all
      .filter((one) => one.fate === fate)
      .map(
        ({ kind, label, place, gone, changed }): Text => [
          `${nounOf(kind)} `,
          { code: label },
          ...ofPlace(place),
          ": ",
          ...(gone
            ? ["deleted"]
            : joined(
                changed.map(({ name, before, after }) => [...argumentText(name), ": ", before, " → ", after]),
              )),
        ],
      );
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

function nameOf({ kind, title }: Change): Text {
  return [`${nounOf(kind)} `, ...title];
}

/** Nothing changes but that a value is not known before the deployment. */
function isOnlyUnknown({ action, changed }: Change): boolean {
  return action === "update" && changed.length > 0 && changed.every(({ unknown }) => unknown);
}

/** Checks whether there is something that a reviewer must not overlook. */
export function isDangerous({ dangers, plan: { failed, interrupted } }: Report): boolean {
  return failed || interrupted !== undefined || dangers.some(({ level }) => level === "danger");
}
