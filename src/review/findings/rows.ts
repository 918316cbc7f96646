import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { ACTION_ORDER, ACTIONS, type Action } from "../../cli/drawing/actions.js";
import { defaultSetBy, isNone, kinds, nounOf, parentArgument } from "../../provider/for-commands/kinds.js";
import type { ArgumentChange, PlannedChange } from "../plan/change.js";
import { newPlaceText, placeText } from "../plan/names.js";
import type { StepChange } from "../plan/step-pieces.js";
import { filled, joined, listed, plainText, type Text, text } from "../plan/text.js";
import { type Consequence, textSchema } from "./consequences.js";
import { caseOf } from "./remarks.js";

/** A change in the table, or equal changes. */
export const rowSchema = z.object({
  action: z.enum(ACTION_ORDER),
  /** What happens, with its sign: `± replace`. */
  tag: z.string(),
  /** `` queue `small` ``, or `` 17 pipelines: `shop`, `etl` and 15 more `` */
  what: textSchema,
  /** All names, where `what` leaves some out. */
  all: textSchema.exactOptional(),
  /** The cluster, team or pipeline that it is in; empty for the organization. */
  place: textSchema,
  lines: z.array(textSchema).readonly(),
  level: z.enum(["danger", "caution"]).exactOptional(),
  of: z.array(z.string()).readonly(),
});

export type Row = Readonly<z.infer<typeof rowSchema>>;

/** Of so many names in a row, all are shown. */
const MOST_NAMES = 4;

/** Returns the table of changes, the worst first. Changes that differ in their name only, or in their place, are one row. */
export function rowsOf(
  changes: readonly PlannedChange[],
  drift: boolean,
  consequences: readonly Consequence[],
): Row[] {
  const levels = new Map<string, Consequence["level"]>();
  for (const { level, of } of consequences.toReversed())
    for (const urn of of) if (levels.get(urn) !== "danger") levels.set(urn, level);
  const weight = (urn: string) => ["danger", "caution", undefined].indexOf(levels.get(urn));
  const cells = changes.map((change) => ({
    change,
    // A property of its place has no name.
    title: defaultSetBy(change.kind) === undefined ? change.title : [],
    place: change.place === undefined ? [] : placeText(change.place),
    lines: linesOf(change),
  }));
  const groups = Map.groupBy(cells, ({ change: { action, kind, pending, urn }, lines }) =>
    JSON.stringify([action, kind, pending, lines, levels.get(urn)]),
  );
  return [...groups.values()]
    .flatMap((own) => {
      const isOneName = new Set(own.map(({ title }) => plainText(title))).size === 1;
      return isOneName && own.length > 1
        ? [own]
        : [...Map.groupBy(own, ({ change: { place } }) => place?.key).values()];
    })
    .flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const { action, kind, pending, urn } = first.change;
      const { sign, drift: found = wordOf(first.change) } = ACTIONS[action];
      const level = levels.get(urn);
      const titles = [...new Map(own.map(({ title }) => [plainText(title), title])).values()];
      const places = [...new Map(own.map(({ place }) => [plainText(place), place])).values()];
      const noun = own.length === 1 ? nounOf(kind) : `${own.length} ${nounOf(kind)}s`;
      const names = titles.length > MOST_NAMES ? listed(titles, MOST_NAMES - 1) : listed(titles);
      return {
        action,
        tag: `${sign} ${drift && !pending ? found : wordOf(first.change)}`,
        what: names.length === 0 ? [noun] : [`${noun}${titles.length > 1 ? ": " : " "}`, ...names],
        ...(titles.length > MOST_NAMES && { all: listed(titles, titles.length) }),
        place: listed(places, MOST_NAMES),
        lines: first.lines,
        ...(level && { level }),
        of: own.map(({ change }) => change.urn),
      };
    })
    .sort((one, other) => weight(one.of[0] ?? "") - weight(other.of[0] ?? ""));
}

/** Returns what happens to an object: `archive` where it stays, although the program no longer has it. */
function wordOf(change: PlannedChange): string {
  const { word } = ACTIONS[change.action];
  const { archiving, review } = kinds.get(change.kind) ?? {};
  const isKept = archiving !== undefined && change.before[archiving.argument] !== true;
  return change.action === "delete" && isKept && caseOf(review?.deleted, change)?.remains ? "archive" : word;
}

/** `1 to replace`, `3 to create`, the worst first; of drift, `1 gone`, `2 changed`. */
export function sumsOf(
  changes: readonly PlannedChange[],
  drift: boolean,
): { action: Action; text: string }[] {
  return ACTION_ORDER.flatMap((action) => {
    const { drift: found } = ACTIONS[action];
    const own = Map.groupBy(
      changes.filter((one) => one.action === action),
      (one) => (drift && !one.pending && found) || `to ${wordOf(one)}`,
    );
    return [...own].map(([sum, { length }]) => ({ action, text: `${length} ${sum}` }));
  });
}

const MOST_LINES = 6;

function linesOf(change: PlannedChange): Text[] {
  const { action, changed, adopts, pending, movesTo, place, nextLabel, label } = change;
  if (pending && action === "delete")
    return [["replaced by an earlier deployment, which couldn't delete it"]];
  if (action === "delete") return deletedLines(change);
  if (action === "release") return [["is removed from state; nothing is deleted on the service"]];
  const isMade = action === "create" || action === "adopt";
  const argument = parentArgument(change.kind);
  const told = isMade ? tellingOf(change) : changed;
  const shown = told
    .filter(({ name }) => name !== argument || (!isMade && movesTo === undefined))
    .flatMap((one) => (isMade ? madeLines(one, label) : changedLines(one, change)));
  return [
    ...(adopts === undefined ? [] : [text`adopts ${adopts}`]),
    ...(place !== undefined && movesTo !== undefined
      ? [text`moves from ${placeText(place)} to ${newPlaceText(movesTo)} (a new object)`]
      : []),
    ...shown.slice(0, MOST_LINES),
    ...(shown.length > MOST_LINES ? [[`and ${shown.length - MOST_LINES} more`]] : []),
    ...(action === "update" && changed.length === 0 ? [["no change on the service"]] : []),
    ...(action === "update" && nextLabel !== label && changed.length === 0 ? [text`now ${nextLabel}`] : []),
  ];
}

/** What is only archived isn't deleted. */
function deletedLines(change: PlannedChange): Text[] {
  const { remains, words = "" } = caseOf(kinds.get(change.kind)?.review?.deleted, change) ?? {};
  return remains ? [filled(words, false, () => [])] : [];
}

/** Returns what a new object has beyond defaults, in the order of the description, where what matters comes first. */
function tellingOf({ kind, changed, after }: PlannedChange): readonly ArgumentChange[] {
  const fields = kinds.get(kind)?.arguments ?? {};
  const order = Object.keys(fields);
  return changed
    .filter(({ name }) => {
      const usual = Object.hasOwn(fields, name) ? fields[name]?.default : undefined;
      return !isDeepStrictEqual(after[name], usual) && !(usual === undefined && isNone(after[name]));
    })
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
}

function madeLines({ name, after }: ArgumentChange, label: string): Text[] {
  if (typeof after === "object" && "code" in after && after.code === label) return [];
  const lines = typeof after === "object" && "code" in after ? after.code.split("\n").length : 1;
  return [text`${argumentText(name)}: ${[lines > 1 ? `${lines} lines` : after]}`];
}

export function changedLines(
  argument: ArgumentChange,
  { kind, before: old, after: next, undoes, value, changed }: PlannedChange,
): Text[] {
  const { name, before, after, texts, steps, isLayout, replaces, entries } = argument;
  if (name === "import")
    return [[`the option import is ${next.import == null ? "removed" : "set"}; nothing is sent`]];
  const { review: { note } = {}, whenOmitted } = kinds.get(kind)?.arguments[name] ?? {};
  const isSaid = note === undefined || changed.some((one) => note.includes(`{${one.name}}`));
  const why: Text = [
    replaces ? " (replaces)" : "",
    undoes.includes(name) ? " (undoes an out-of-band change)" : "",
    ...(isSaid
      ? []
      : [" (", ...filled(note, false, (one) => [value(one, isNone(next[one]) ? "before" : "after")]), ")"]),
  ].filter((part) => part !== "");
  if (texts !== undefined) {
    const countOf = (document: string) => `${document.trimEnd().split("\n").length} lines, see below`;
    if (texts.before === "")
      return [text`${argumentText(name)}: ${[before, " → ", countOf(texts.after)]}${why}`];
    if (texts.after === "")
      return [text`${argumentText(name)}: ${[countOf(texts.before), " → ", after]}${why}`];
    const what: Text = isLayout
      ? ["only its layout, comments or order of keys"]
      : [...(steps === undefined ? ["some lines"] : listed(steps.map(stepText), 3)), ", see below"];
    return [text`${argumentText(name)}: ${what}${why}`];
  }
  if (whenOmitted === "unmanaged" && next[name] === undefined && !isNone(old[name]))
    return [text`${argumentText(name)}: ${["no longer stated, and stays as it is"]}`];
  if (entries === undefined) {
    const isSame = plainText([before]) === plainText([after]);
    const shown: Text = !isSame
      ? [before, " → ", after]
      : isDeepStrictEqual(old[name], next[name])
        ? [after, ", as it is already"]
        : [before, " → another ", after];
    return [text`${argumentText(name)}: ${shown}${why}`];
  }
  const ofMap = entries.flatMap((one) =>
    one.key === undefined
      ? []
      : [text`${argumentText(`${name}.${one.key}`)}: ${[one.before, " → ", one.after]}${why}`],
  );
  const ofList = entries.flatMap((one): Text[] =>
    one.key !== undefined ? [] : [isNone(one.values[0]) ? ["+ ", one.after] : ["− ", one.before]],
  );
  return ofList.length === 0 ? ofMap : [text`${argumentText(name)}: ${joined(ofList, " ")}${why}`];
}

function stepText({ name, before, after }: StepChange): Text {
  const sign = before === undefined ? "+ " : after === undefined ? "− " : "";
  return name === undefined ? ["what stands around the steps"] : [`${sign}step `, { code: name }];
}

/** Returns the name of an argument. Because a program may use any name, only plain names are written as plain text. */
export function argumentText(name: string): Text {
  return /^\w+(?:\.\w+)?$/.test(name) ? [name] : [{ code: name }];
}
