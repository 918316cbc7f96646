import { ACTIONS } from "../../cli/drawing/actions.js";
import { drawingOf, isLarge } from "../../cli/drawing/drawing.js";
import { changesIn } from "../../cli/drawing/signs.js";
import { insideOf, type Topology, type TopologyNode } from "../../cli/drawing/topology.js";
import { ENDING } from "../../cli/pulumi/engine-messages.js";
import { nounOf } from "../../provider/lifecycle/values/kinds.js";
import { lineDiff } from "../../shared/messages/lines.js";
import { capitalized, counted } from "../../shared/messages/nouns.js";
import { placeOfPage } from "../../shared/process/package-files.js";
import { nameOfUrn, typeOfUrn } from "../../shared/protocol/urn.js";
import type { Change, OutOfBand } from "../plan/change.js";
import { ofPlace } from "../plan/names.js";
import { type Plan, stackName } from "../plan/plan.js";
import { refactoringsInWords, refactoringsOf, takenInWords } from "../plan/refactorings.js";
import { otherSteps } from "../plan/resources.js";
import { listed, plainText, type Text, text } from "../plan/text.js";
import { type Danger, lostIn } from "./dangers.js";
import { busyIn, headlineOf, type Impact, notesOf, showsAll } from "./impact.js";
import type { Block, Item, Page } from "./page.js";
import type { Report } from "./report.js";
import { argumentText, tablesOf } from "./tables.js";

export function pageOf(report: Report): Page {
  const { plan, impact, groups } = report;
  return {
    ...report,
    stack: stackName(plan),
    drift: plan.drift,
    failed: plan.failed,
    interrupted: plan.interrupted !== undefined,
    annotations: annotationsOf(report),
    size: groups.reduce((sum, { changes }) => sum + changes.length, 0),
    load: impact && {
      ...busyIn(impact.findings),
      atLeast: impact.atLeast,
      proven: !impact.uncertain && impact.gaps.length === 0 && showsAll(plan),
    },
    blocks: blocksOf(report),
  };
}

/** Returns what a reviewer should know at the line of each change that has one, the dangers first. */
function annotationsOf({ plan, dangers, groups }: Report): Page["annotations"] {
  const changes = plan.drift ? [] : groups.flatMap((group) => group.changes);
  return changes
    .flatMap(({ source, ...change }) => {
      if (source === undefined) return [];
      const about = dangers.filter(({ of }) => of.some(({ urn }) => urn === change.urn));
      const [most] = (["danger", "caution"] as const).filter((wanted) =>
        about.some(({ level }) => level === wanted),
      );
      const { word } = ACTIONS[change.action];
      const lines = [
        `${capitalized(word)} ${nounOf(change.kind)} ${change.label}.`,
        ...(change.action === "delete" ? ["The last deployment had it in this line."] : []),
        ...about.map(({ message }) => plainText(message)),
      ];
      return { ...source, ...(most && { level: most }), message: lines.join("\n") };
    })
    .sort((one, other) => Number(other.level === "danger") - Number(one.level === "danger"));
}

function blocksOf({ plan, topology, dangers, groups, warnings, impact, failure }: Report): Block[] {
  const { tables, anchors } = tablesOf(groups, plan.drift, dangers);
  const of = (wanted: Danger["level"]) =>
    dangers.flatMap((one): Item[] => {
      const [first] = one.of;
      return one.level === wanted ? [{ ...one, anchor: first && anchors.get(first) }] : [];
    });
  const changes = groups.flatMap((group) => group.changes);
  const refactorings = plan.drift ? [] : refactoringsOf(plan.steps);
  return [
    ...alert("danger", "The last deployment was interrupted", items(interruptionOf(plan))),
    ...alert("danger", ...failureOf(plan, failure)),
    ...uncheckedBlocks(plan),
    ...alert("caution", "Secrets", items(plan.masking.withholds ? [WITHHELD] : [])),
    ...(impact === undefined ? [] : impactBlocks(plan, impact)),
    ...alert("danger", "", of("danger")),
    ...recoveryBlocks(plan),
    ...alert("caution", "", of("caution")),
    ...alert(
      "caution",
      "Renamed or moved in the program?",
      items(refactoringsInWords(refactorings, plan.changes)),
    ),
    ...section(groups, "Changes"),
    ...tables.map((table) => ({ type: "table" as const, ...table })),
    ...changes.flatMap(diffsOf),
    ...outOfBandBlocks(plan.outOfBand),
    ...list(
      "Warnings",
      warnings.map((warning) => [{ code: named(warning, plan) }]),
    ),
    ...list("Resources of other packages, which this report does not describe", othersInWords(plan)),
    ...drawingBlocks(topology),
  ];
}

function named(message: string, { managed }: Plan): string {
  return managed.reduce(
    (named, { kind, id, label }) =>
      named.replaceAll(`${nounOf(kind)} ${id}`, () => `${nounOf(kind)} ${label}`),
    message,
  );
}

function impactBlocks(plan: Plan, impact: Impact): Block[] {
  return [
    { type: "section", title: "Impact now" },
    { type: "paragraph", text: [headlineOf(plan, impact)], tone: impact.busy ? "strong" : "plain" },
    ...paragraph("quiet", joined(notesOf(impact), " ")),
  ];
}

function recoveryBlocks(plan: Plan): Block[] {
  const place = placeOfPage("guides/recover");
  const text = ["How to restore what was deleted: ", "url" in place ? place.url : { code: place.command }];
  return lostIn(plan).length === 0 ? [] : paragraph("plain", text);
}

const WITHHELD = ["The preview was made with --show-secrets, so values are left out here."];

function alert(level: Danger["level"], title: string, all: readonly Item[], rest = ""): Block[] {
  return all.length === 0 ? [] : [{ type: "alert", level, title, rest, items: all }];
}

function section(contents: readonly unknown[], title: string): Block[] {
  return contents.length === 0 ? [] : [{ type: "section", title }];
}

function paragraph(tone: "plain" | "quiet", text: Text): Block[] {
  return text.length === 0 ? [] : [{ type: "paragraph", text, tone }];
}

function items(texts: readonly Text[]): Item[] {
  return texts.map((message) => ({ message }));
}

function list(title: string, items: readonly Text[]): Block[] {
  return items.length === 0 ? [] : [{ type: "list", title, items }];
}

/** Draws all of a small topology, what changes of a large one or, if that is large too, a line for each cluster. */
function drawingBlocks(topology: Topology): Block[] {
  const stays = insideOf(topology.nodes).filter(({ change }) => change === undefined);
  const hasMuch = isLarge(topology) || stays.length > MOST_UNCHANGED;
  const shown = hasMuch ? { ...topology, nodes: changedIn(topology.nodes) } : topology;
  const drawing = drawingOf(shown);
  const names = hasMuch ? stays.map(({ kind, name }) => text`${[nounOf(kind)]} ${name}`) : [];
  const unchanged = { count: stays.length, omitted: listed(names, names.length) };
  return changesIn(drawing).length === 0 ? [] : [{ type: "drawing", drawing, unchanged }];
}

/** Up to so many unchanged objects are drawn around those that change. */
const MOST_UNCHANGED = 40;

function changedIn(nodes: readonly TopologyNode[]): TopologyNode[] {
  return nodes.filter(hasChanges).map((node) => ({ ...node, contents: changedIn(node.contents) }));
}

function hasChanges({ change, contents }: TopologyNode): boolean {
  return change !== undefined || contents.some(hasChanges);
}

function uncheckedBlocks({ gaps, failed }: Plan): Block[] {
  if (failed || gaps.length === 0) return [];
  const what = gaps.map(({ message }) => message);
  return paragraph("quiet", text`Not checked: ${joined(what, "; ")}.`);
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Puts errors together that differ only in ids and paths. */
function groupedErrors(errors: readonly string[], isTold: boolean): Text[] {
  const telling = errors.filter((error) => !ENDING.test(error.trim()));
  const groups = Map.groupBy(telling.length > 0 || isTold ? telling : errors, (error) =>
    error.replace(/\/v2\/\S+/g, "…").replace(UUID, "…"),
  );
  return [...groups.values()].map(([first = "", ...more]) => [
    { code: first.replace(/^(?:error: |Preview failed: )+/, "") },
    ...(more.length > 0 ? [` (and ${counted(more.length, "more error")} like it)`] : []),
  ]);
}

function failureOf({ drift }: Plan, { redeclared, others }: Report["failure"]): [string, Item[], string] {
  const isTold = redeclared.length > 0;
  const all = [...(isTold ? [takenInWords(redeclared)] : []), ...items(groupedErrors(others, isTold))];
  return drift
    ? ["The refresh failed", all, ", so there may be more drift:"]
    : ["The preview failed", all, ", so this is not all that would change:"];
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
    text`Then run ${look}, which shows what was left, and ${act}, which imports it. Preview again afterwards.`,
  ];
}

function diffsOf({ kind, title, changed }: Change): Block[] {
  return changed.flatMap(({ name, texts, isLayout }): Block[] => {
    if (texts === undefined || isLayout) return [];
    const { lines, added, removed } = lineDiff(texts.before, texts.after);
    const about = text`${[nounOf(kind)]} ${title}: ${argumentText(name)}`;
    return [{ type: "diff", title: about, sum: `+${added} −${removed} lines`, lines }];
  });
}

function outOfBandBlocks(all: readonly OutOfBand[]): Block[] {
  const linesOf = (fate: OutOfBand["fate"]) =>
    all
      .filter((one) => one.fate === fate)
      .map(({ kind, label, place, action, changed }): Text => {
        const values = changed.map(
          ({ name, before, after }) => text`${argumentText(name)}: ${[before]} → ${[after]}`,
        );
        const what = action === "delete" ? ["deleted"] : joined(values);
        return text`${[nounOf(kind)]} ${label}${ofPlace(place)}: ${what}`;
      });
  return [
    ...section(all, "What changed outside of the program"),
    ...list("Undone by this deployment", linesOf("undone")),
    ...list("Left alone by this deployment", linesOf("kept")),
  ];
}

function joined(parts: readonly Text[], between = ", "): Text {
  return parts.flatMap((part, index) => (index === 0 ? part : [between, ...part]));
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
