import * as z from "zod";
import { ACTION_ORDER, ACTIONS, disappears } from "../../cli/drawing/actions.js";
import { type Drawing, drawingOf, drawingSchema, isLarge } from "../../cli/drawing/drawing.js";
import { changesIn } from "../../cli/drawing/signs.js";
import { insideOf, type TopologyNode } from "../../cli/drawing/topology.js";
import { expiryOf, ROTATE_FIRST } from "../../cli/inventory/expiry.js";
import { ENDING } from "../../cli/pulumi/engine-messages.js";
import type { Diagnostic } from "../../cli/pulumi/events.js";
import { isGrave, kinds, nounOf } from "../../provider/for-commands/kinds.js";
import { lineDiff } from "../../shared/messages/lines.js";
import { capitalized, counted } from "../../shared/messages/nouns.js";
import { placeOfPage } from "../../shared/process/package-files.js";
import { isMasked } from "../../shared/protocol/encoded-values.js";
import { readStepCode } from "../../shared/protocol/message-codes.js";
import { kindOfUrn } from "../../shared/protocol/type-token.js";
import { nameOfUrn, typeOfUrn } from "../../shared/protocol/urn.js";
import { allowanceOf, brakeOf } from "../plan/brake.js";
import { type PlannedChange, unmanagedAmong } from "../plan/change.js";
import { ofPlace } from "../plan/names.js";
import { byWeight, type Plan, stackName, vanishedIn } from "../plan/plan.js";
import { holderOf, refactoringsInWords, refactoringsOf, takenInWords } from "../plan/refactorings.js";
import { otherSteps } from "../plan/resources.js";
import { joined, listed, plainText, type Text, text } from "../plan/text.js";
import { topologyOfPlan } from "../plan/topology.js";
import { type Consequence, consequenceSchema, textSchema } from "./consequences.js";
import type { Findings } from "./findings.js";
import { headlineOf, loadOf, notesOf } from "./impact.js";
import type { Origin } from "./origin.js";
import { argumentText, changedLines, type Row, rowSchema, rowsOf, sumsOf } from "./rows.js";
import { saidOfSteps } from "./steps.js";
import { unstatedNote } from "./unstated.js";

const level = z.enum(["danger", "caution"]);
const count = z.number();
const item = z.object({
  message: textSchema,
  details: z.array(textSchema).readonly().exactOptional(),
  /** Lines to read or to copy as they are. */
  code: z.string().exactOptional(),
});

/** What the provider, the program or the engine said, and the code of the provider's own. */
const messageSchema = z.object({ message: z.string(), code: z.string().exactOptional() });

/**
 * What a report says, in the order in which every form says it: forms decide nothing. It is also a file, of which the
 * report of several stacks is made.
 */
export const reportSchema = z.object({
  /** `Preview`, `Drift`, `Failed preview` or `Failed refresh`. */
  title: z.string(),
  /** `project/stack`; "" if it isn't known. */
  stack: z.string(),
  drift: z.boolean(),
  failed: z.boolean(),
  /** The worst consequence, and what isn't checked. */
  headline: textSchema,
  verdict: z.object({
    /** `clear`: confirmed. `open`: no danger was found, but some data is missing. */
    level: z.enum(["danger", "caution", "clear", "open"]),
    /** `3 dangerous`, `5 noticeable`, `12 others`. */
    parts: z.array(z.string()).readonly(),
    dangerous: count,
    noticeable: count,
    /** Changes that no sentence is about. */
    others: count,
  }),
  /** Where it comes from, as far as that is known. */
  origin: z.object({
    organization: z.string().optional(),
    pullRequest: z.string().optional(),
    commit: z.string().optional(),
    at: z.string().optional(),
  }),
  errors: z.array(messageSchema).readonly(),
  warnings: z.array(messageSchema).readonly(),
  /** How many changes there are, or what is proven where there are none. */
  summary: z.array(z.object({ text: z.string(), action: z.enum(ACTION_ORDER).exactOptional() })).readonly(),
  /** `unproven`: the input shows none, and not everything that could contradict it was read. */
  changes: z.enum(["some", "none", "unproven"]),
  /** What comes before consequences: an interruption, a failure, withheld values. */
  notices: z.array(z.object({ level, title: z.string(), items: z.array(item).readonly() })).readonly(),
  consequences: z.array(consequenceSchema).readonly(),
  rows: z.array(rowSchema).readonly(),
  diffs: z
    .array(
      z.object({
        title: textSchema,
        sum: z.string(),
        lines: z.array(z.object({ sign: z.enum(["+", "-", " ", "gap"]), text: z.string() })).readonly(),
      }),
    )
    .readonly(),
  lists: z
    .array(
      z.object({
        title: z.string(),
        items: z.array(textSchema).readonly(),
        /** The first line speaks of it. */
        isOpen: z.boolean().exactOptional(),
      }),
    )
    .readonly(),
  drawing: drawingSchema.exactOptional(),
  /** What stands at the end: what was not checked and why, when it was read, how many objects stay as they are. */
  notes: z.array(textSchema).readonly(),
  /** What to read at lines of the program. */
  annotations: z
    .array(z.object({ file: z.string(), line: count, level: level.exactOptional(), message: z.string() }))
    .readonly(),
  load: z
    .object({ busy: count, running: count, waiting: count, atLeast: z.boolean(), proven: z.boolean() })
    .exactOptional(),
});

export type Report = Readonly<z.infer<typeof reportSchema>>;
type Verdict = Report["verdict"];

export function reportOf(findings: Findings, origin: Origin = {}): Report {
  const { plan, consequences: found, impact } = findings;
  const { drift, failed, interrupted } = plan;
  const changes = changesOf(plan);
  const consequences = withAliases(found, plan);
  const { warnings, judged } = warningsOf(plan, changes, origin);
  const doubts = doubtsOf(findings, changes, judged);
  const isProven = !failed && interrupted === undefined && !doubts.some(({ isOfAll }) => isOfAll);
  const summary = summaryOf(plan, changes, isProven);
  const verdict = verdictOf(plan, changes, consequences, summary, doubts.length === 0);
  const rows = rowsOf(changes, drift, consequences);
  const notices = noticesOf(plan);
  const drawing = drawnOf(plan);
  const unchanged = unchangedIn(plan).length;
  return {
    title: failed ? `Failed ${drift ? "refresh" : "preview"}` : drift ? "Drift" : "Preview",
    stack: stackName(plan),
    drift,
    failed,
    headline: titleOf(plan, verdict, consequences, summary, doubts),
    verdict,
    origin: {
      organization: organizationIn(plan),
      ...origin,
      at: origin.at && `${origin.at.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    },
    errors: plan.diagnostics.filter(({ severity }) => severity === "error").map((one) => said(one, plan)),
    warnings,
    summary,
    changes:
      changes.length > 0 || (drift && unmanagedAmong(plan.outOfBand).length > 0)
        ? "some"
        : isProven
          ? "none"
          : "unproven",
    notices,
    consequences,
    rows,
    diffs: changes.flatMap(diffsOf),
    lists: listsOf(plan, warnings, judged.length > 0),
    ...(drawing && { drawing }),
    notes: [
      doubts.length > 0 &&
        text`Not checked: ${joined(
          doubts.map(({ message }) => message),
          "; ",
        )}.`,
      // Where there are none, nothing is said of changes.
      impact &&
        (changes.length > 0 || !isProven) && [
          headlineOf(
            plan,
            impact,
            found.length + judged.length > 0 || doubts.some(({ isOfAll }) => !isOfAll),
          ),
        ],
      ...(impact ? notesOf(impact) : []),
      drift && plan.changes.length > 0 && [DRIFT],
      unstatedNote(plan),
      recoveryNote(plan),
      unchanged > 0 && interrupted === undefined && !failed && [`${counted(unchanged, "object")} unchanged.`],
    ]
      .filter(isGiven)
      .filter((note) => plainText(note) !== ""),
    annotations: annotationsOf(plan, changes, consequences, rows),
    ...(impact && { load: loadOf(plan, impact) }),
  };
}

const isGiven = <Value>(one: Value | false | undefined): one is Value => one !== false && one !== undefined;

export function changesOf(plan: Plan): PlannedChange[] {
  return [...plan.changes, ...plan.pending].sort(byWeight);
}

const DRIFT =
  "These are out-of-band changes. Each line shows the value in state, then the value on the service.";

/** Returns the organization, that of what changes first. */
function organizationIn({ resources }: Plan): string | undefined {
  return resources
    .toSorted((one, other) => Number(other.change !== undefined) - Number(one.change !== undefined))
    .flatMap(({ before, after }) => [after?.properties.organization, before?.properties.organization])
    .find((slug) => typeof slug === "string");
}

function said({ message, code }: Diagnostic, plan: Plan, subject = ""): Report["errors"][number] {
  return { message: named(plan.masking.text(subject + message), plan), ...(code && { code: code.name }) };
}

/** Returns the noun and the name of the object that a message is about; nothing for a resource of another package. */
function aboutOf({ urn = "" }: Diagnostic, { managed }: Plan) {
  const kind = kindOfUrn(urn);
  const label = managed.find((one) => one.urn === urn)?.label ?? nameOfUrn(urn);
  return kind === undefined ? undefined : { noun: nounOf(kind), label };
}

/** Returns the warnings, and what those of this package are about, of which something may not be known. */
function warningsOf(plan: Plan, changes: readonly PlannedChange[], { at = new Date() }: Origin) {
  const { diagnostics, masking, managed } = plan;
  // The provider can't know that an object of the same name is this stack's: it may be checked later, or be deleted.
  const isAboutOwn = ({ code }: Diagnostic) =>
    code?.name === "namesake" && managed.some(({ id }) => id === code.id);
  // Consequences have what is said of the steps of a change.
  const ofSteps = new Set(saidOfSteps(plan).map(({ diagnostic }) => diagnostic));
  const own = diagnostics.filter(
    (one) => one.severity.startsWith("warning") && !isAboutOwn(one) && !ofSteps.has(one),
  );
  const expiries = managed.flatMap(({ id, label, properties: { expiresAt } }) => {
    const expiry = expiryOf(label, expiresAt, at.getTime());
    const isLeft = expiry === undefined || changes.some((one) => one.id === id && disappears(one));
    return isLeft ? [] : masking.text(`${expiry} ${ROTATE_FIRST}`);
  });
  return {
    warnings: [
      ...new Map(
        own.map((one) => {
          // A dynamic provider names the object itself, where the engine shows the plugin's message at the resource.
          const about = one.isOwn ? undefined : aboutOf(one, plan);
          const message = said(one, plan, about && `${about.noun} "${about.label}": `);
          return [message.message, message];
        }),
      ).values(),
      ...expiries.map((message) => ({ message })),
    ],
    judged: own.flatMap((one): Text[] => {
      const about = aboutOf(one, plan);
      if (readStepCode(one.code) !== undefined || (!one.isOwn && about === undefined)) return [];
      return [about === undefined ? [] : text` about ${[about.noun]} ${about.label}`];
    }),
  };
}

/** What could contradict a reassuring sentence, and wasn't read or isn't known: in a title, and at the end. */
interface Doubt {
  readonly short: Text;
  readonly message: Text;
  /** It leaves open whether there are changes, too. */
  readonly isOfAll: boolean;
}

function doubtsOf(
  { plan, impact, unknownSteps }: Findings,
  changes: readonly PlannedChange[],
  warned: readonly Text[],
): Doubt[] {
  const { gaps, steps, masking, failed } = plan;
  if (failed) return [];
  const doubt = (short: Text, message = short, isOfAll = true): Doubt => ({ short, message, isOfAll });
  // An argument that is known only after the deployment may turn out to be a danger.
  const unknown = changes.flatMap(({ action, changed, kind, label, after }) =>
    changed.flatMap(({ name, unknown, isNamed }) => {
      const { secret, review } = kinds.get(kind)?.arguments[name] ?? {};
      const isHidden = isMasked(after[name]) && !secret && isGrave(review);
      return action === "update" && ((unknown && !isNamed) || isHidden)
        ? [
            text`${argumentText(name)} of ${[nounOf(kind)]} ${label}, which is ${[isHidden ? "secret" : "known only afterwards"]}`,
          ]
        : [];
    }),
  );
  const [unread] = impact?.uncertain ? impact.gaps : [];
  return [
    ...gaps.map(({ what, message }) => doubt([what], message)),
    ...(warned.length > 1 ? [doubt([`what the ${warned.length} warnings say`])] : []),
    ...(warned.length === 1 ? [doubt(["what the warning", ...warned.flat(), " says"])] : []),
    ...(otherSteps(steps).size > 0 ? [doubt(["resources of other packages"])] : []),
    ...(masking.withholds ? [doubt(["withheld values"])] : []),
    ...[...unknown, ...unknownSteps].map((one) => doubt(one, one, false)),
    ...(unread === undefined ? [] : [doubt([unread.what], text`${[unread.what]}: ${unread.reason}`, false)]),
  ];
}

function summaryOf(
  { drift, failed, outOfBand }: Plan,
  changes: readonly PlannedChange[],
  isProven: boolean,
): Report["summary"] {
  const unstated = drift ? unmanagedAmong(outOfBand).length : 0;
  const sums = [
    ...sumsOf(changes, drift),
    ...(unstated > 0 ? [{ text: `${unstated} changed, not managed` }] : []),
  ];
  if (sums.length > 0 || failed) return sums;
  if (isProven) return [{ text: "No changes" }];
  const shown = drift ? "The refresh shows no drift" : "The preview shows no change";
  return [{ text: `${shown} of a resource of this package` }];
}

/** Returns the verdict on a deployment. "Nothing dangerous" is said only if nothing that could contradict it is missing. */
function verdictOf(
  plan: Plan,
  changes: readonly PlannedChange[],
  consequences: readonly Consequence[],
  summary: Report["summary"],
  isChecked: boolean,
): Verdict {
  const sum = (wanted: Consequence["level"]) => consequences.filter(({ level }) => level === wanted).length;
  const [dangerous, noticeable] = [sum("danger"), sum("caution")];
  const named = new Set(consequences.flatMap(({ of }) => of));
  const others = changes.filter(({ urn }) => !named.has(urn)).length;
  const isBroken = plan.failed || plan.interrupted !== undefined || brakeOf(plan) !== undefined;
  const isClear = dangerous === 0 && isChecked && !isBroken;
  const noun = plan.drift ? "out-of-band change" : consequences.length > 0 ? "other" : "change";
  const parts = [
    plan.failed && `The ${plan.drift ? "refresh" : "preview"} failed`,
    plan.interrupted && "The last deployment was interrupted",
    ...(changes.length === 0 ? summary.map(({ text }) => text) : []),
    dangerous > 0 && `${dangerous} dangerous`,
    isClear && changes.length > 0 && !plan.drift && "Nothing dangerous",
    noticeable > 0 && `${noticeable} noticeable`,
    others > 0 && counted(others, noun),
    changes.length > 0 && dangerous === 0 && !isClear && !isBroken && "not everything is checked",
  ].filter(isGiven);
  // Drift is no danger of a deployment, but somebody must decide about it.
  const isNoticed =
    noticeable > 0 || (plan.drift && (changes.length > 0 || unmanagedAmong(plan.outOfBand).length > 0));
  return {
    level: isBroken || dangerous > 0 ? "danger" : isNoticed ? "caution" : isClear ? "clear" : "open",
    parts,
    dangerous,
    noticeable,
    others,
  };
}

export function isDangerous({ failed, verdict }: Report): boolean {
  return failed || verdict.level === "danger";
}

/** Returns the first line: the worst consequence, how many more there are, and what isn't checked. */
function titleOf(
  plan: Plan,
  { parts, level, dangerous, noticeable }: Verdict,
  consequences: readonly Consequence[],
  summary: Report["summary"],
  [doubt]: readonly Doubt[],
): Text {
  if (plan.interrupted !== undefined) return ["The last deployment was interrupted"];
  if (plan.failed) return failedTitle(plan);
  const brake = brakeOf(plan);
  if (brake !== undefined) return [...(plan.drift ? ["Drift: "] : []), ...brake.sentence];
  const [worst] = consequences;
  const isSafe = level === "clear" && plan.changes.length + plan.pending.length > 0 && !plan.drift;
  const sums = summary.map(({ text }) => text).join(", ");
  const more =
    worst?.level === "danger"
      ? counted(dangerous - 1, "more danger")
      : counted(noticeable - 1, "more consequence");
  const what: Text =
    worst === undefined
      ? [isSafe ? `${parts[0]}: ${sums}` : sums]
      : [...worst.headline, ...(more.startsWith("0 ") ? [] : [`, and ${more}`])];
  const unchecked: Text = doubt === undefined ? [] : [" (not checked: ", ...doubt.short, ")"];
  return [...(plan.drift ? ["Drift: "] : []), ...what, ...unchecked];
}

/** `` Team `Web` can't be changed yet (teams.ts:33) ``, if all errors are about that. */
function failedTitle({ diagnostics, drift, managed, changes }: Plan): Text {
  const errors = diagnostics.filter(
    ({ severity, message }) => severity === "error" && !ENDING.test(message.trim()),
  );
  const [urn = "", ...others] = [...new Set(errors.map(({ urn = "" }) => urn))];
  const kind = kindOfUrn(urn);
  if (kind === undefined || others.length > 0 || drift)
    return [`The ${drift ? "refresh" : "preview"} failed`];
  const own = managed.find((one) => one.urn === urn);
  const source = changes.find((one) => one.urn === urn)?.source;
  const where = source === undefined ? [] : [` (${source.file}:${source.line})`];
  return text`${[capitalized(nounOf(kind))]} ${own?.label ?? nameOfUrn(urn)} can't be ${[own ? "changed" : "created"]} yet${where}`;
}

/** Adds how to keep an object that the program may only have renamed or moved. */
function withAliases(consequences: readonly Consequence[], plan: Plan): Consequence[] {
  const left = new Set(plan.drift ? [] : refactoringsOf(plan.steps));
  return consequences.map((one) => {
    const own = [...left].filter(({ from }) => one.of.includes(from));
    // Of several consequences, the first one says it.
    for (const said of own) left.delete(said);
    return own.length === 0 ? one : { ...one, todo: joined(refactoringsInWords(own, plan.changes), " ") };
  });
}

function noticesOf(plan: Plan): Report["notices"] {
  const { failed, drift, masking } = plan;
  const interruption = interruptionOf(plan);
  const brake = brakeOf(plan);
  const allowance = brake && allowanceOf(brake);
  const rest = drift ? "so there may be more drift" : "so this is not all that would change";
  const withheld = "The preview was made with --show-secrets, so values are left out here.";
  const danger = (title: string, items: Report["notices"][number]["items"]) => ({
    level: "danger" as const,
    title,
    items,
  });
  return [
    interruption.length > 0 &&
      danger(
        "The last deployment was interrupted",
        interruption.map((message) => ({ message })),
      ),
    failed && danger(`The ${drift ? "refresh" : "preview"} failed, ${rest}`, failuresOf(plan)),
    brake && danger(plainText(brake.sentence).replace(/\.$/, ""), allowance ? [{ message: allowance }] : []),
    masking.withholds && { level: "caution" as const, title: "Secrets", items: [{ message: [withheld] }] },
  ].filter(isGiven);
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Says why a preview failed: what the program declares again under another name, and each other error once. */
function failuresOf(plan: Plan): Report["notices"][number]["items"] {
  const errors = plan.diagnostics.filter(({ severity }) => severity === "error");
  const redeclared = [...new Set(errors.flatMap((error) => holderOf(error, plan.managed) ?? []))];
  const others = errors
    .filter((error) => holderOf(error, plan.managed) === undefined)
    .map(({ message }) => named(plan.masking.text(message), plan));
  const telling = others.filter((error) => !ENDING.test(error.trim()));
  // Errors that differ only in ids and paths are one.
  const groups = Map.groupBy(telling.length > 0 || redeclared.length > 0 ? telling : others, (error) =>
    error.replace(/\/v2\/\S+/g, "…").replace(UUID, "…"),
  );
  return [
    ...(redeclared.length > 0 ? [takenInWords(redeclared)] : []),
    ...[...groups.values()].map(([first = "", ...more]) => {
      const [message = "", ...lines] = first.replace(/^(?:error: |Preview failed: )+/, "").split("\n");
      const indent = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
      const like = more.length > 0 ? [` (and ${counted(more.length, "more error")} like it)`] : [];
      const code = lines
        .map((line) => line.slice(indent))
        .join("\n")
        .trimEnd();
      return { message: [{ code: message }, ...like], ...(code !== "" && { code }) };
    }),
  ];
}

/** Puts names in place of the ids of objects. */
function named(message: string, { managed }: Plan): string {
  return managed.reduce(
    (words, { kind, id, label }) =>
      words.replaceAll(`${nounOf(kind)} ${id}`, () => `${nounOf(kind)} ${label}`),
    message,
  );
}

function interruptionOf({ interrupted }: Plan): Text[] {
  if (interrupted === undefined) return [];
  const what = listed(interrupted.map(({ operation, name }) => text`${[operation]} ${name}`));
  const found = what.length === 0 ? [] : [[...what, "."]];
  // An update or a deletion is repeated by the next deployment.
  const isRepeated = what.length > 0 && interrupted.every(({ operation }) => operation !== "creating");
  const lock = text`Make sure that no deployment runs, then release the lock with ${"pulumi cancel"}.`;
  if (isRepeated) return [...found, text`${lock} The next deployment repeats this.`];
  const [look, act] = ["npx pulumi-buildpipeline recover", "npx pulumi-buildpipeline recover --yes"];
  return [
    ...found,
    text`The service may have an object that the state lacks, and another deployment would create it again. ${lock}`,
    text`Then run ${look}, which shows what was left and what to do with each, and ${act}, which imports what it can. Preview again afterwards.`,
  ];
}

function diffsOf({ kind, title, changed }: PlannedChange): Report["diffs"] {
  return changed.flatMap(({ name, texts, steps = texts && [texts], isLayout }) => {
    if (steps === undefined || isLayout) return [];
    return steps.map(({ before = "", after = "", ...step }) => {
      const { lines, added, removed } = lineDiff(before, after);
      const of: Text = "name" in step && step.name !== undefined ? text`, step ${step.name}` : [];
      const about = text`${[nounOf(kind)]} ${title}: ${argumentText(name)}${of}`;
      return { title: about, sum: `+${added} −${removed} lines`, lines };
    });
  });
}

function listsOf(plan: Plan, warnings: Report["warnings"], isJudged: boolean): Report["lists"] {
  const outOfBand = (fate: "undone" | "kept") =>
    plan.outOfBand
      .filter((one) => one.fate === fate)
      .map((one): Text => {
        const what =
          one.action === "delete"
            ? ["deleted"]
            : joined(one.changed.flatMap((argument) => changedLines(argument, one)));
        return text`${[nounOf(one.kind)]} ${one.label}${ofPlace(one.place)}: ${what}`;
      });
  return [
    { title: "Changed outside of the program, and undone by this deployment", items: outOfBand("undone") },
    {
      title: `Changed outside of the program, and ${plan.drift ? "not managed by it" : "left alone by this deployment"}`,
      items: outOfBand("kept"),
    },
    {
      title: "Warnings",
      items: warnings.map(({ message }) => [{ code: named(message, plan) }]),
      isOpen: isJudged,
    },
    { title: "Resources of other packages, which this report does not describe", items: othersInWords(plan) },
  ].filter(({ items }) => items.length > 0);
}

function othersInWords({ steps }: Plan): Text[] {
  return [...otherSteps(steps)].map(([op, own]) => {
    const names = own.map(({ urn }) => `${typeOfUrn(urn)} ${nameOfUrn(urn)}`);
    return [
      { code: `${own.length} ${op}` },
      ...(/delete|replace/.test(op) ? [": ", ...listed(names, 100)] : []),
    ];
  });
}

function recoveryNote(plan: Plan): Text {
  if (vanishedIn(plan).length === 0) return [];
  const place = placeOfPage("guides/recover");
  return ["How to restore what was deleted: ", "url" in place ? place.url : { code: place.command }];
}

/** Up to so many unchanged objects are drawn around those that change. */
const MOST_UNCHANGED = 40;

/** Draws all of a small topology, what changes of a large one or, if that is large too, a line for each cluster. */
function drawnOf(plan: Plan): Drawing | undefined {
  const topology = topologyOfPlan(plan);
  const unchanged = insideOf(topology.nodes).filter(({ change }) => change === undefined).length;
  const hasMuch = isLarge(topology) || unchanged > MOST_UNCHANGED;
  const drawing = drawingOf(hasMuch ? { ...topology, nodes: changedIn(topology.nodes) } : topology);
  return changesIn(drawing).length === 0 ? undefined : drawing;
}

/** Returns the stack's objects that stay as they are, which are more than a drawing has. What it only reads isn't its own. */
function unchangedIn({ resources }: Plan): Plan["resources"] {
  return resources.filter(({ action, before }) => action === undefined && before?.external !== true);
}

function changedIn(nodes: readonly TopologyNode[]): TopologyNode[] {
  return nodes.filter(hasChanges).map((node) => ({ ...node, contents: changedIn(node.contents) }));
}

function hasChanges({ change, contents }: TopologyNode): boolean {
  return change !== undefined || contents.some(hasChanges);
}

/** Returns what a reviewer should know at the lines of changes, each sentence once, the dangers first. */
function annotationsOf(
  { drift }: Plan,
  changes: readonly PlannedChange[],
  consequences: readonly Consequence[],
  rows: readonly Row[],
): Report["annotations"] {
  const at = (urns: readonly string[], message: string, level?: Consequence["level"]) => {
    const own = drift ? [] : changes.filter(({ urn }) => urns.includes(urn));
    const lines = own.flatMap(({ source, action }) => {
      const left = action === "delete" ? "\nThe last deployment had it in this line." : "";
      return source ? [{ ...source, ...(level && { level }), message: message + left }] : [];
    });
    return [...new Map(lines.map((one) => [`${one.file}:${one.line}`, one])).values()];
  };
  return [
    // One sentence about many objects is read once, because a host shows few annotations of a job.
    ...consequences.flatMap(({ level, message, todo = [], of }) =>
      at(of, [message, todo].map(plainText).filter(Boolean).join("\n"), level).slice(0, 1),
    ),
    ...rows.flatMap(({ action, what, level, of }) => {
      if (level !== undefined) return [];
      const says = (urn: string, object: Text) =>
        at([urn], `${capitalized(ACTIONS[action].word)} ${plainText(object)}.`);
      return changes
        .filter(({ urn }) => of.includes(urn))
        .flatMap(({ urn, kind, title }) =>
          says(urn, of.length > 1 ? text`${[nounOf(kind)]} ${title}` : what),
        );
    }),
  ];
}
