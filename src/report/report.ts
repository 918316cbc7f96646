import { countsOf as countLines, lineDiff } from "../messages/lines.js";
import { capitalized, counted } from "../messages/nouns.js";
import { nameOfUrn, typeOfUrn } from "../protocol/urn.js";
import { kinds } from "../provider/kinds.js";
import { type Change, ofPlace, placeText } from "../review/change.js";
import { listed, plainText, type Text } from "../review/text.js";
import { changesIn, drawingOf } from "../topology/drawing.js";
import { contentKindsOf } from "../topology/kinds.js";

import type { Block, Row } from "./block.js";
import { type Danger, dangersOf } from "./dangers.js";
import { groupedErrors } from "./errors.js";
import type { Impact } from "./impact/impact.js";
import { impactBlocks } from "./impact/summary.js";
import type { OutOfBand } from "./out-of-band.js";
import { byWeight, deployed, type Plan } from "./plan.js";
import { kindOfUrn, type Step } from "./preview.js";
import { reviewedTopology } from "./review-topology.js";
import { ACTION_ORDER, ACTIONS, argumentText, changeLines, nounOf, sumsOf } from "./words.js";

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

/** Changes that belong together: in one cluster, or outside of clusters. */
export interface ChangeGroup {
  readonly title: Text;
  /** The resource type of what the title names: `Cluster`. */
  readonly kind: string | undefined;
  /** The name on Buildkite of what the title names. */
  readonly name: string | undefined;
  readonly changes: readonly Change[];
}

/** Makes the report of a plan. */
export function reportOf(plan: Plan, impact?: Impact): Report {
  const { drift, failed, masking } = plan;
  const messages = (severity: string) =>
    plan.diagnostics
      .filter((one) => one.severity.startsWith(severity))
      .map(({ message }) => masking.text(message));
  const warnings = [...new Set(messages("warning"))];
  const changes = [...plan.changes, ...plan.pending].sort(byWeight);
  const others = otherSteps(plan.steps);
  const about = { drift, changes, warnings, others };
  const report: Omit<Report, "blocks"> = {
    plan,
    title: failed ? `Failed ${drift ? "refresh" : "preview"}` : drift ? "Drift" : "Preview",
    summary: summaryOf(plan, about),
    explanation: drift && plan.changes.length > 0 ? DRIFT : "",
    errors: messages("error"),
    warnings,
    // What a refresh found has happened; dangers are what a deployment would do.
    dangers: [...refusalsOf(impact), ...dangersOf(deployed(plan))],
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
  const only = (action: Change["action"]) => changes.filter((one) => one.action === action);
  return [
    ...uncheckedBlocks(plan),
    ...alert("danger", ...failureOf(plan.drift, errors)),
    ...alert("danger", "The last deployment was interrupted", interruptionOf(plan)),
    ...alert("caution", "Secrets", plan.masking.withholds ? [WITHHELD] : []),
    ...(impact === undefined ? [] : impactBlocks(plan, impact)),
    ...alert("danger", "Dangerous", of("danger")),
    ...alert("caution", "Noticeable", of("caution")),
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

/** Returns a table for each cluster. Clusters in which the same changes are one table. */
function tablesOf(groups: readonly ChangeGroup[], drift: boolean): Block[] {
  const equal = Map.groupBy(groups, ({ changes, kind, title }) =>
    JSON.stringify([kind, rowsOf(changes, drift), kind === undefined && title]),
  );
  return [...equal.values()].flatMap((own): Block[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { kind, changes } = first;
    const names = own.map(({ title }) => title);
    const many = own.length > 1 ? `${own.length} ${nounOf(kind ?? "")}s: ` : `${nounOf(kind ?? "")} `;
    const title = kind === undefined ? first.title : [capitalized(many), ...listed(names, 100)];
    const sum = sumsOf(changes, drift)
      .map(({ text }) => text)
      .join(", ");
    const each = own.length > 1 ? `${sum} in each` : sum;
    const columns = ["", "kind", "name", "change"];
    return [{ type: "table", title, sum: each, columns, rows: rowsOf(changes, drift) }];
  });
}

function rowsOf(changes: readonly Change[], drift: boolean): Row[] {
  return changes.map((change) => {
    const { sign, word, drift: found = word } = ACTIONS[change.action];
    const text = `${sign} ${drift && !change.pending ? found : word}`;
    return {
      tag: { action: change.action, text },
      cells: [[[nounOf(change.kind)]], [change.title], changeLines(change)],
    };
  });
}

function diffsOf({ kind, title, changed }: Change): Block[] {
  return changed.flatMap(({ name, texts }): Block[] => {
    if (texts === undefined) return [];
    const lines = lineDiff(texts.before, texts.after);
    const { added, removed } = countLines(lines);
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

function groupsOf(changes: readonly Change[]): ChangeGroup[] {
  const parentKinds = new Set([...kinds.values()].map(({ parent }) => parent?.kind));
  const isParent = ({ kind }: Change) => parentKinds.has(kind);
  const groups = Map.groupBy(changes, (one) => (isParent(one) ? one.urn : one.place?.key));
  const others = groups.get(undefined) ?? [];
  const sorted = [...groups]
    .flatMap(([key, own]): ChangeGroup[] => {
      const place = own.find((one) => !isParent(one))?.place;
      const parent = own.find(isParent);
      if (key === undefined) return [];
      if (parent !== undefined)
        return [{ kind: parent.kind, title: parent.title, name: parent.label, changes: own }];
      return place === undefined
        ? []
        : [{ kind: place.kind, title: placeText(place), name: place.name, changes: own }];
    })
    .sort(
      (one, other) => worst(one) - worst(other) || (plainText(one.title) < plainText(other.title) ? -1 : 1),
    );
  if (others.length === 0) return sorted;
  return [
    ...sorted,
    { title: [titleOfOthers(parentKinds)], kind: undefined, name: undefined, changes: others },
  ];
}

function worst({ changes: [first] }: ChangeGroup): number {
  return ACTION_ORDER.indexOf(first?.action ?? "release");
}

/** `Templates, teams and suites` */
function titleOfOthers(parentKinds: ReadonlySet<string | undefined>): string {
  const plurals = contentKindsOf(undefined)
    .filter(({ name }) => !parentKinds.has(name))
    .map(({ words }) => `${words.short ?? words.noun}s`);
  return capitalized(`${plurals.slice(0, -1).join(", ")} and ${plurals.at(-1)}`);
}

const QUIET_STEPS = new Set(["same", "read", "refresh"]);

function isOther({ op, urn, oldState, newState }: Step): boolean {
  const isOwn = kindOfUrn(urn) !== undefined || typeOfUrn(urn).startsWith("pulumi:");
  // A component exists in the program only.
  return !isOwn && (newState ?? oldState)?.custom !== false && !QUIET_STEPS.has(op);
}

function otherSteps(steps: readonly Step[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { op } of steps.filter(isOther)) counts[op] = (counts[op] ?? 0) + 1;
  return counts;
}

/** Returns counts, and the names of what is deleted. */
function othersInWords(counts: Report["others"], steps: readonly Step[]): Text[] {
  return Object.entries(counts).map(([op, count]) => {
    const own = steps.filter((step) => isOther(step) && step.op === op && /delete|replace/.test(op));
    const names = own.map(({ urn }) => `${typeOfUrn(urn)} ${nameOfUrn(urn)}`);
    return [{ code: `${count} ${op}` }, ...(names.length > 0 ? [": ", ...listed(names, 100)] : [])];
  });
}

/** Checks whether there is something that a reviewer must not overlook. */
export function isDangerous({ dangers, plan: { failed, interrupted } }: Report): boolean {
  return failed || interrupted !== undefined || dangers.some(({ level }) => level === "danger");
}
