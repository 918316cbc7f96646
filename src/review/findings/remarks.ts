import { isDeepStrictEqual } from "node:util";
import { disappears } from "../../cli/drawing/actions.js";
import {
  type ArgumentReview,
  type Case,
  directionOf,
  isConnection,
  isNone,
  kinds,
  type Meaning,
  passesBranches,
} from "../../provider/for-commands/kinds.js";
import {
  isMasked,
  isSecret,
  isShown,
  isUnknown,
  MASKED,
  UNKNOWN,
} from "../../shared/protocol/encoded-values.js";
import { namesAmong, UNKNOWN_AT_IMPORT } from "../../shared/protocol/properties.js";
import { type ArgumentChange, type PlannedChange, unmanagedAmong } from "../plan/change.js";
import { type Plan, replacedBy } from "../plan/plan.js";
import { filled, listed, plainText, type Text } from "../plan/text.js";
import type { Remark } from "./consequences.js";
import { effective, meaningOf, openIn, ruledOut, valuesAfter } from "./opened.js";
import { exposedBy, letsReadMore, successorsOf } from "./policies.js";
import { rotationRemark } from "./rotation.js";
import { type PlanBeside, placeOfKey, stepsArgument, templateArgument, withStepsAfter } from "./steps.js";

/** Returns what a change means, by the description of its kind. */
export function remarksOf(change: PlannedChange, plan: PlanBeside): Remark[] {
  const { kind, action, pending } = change;
  const { review = {}, ...described } = kinds.get(kind) ?? {};
  const isOnlyConnection = "arguments" in described && isConnection(described);
  const about = (meaning: Meaning, more: Partial<Remark> = {}): Remark => ({
    ...meaning,
    of: [change],
    ...more,
  });
  const lost = (cases: typeof review.deleted = [], words: string): Remark => {
    const meaning: Meaning = caseOf(cases, change) ?? {
      effect: "lost",
      level: "danger",
      words,
    };
    const kept = pending ? undefined : keptWords(change, plan);
    const rest = [pending ? LEFT : "", kept?.rest ?? meaning.rest ?? ""].filter(Boolean).join(" ");
    return about(
      { ...meaning, ...kept },
      { at: "before", inside: insideOf(change, plan), ...(rest !== "" && { rest }) },
    );
  };
  const gained = review.created ? [about(review.created)] : [];
  const orExposed = (own: Remark[]) => {
    const opened = own.length > 0 ? own : exposedBy(change, plan);
    const { movesTo: place } = change;
    return place === undefined ? opened : opened.map((one) => ({ ...one, about: [{ ...change, place }] }));
  };
  switch (action) {
    case "delete":
      return [lost(review.deleted, "{is|are} deleted")];
    case "replace": {
      const opened = argumentRemarks(change).filter(({ effect }) => effect === "opened");
      if (isOnlyConnection) return [lost(review.deleted, "{is|are} removed"), ...gained];
      const rotation = rotationRemark(change, plan);
      const replaced = lost(review.replaced, "{is|are} replaced");
      const unseen = [...namesAmong(change.before[UNKNOWN_AT_IMPORT])].flatMap((name) =>
        change.after[`${name}`] === undefined ? about(UNSEEN, { values: { name: [`${name}`] } }) : [],
      );
      return [rotation ? about(rotation) : { ...replaced, at: "after" }, ...unseen, ...orExposed(opened)];
    }
    case "update":
      return argumentRemarks(withSwitchedSteps(change, plan)).map((one) => ({ ...one, of: [change] }));
    case "create":
      if ("isSetting" in described) return settingRemarks(change);
      return review.created === undefined
        ? orExposed(openedBy(change, plan))
        : isOfNew(change, plan) && !letsReadMore(change, plan)
          ? []
          : [...gained, ...openedEntries(change)];
    default:
      return [];
  }
}

/** Returns a change that gives an object its steps from elsewhere, such as another template, as one of its own steps. */
function withSwitchedSteps(change: PlannedChange, plan: PlanBeside): PlannedChange {
  const { kind, before, after, changed } = change;
  const [template = "", name = ""] = [templateArgument(kind), stepsArgument(kind)];
  if (change.refersTo(template, "before") === change.refersTo(template, "after")) return change;
  const { steps } = withStepsAfter(plan).find((one) => one.change === change) ?? {};
  if (steps === undefined) return change;
  const others = changed.filter((one) => one.name !== name);
  return {
    ...change,
    before: { ...before, [name]: steps.before },
    after: { ...after, [name]: steps.after },
    changed: [...others, { name, before: "", after: "", unknown: false, replaces: false }],
  };
}

/** Returns what changes outside of the program mean, as far as this deployment doesn't undo them. */
export function driftRemarks({ drift, changes, outOfBand }: Plan): Remark[] {
  const stated = drift ? changes.filter(({ action, pending }) => action === "update" && !pending) : [];
  return [
    ...stated.flatMap((change) => argumentRemarks(change)),
    ...unmanagedAmong(outOfBand).flatMap((change) =>
      argumentRemarks(change).map((remark) => ({
        ...remark,
        words: `${remark.words} (changed outside of the program, which doesn't state it)`,
        todo: "Undo it on Buildkite, or state it in the program.",
      })),
    ),
  ];
}

/** What the pipelines of the stack find again where they run afterwards isn't lost to them. */
function keptWords(change: PlannedChange, plan: PlanBeside): Partial<Remark> | undefined {
  const places = successorsOf(change, plan);
  const [place] = places;
  if (place === undefined) return undefined;
  const isSame = places.length === 1 && place === change.place?.key;
  return {
    effect: "noticed",
    level: "caution",
    rest: isSame
      ? "Another one with {its|their} name takes {its|their} place."
      : "This stack's pipelines find {it|them} again in {places}, where they run afterwards.",
    values: { places: listed(places.map((key) => placeOfKey(key, plan))) },
  };
}

const LEFT = "An earlier deployment replaced it and couldn't delete it.";

/** Returns the first case that fits a change. */
export function caseOf(
  cases: readonly Case[] = [],
  { kind, before, changed, isDeletedFirst, movesTo }: PlannedChange,
): Case | undefined {
  // A sentence has the new value of what isn't a reference, so it must be known.
  const place = kinds.get(kind)?.parent?.argument;
  const isTold = ({ name, unknown }: ArgumentChange) => !unknown || name === place;
  return cases.find(
    ({ if: values = {}, changingOnly, changing = changingOnly ?? [], deletesFirst }) =>
      (!deletesFirst || isDeletedFirst) &&
      Object.entries(values).every(([name, value]) => before[name] === value) &&
      changing.every(
        // The engine may give only one of the arguments that replace an object.
        (name) =>
          (name === place && movesTo !== undefined) ||
          changed.some((one) => one.name === name && isTold(one)),
      ) &&
      (changingOnly === undefined || changed.every(({ name }) => changingOnly.includes(name))),
  );
}

/** Returns what disappears with an object: what lives in it, and doesn't move elsewhere. */
export function insideOf(change: PlannedChange, { deployed }: Plan): PlannedChange[] {
  if (!disappears(change)) return [];
  return deployed.filter(
    ({ kind, place, action, movesTo }) =>
      place?.key === change.urn &&
      kinds.get(kind)?.parent?.kind === change.kind &&
      (action === "update" || disappears({ action })) &&
      movesTo === undefined,
  );
}

/** Returns whether an object disappears because another one does, whose sentence names it. */
export function isLostWith(change: PlannedChange, { deployed }: Plan): boolean {
  const { kind, place, pending, movesTo, action } = change;
  const described = kinds.get(kind);
  // A property of its place is gone with that, and isn't moved.
  const isMoved = movesTo !== undefined && described?.view === undefined;
  if (pending || isMoved || action === "create") return false;
  const goesWith = Object.entries(described?.arguments ?? {}).flatMap(([name, field]) =>
    field.goesWith ? (change.refersTo(name, "before") ?? []) : [],
  );
  const keys = [...(described?.parent?.kind === place?.kind ? [place?.key] : []), ...goesWith];
  return deployed.some((one) => disappears(one) && keys.includes(one.urn));
}

/** Returns what an update of each argument means. */
export function argumentRemarks(change: PlannedChange): Remark[] {
  const fields = kinds.get(change.kind)?.arguments ?? {};
  const untold = namesAmong(change.before[UNKNOWN_AT_IMPORT]);
  const own = change.changed.flatMap((argument): Remark[] => {
    const { name } = argument;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const [old, next] = [change.before[name], change.after[name]];
    // What the program no longer states stays as it is.
    const isGivenUp = next === undefined && field?.whenOmitted !== "cleared";
    if (field === undefined || (isGivenUp && change.action === "update")) return [];
    const { review, refersTo } = field;
    const { means, within } = review;
    if (within !== undefined && (!isOn(change.before[within]) || !isOn(change.after[within]))) return [];
    const remark = (meaning: Meaning | undefined, more: Partial<Remark> = {}): Remark[] => {
      const values = { ...argumentValues(change, argument), within: withinOf(change, name) };
      return meaning ? [{ ...meaning, argument: name, of: [change], values, ...more }] : [];
    };
    // A secret is known to nobody here, unless it is one by its description.
    const isHidden = !field.secret && [old, next].some((value) => value === MASKED || isSecret(value));
    if (argument.unknown || isHidden) {
      // The id of an object that is yet to be made is another one, whatever it will be. An event log doesn't say of which.
      const isAnother = argument.isNamed || refersTo !== undefined;
      return [...remark(isAnother ? means.changed : undefined), ...entryRemarks(change, name, review)];
    }
    if (untold.has(name) && Object.keys(means).length > 0)
      return [{ ...UNCONFIRMED, of: [change], values: { name: [name], after: [argument.after] } }];
    // What the program states as it is already changes nothing. Two secrets may differ, although they are shown alike.
    const isSame = isShown(next) && isDeepStrictEqual(old, next);
    const meaning = isSame ? undefined : effective(review, change, meaningOf(review, old, next));
    const details = ((meaning && review.details?.(old, next)) ?? []).map(({ words, values }) =>
      filled(words, false, (value) => [change.shown(values[value])]),
    );
    return [...remark(meaning, details.length > 0 ? { details } : {}), ...entryRemarks(change, name, review)];
  });
  return [...own, ...openedAgain(change, own), ...filteredOut(change)];
}

/** Says of what must pass a filter that it no longer does. */
function filteredOut(change: PlannedChange): Remark[] {
  const fields = Object.entries(kinds.get(change.kind)?.arguments ?? {});
  return fields.flatMap(([name, { review }]): Remark[] => {
    const { filteredBy } = review;
    if (filteredBy === undefined) return [];
    const { filter, ...meaning } = filteredBy;
    // What a program doesn't state of the branch stays.
    const branchAt = (when: "before" | "after") => change[when][name] ?? change.before[name];
    const passes = (when: "before" | "after") => {
      const [branch, value] = [branchAt(when), change[when][filter]];
      const isKnown = typeof branch === "string" && isShown(branch) && isShown(value);
      return !isKnown || passesBranches(value, branch);
    };
    const isRuledOut = ruledOut(review, valuesAfter(change));
    if (isRuledOut || !passes("before") || passes("after")) return [];
    const values = {
      branch: [change.shown(branchAt("after"))],
      filter: [change.value(filter, "after")],
    };
    return [{ ...meaning, of: [change], argument: name, values }];
  });
}

/** What isn't known yet may be a flag that is on. */
function isOn(value: unknown): boolean {
  return value === true || value === UNKNOWN;
}

/** Says what narrows down a flag: `` (branches: `!main`) `` */
function withinOf(change: PlannedChange, flag: string): Text {
  const fields = Object.entries(kinds.get(change.kind)?.arguments ?? {});
  const own = fields.filter(([name, { review }]) => review.within === flag && !isNone(change.after[name]));
  return own.flatMap(([name]) => [" (branches: ", change.value(name, "after"), ")"]);
}

/** Says what is open again because something else changes that it needs. */
function openedAgain(change: PlannedChange, own: readonly Remark[]): Remark[] {
  const opened = own.flatMap(({ effect, argument }) => (effect === "opened" ? (argument ?? []) : []));
  return openIn(change).flatMap(({ name, review: { opensWith = [] }, meaning }) =>
    opened.includes(name) || !opened.some((other) => opensWith.includes(other))
      ? []
      : [{ ...meaning, argument: name, of: [change] }],
  );
}

const UNCONFIRMED: Meaning = {
  effect: "lost",
  level: "danger",
  words: "{sets|set} {name} to {after}",
  rest: "The API doesn't return its present value, so this may take a permission away.",
};

const UNSEEN: Meaning = {
  effect: "lost",
  level: "danger",
  words:
    "{loses its|lose their} {name} if {it has|they have} any: the API doesn't return them, and the program doesn't state them",
  todo: "State what the web interface shows of {name} first: nothing is sent for it.",
};

function argumentValues(
  change: PlannedChange,
  { name, before, after }: ArgumentChange,
): Record<string, Text> {
  const { once } = kinds.get(change.kind) ?? {};
  const isSame = typeof after === "object" && plainText([before]) === plainText([after]);
  const form =
    once?.argument === name && typeof after === "object" ? once.form?.(plainText([after])) : undefined;
  return {
    before: [before],
    after: isSame ? ["another ", after] : [after],
    ...(form !== undefined && { form: [{ code: form }] }),
  };
}

/** Settings are there before their creation, which changes live ones. Only messages of the preview show what they were. */
function settingRemarks(change: PlannedChange): Remark[] {
  const fields = Object.entries(kinds.get(change.kind)?.arguments ?? {});
  return fields.flatMap(([name, { review }]) => {
    const next = change.after[name];
    const all = Object.values(review.means);
    const own = review.means[isNone(next) || next === 0 ? "cleared" : String(next)];
    const gravest = own ?? all.find(({ level }) => level === "danger") ?? all[0];
    if (next === undefined || gravest === undefined) return [];
    const { effect, level } = gravest;
    const values = { name: [name], after: [change.value(name, "after")] };
    return { ...SETTING, effect, level, of: [change], values };
  });
}

const SETTING: Pick<Meaning, "words" | "rest"> = {
  words: "{gets|get} the {name} {after}, whatever the organization has now",
  rest: "Messages of the preview show what differs.",
};

/** An entry that the program doesn't name stays as it is. Two secrets may differ, although they are shown alike. */
function entryRemarks(change: PlannedChange, name: string, { entries = {} }: ArgumentReview): Remark[] {
  const [before, after] = [change.before[name], change.after[name]].map((value): object =>
    typeof value === "object" && value !== null ? value : {},
  );
  return Object.entries(after ?? {}).flatMap(([key, next]) => {
    const old: unknown = Object.hasOwn(before ?? {}, key) ? Reflect.get(before ?? {}, key) : undefined;
    const isSame = isDeepStrictEqual(old, next) && !isMasked(next);
    const own = Object.hasOwn(entries, key) && !isSame && !isUnknown(next) ? entries[key] : undefined;
    const meaning = own && effective(own, change, meaningOf(own, old, next));
    const values = { before: [change.shown(old)], after: [change.shown(next)] };
    return meaning ? { ...meaning, argument: key, of: [change], values } : [];
  });
}

/**
 * A new object takes nothing away, and one that takes another's place opens what an update would. Of the settings of a quite
 * new one, those count that open something, beyond what every new one does.
 */
function openedBy(change: PlannedChange, plan: Plan): Remark[] {
  const old = replacedBy(change, plan);
  const fields = kinds.get(change.kind)?.arguments ?? {};
  const isOpened = ({ effect }: Meaning) => effect === "opened";
  if (old !== undefined) {
    const changed = Object.keys(fields).map((name): ArgumentChange => {
      const [before, after] = [old.value(name, "before"), change.value(name, "after")];
      return { name, before, after, unknown: isUnknown(change.after[name]), replaces: false };
    });
    const remarks = argumentRemarks({ ...change, before: old.before, changed }).filter(isOpened);
    return remarks.map((one) => ({ ...one, of: [change] }));
  }
  const own = Object.entries(fields).flatMap(([name, field]) => {
    const { review, default: usual } = field;
    const next = change.after[name];
    const direction = directionOf(review, usual, next);
    const meaning = direction === undefined || direction === "changed" ? undefined : review.means[direction];
    const values = { before: [change.shown(usual)], after: [change.value(name, "after")] };
    return meaning && isOpened(meaning) ? [{ ...meaning, of: [change], values }] : [];
  });
  return [...own, ...openedEntries(change)];
}

/** Returns what entries of a new object's maps open to outsiders. */
function openedEntries(change: PlannedChange): Remark[] {
  const fields = Object.entries(kinds.get(change.kind)?.arguments ?? {});
  return fields
    .flatMap(([name, { review }]) => entryRemarks(change, name, review))
    .filter(({ effect, level }) => effect === "opened" && level === "danger");
}

/** A group's access to something quite new gives nothing that anybody lacked. */
function isOfNew({ kind, refersTo }: PlannedChange, plan: Plan): boolean {
  const { isPair, arguments: fields = {} } = kinds.get(kind) ?? {};
  const urns = Object.entries(isPair ? fields : {}).flatMap(([name, { goesWith }]) =>
    goesWith ? (refersTo(name, "after") ?? []) : [],
  );
  return plan.deployed.some(
    (one) => one.action === "create" && urns.includes(one.urn) && replacedBy(one, plan) === undefined,
  );
}
