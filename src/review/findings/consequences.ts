import * as z from "zod";
import {
  EFFECTS,
  isConnection,
  kinds,
  lostWith,
  type Meaning,
  nounOf,
} from "../../provider/for-commands/kinds.js";
import { alphabetically } from "../../shared/messages/alphabet.js";
import { capitalized } from "../../shared/messages/nouns.js";
import type { PlannedChange } from "../plan/change.js";
import { newPlaceText, ofPlace, type Place, placeText } from "../plan/names.js";
import { byText, filled, joined, listed, plainText, type Text, text } from "../plan/text.js";

const part = z.union([z.string(), z.object({ code: z.string() }), z.object({ strong: z.string() })]);
export const textSchema: z.ZodType<Text> = z.array(part).readonly();

/** Something that a reviewer must not overlook: what changes mean for people. */
export const consequenceSchema = z.object({
  effect: z.enum(EFFECTS),
  /** `danger`: somebody outside can do more, something is lost, or it stops. `caution`: people notice it. */
  level: z.enum(["danger", "caution"]),
  /** The sentence, without the names of many objects and without what follows. */
  headline: textSchema,
  /** With the present load, if it was read. */
  message: textSchema,
  /** Who is affected, and what runs now: a sentence each. */
  details: z.array(textSchema).readonly(),
  /** What to do before the merge. */
  todo: textSchema.exactOptional(),
  /** The URNs of the changes that it is about. */
  of: z.array(z.string()).readonly(),
});

export type Consequence = Readonly<z.infer<typeof consequenceSchema>>;

/** What uses the object of a change now. */
export interface Use {
  /** In words: `3 running, 12 waiting`. */
  readonly now?: string | undefined;
  /** Jobs run in what disappears, or may start there at any moment. */
  readonly busy: boolean;
  readonly lines: readonly Text[];
}

/** An object that a sentence is about. */
export type Named = Pick<PlannedChange, "kind" | "label" | "title"> & { readonly place?: Place | undefined };

/** A consequence before equal ones are put together. Its words are those of a kind's description, or of a rule here. */
export interface Remark extends Meaning {
  /** It is about these objects, before or after the change. Default: after it, as far as there is one. */
  readonly of: readonly PlannedChange[];
  readonly at?: "before" | "after";
  /** The argument whose change it is about. */
  readonly argument?: string;
  /** What disappears with them. */
  readonly inside?: readonly PlannedChange[];
  /** What its sentence is about. Default: the objects. */
  readonly about?: readonly Named[];
  /** In place of names. */
  readonly subject?: Text;
  /** Values in the words, in addition to those of the change. */
  readonly values?: Readonly<Record<string, Text>>;
  /** Words for several such remarks with other values, for a title. */
  readonly inGeneral?: string;
  readonly use?: Use | undefined;
  readonly details?: readonly Text[];
  /** Sentences about all remarks that are put together, which may differ in them. */
  readonly ofAll?: (own: readonly Remark[]) => readonly Text[];
  /** It is certain, and decides what else happens. */
  readonly isFirst?: boolean;
}

/** Puts equal remarks together. Dangers come first, then each kind of consequence, and of these what is busy. */
export function consequencesOf(remarks: readonly Remark[]): Consequence[] {
  const groups = [...Map.groupBy(remarks, keyOf).values()].flatMap((own) =>
    own.slice(0, 1).map((first) => ({ first, own })),
  );
  /** The general words with their values. */
  const generalOf = ({ first, own }: (typeof groups)[number]) =>
    first.inGeneral && plainText(filled(first.inGeneral, true, valuesOf(first, own)));
  const alike = Map.groupBy(groups, generalOf);
  const sorted = groups.sort((one, other) => weightOf(one.first) - weightOf(other.first));
  const [worst] = sorted;
  // Whom a loss hits tells more than what is lost.
  const hits = sorted.filter(
    ({ first: { about, effect, level, of } }) =>
      worst?.first.effect === "lost" &&
      about !== undefined &&
      effect === "stops" &&
      level === "danger" &&
      of.some((change) => worst.own.some((one) => one.of.includes(change))),
  );
  const certain = sorted.filter(({ first }) => first.isFirst);
  return [...new Set([...certain, ...hits, ...sorted])].map((group) => {
    const { first, own } = group;
    const { effect, level, inGeneral, todo, use, details = [] } = first;
    const others = inGeneral === undefined ? [] : (alike.get(generalOf(group)) ?? []);
    const isGeneral = inGeneral !== undefined && others.length > 1;
    const all = own.flatMap(({ of, inside = [] }) => [...of, ...inside]);
    return {
      effect,
      level,
      headline: isGeneral
        ? sentence(
            { ...first, words: inGeneral },
            others.flatMap((one) => one.own),
            true,
          )
        : sentence(first, own, true),
      message: messageOf(first, own),
      details: [...(use?.lines ?? []), ...details, ...(first.ofAll?.(own) ?? [])],
      ...(todo !== undefined && { todo: filled(todo, own.length > 1, valuesOf(first, own)) }),
      of: [...new Set(all.map(({ urn }) => urn))],
    };
  });
}

function aboutOf({ about, of }: Remark): readonly Named[] {
  return about ?? of;
}

function weightOf(one: Remark | undefined): number {
  if (one === undefined) return 0;
  const { level, effect, use } = one;
  return (level === "danger" ? 0 : 100) + EFFECTS.indexOf(effect) * 10 + (use?.busy ? 0 : 1);
}

/** Remarks with the same key read the same but for the objects. Busy objects stay apart: a reviewer checks each of them. */
function keyOf(one: Remark): string {
  const { effect, level, rest = "", unread, todo = "", use, details, subject, of, about } = one;
  const valueNamed = (name: string) => (name === "objects" ? [] : valuesOf(one, [one])(name));
  const texts = [one.words, rest, todo].map((words) => filled(words, false, valueNamed));
  const isApart = use?.busy || subject !== undefined || about !== undefined || of.length !== 1;
  const apart = isApart ? [about, of.map(({ urn, id }) => [urn, id])] : [];
  return JSON.stringify([
    of[0]?.kind,
    effect,
    level,
    subject,
    texts,
    use && [use.now, use.lines],
    use?.now ?? unread,
    details,
    apart,
  ]);
}

function withCapital([first, ...rest]: Text): Text {
  return first === undefined ? [] : [typeof first === "string" ? capitalized(first) : first, ...rest];
}

export function sentence(one: Remark, own: readonly Remark[], isShort = false): Text {
  const all = [...new Set(own.flatMap(aboutOf))];
  const predicate = filled(one.words, isPlural(all), valuesOf(one, own, isShort));
  if (one.words.includes("{objects}")) return withCapital(predicate);
  return [...(one.subject ?? subjectOf(all, isShort)), " ", ...predicate];
}

/** Settings are always several. */
function isPlural(all: readonly Named[]): boolean {
  return all.length > 1 || all.some(({ kind }) => kinds.get(kind)?.isSetting);
}

function messageOf(one: Remark, own: readonly Remark[]): Text {
  const { rest, unread, use, words } = one;
  const all = [...new Set(own.flatMap(aboutOf))];
  const isMany = all.length > 1;
  const say = (words: string | undefined): Text =>
    words === undefined ? [] : [" ", ...filled(words, isPlural(all), valuesOf(one, own))];
  const load = use?.now === undefined ? [] : [use.busy ? { strong: use.now } : use.now];
  const inside = words.includes("{contents}") ? [] : own.flatMap(({ inside = [] }) => inside);
  const others = inside.filter(({ kind }) => !isOnlyConnection(kind)).map(nounAndName);
  return [
    ...sentence(one, own),
    ...(load.length === 0 ? [] : [isMany ? ", each with " : ": ", ...load]),
    ".",
    ...say(rest),
    ...say(use?.now === undefined ? unread : undefined),
    ...(others.length === 0 ? [] : text` Deleted with ${[isMany ? "them" : "it"]}: ${listed(others)}.`),
  ];
}

function isOnlyConnection(kind: string): boolean {
  const described = kinds.get(kind);
  return described !== undefined && isConnection(described);
}

function nounAndName({ kind, label }: PlannedChange): Text {
  return text`${[nounOf(kind)]} ${label}`;
}

/** `` Queue `small` of `Linux` ``, or `` 17 pipelines of `Linux` (`shop`, `etl` and 15 more) ``. */
export function subjectOf(all: readonly Named[], isShort = false): Text {
  const [own = [], ...others] = [...Map.groupBy(all, ({ kind }) => kind).values()];
  return withCapital(
    joined(
      [own, ...others].map((some) => subjectOfKind(some, isShort)),
      " and ",
    ),
  );
}

function subjectOfKind(all: readonly Named[], isShort: boolean): Text {
  const [first, ...others] = all;
  if (first === undefined) return [];
  const noun = nounOf(first.kind);
  const nouns = `${all.length} ${noun}s`;
  const places = [...new Map(all.map(({ place }) => [place?.key, place ? placeText(place) : []])).values()];
  const { isSetting } = kinds.get(first.kind) ?? {};
  if (isSetting) return [`the ${noun}s`];
  // A property of its place is named by that.
  if (kinds.get(first.kind)?.words.label === undefined)
    return others.length === 0
      ? [`the ${noun}`, ...ofPlace(first.place)]
      : [`the ${noun}s of `, ...listed(places.sort(byText))];
  if (others.length === 0) return [`${noun} `, ...first.title, ...ofPlace(first.place)];
  const isOnePlace = places.length === 1;
  const lead = [nouns, ...(isOnePlace ? ofPlace(first.place) : [])];
  const isOneName = new Set(all.map(({ label }) => label)).size === 1;
  if (isOneName && !isOnePlace) {
    const named = text`${[nouns]} ${first.label}`;
    return isShort ? named : text`${named} (of ${listed(places.sort(byText))})`;
  }
  // What belongs to the organization has a name of its own there.
  const isKnown = isOnePlace || kinds.get(first.kind)?.parent === undefined;
  const names = all.map(({ title, place }) => [...title, ...(isKnown ? [] : ofPlace(place))]).sort(byText);
  return isShort ? lead : text`${lead} (${listed(names)})`;
}

/** Names the objects of connections, such as the pipelines that a team may use, or people. */
function objectsOf(all: readonly PlannedChange[], at: "before" | "after", isShort: boolean): Text {
  const described = kinds.get(all[0]?.kind ?? "");
  const { goesWith, refersTo = "" } = described?.arguments[described.words.label ?? ""] ?? {};
  const names = all.map((one) => (at === "before" ? one.label : one.nextLabel)).sort(alphabetically);
  const [name = "", ...others] = names;
  if (others.length === 0) return goesWith ? text`${[nounOf(refersTo)]} ${name}` : text`${name}`;
  const count = [`${names.length} ${goesWith ? `${nounOf(refersTo)}s` : "people"}`];
  return isShort ? count : [...count, " (", ...listed(names), ")"];
}

/** `` its queues (`small`, `large`), its agent tokens and its cluster secrets `` */
function contentsOf(kind: string, inside: readonly PlannedChange[], isShort: boolean, isMany: boolean): Text {
  const all = lostWith(kind).map(({ name }): Text => {
    const names = inside.filter((one) => one.kind === name).map(({ label }) => label);
    const what = [`${isMany ? "their" : "its"} ${nounOf(name)}s`];
    return names.length === 0 || isShort ? what : [...what, " (", ...listed(names), ")"];
  });
  const last = all.pop() ?? [];
  return all.length === 0 ? last : [...joined(all), " and ", ...last];
}

function valuesOf(one: Remark, own: readonly Remark[], isShort = false): (name: string) => Text {
  const { values = {}, at = "after" } = one;
  const all = own.flatMap(({ of }) => of);
  const [first] = all;
  const place = at === "after" ? (first?.movesTo ?? first?.place) : first?.place;
  return (name) => {
    if (Object.hasOwn(values, name)) return values[name] ?? [];
    if (first === undefined) return [];
    if (name === "objects") return objectsOf(all, at, isShort);
    if (name === "place") return place === undefined ? [] : [`${nounOf(place.kind)} `, ...placeText(place)];
    if (name === "newPlace") return first.movesTo === undefined ? [] : newPlaceText(first.movesTo);
    if (name === "contents") return contentsOf(first.kind, one.inside ?? [], isShort, own.length > 1);
    return [name.startsWith("old.") ? first.value(name.slice(4), "before") : first.value(name, at)];
  };
}
