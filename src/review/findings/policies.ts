import { isDeepStrictEqual } from "node:util";
import { disappears } from "../../cli/drawing/actions.js";
import {
  type AnyKind,
  allowedBy,
  areWhole,
  grammar,
  isNone,
  kindNamed,
  kinds,
  leavesOut,
  levelArgument,
  levelsOf,
  type Meaning,
  nounOf,
  placeOfKind,
  type StepName,
  useArgument,
} from "../../provider/for-commands/kinds.js";
import { alphabetically } from "../../shared/messages/alphabet.js";
import { counted } from "../../shared/messages/nouns.js";
import { isShown } from "../../shared/protocol/encoded-values.js";
import type { PlannedChange } from "../plan/change.js";
import { objectsOf, type PlanObject } from "../plan/objects.js";
import { replacedBy } from "../plan/plan.js";
import { listed, type Text, text } from "../plan/text.js";
import { isNewGroup } from "./access.js";
import { type Remark, sentence } from "./consequences.js";
import { openIn } from "./opened.js";
import {
  hasAfter,
  isAnywhere,
  isArchived,
  moves,
  namedKinds,
  nameOfKey,
  othersOf,
  type PlanBeside,
  type Sought,
  type WithSteps,
  withStepsAfter,
} from "./steps.js";

/** Says whose jobs may read an object that has a policy, such as a secret. */

type When = "before" | "after";

/** An object with a policy, of a kind that steps name. */
interface Guarded {
  readonly object: PlanObject;
  readonly kind: AnyKind;
  readonly name: StepName;
  /** The argument with the policy. */
  readonly argument: string;
  isIn(place: string | undefined, when: When): boolean;
  /** Returns how steps name it or, where that isn't known or is secret, what a person calls it. */
  called(when: When): string;
  /** Returns whether its policy may let the jobs of a pipeline through. @param unknown what fits of a claim that isn't known */
  lets(user: WithSteps, when: When, unknown?: readonly unknown[]): boolean;
}

const guardedKinds = () => namedKinds().filter(({ name }) => grammar.get(name)?.allowedBy !== undefined);

const cache = new WeakMap<PlanBeside, readonly Guarded[]>();

function guardedIn(plan: PlanBeside): readonly Guarded[] {
  const all = cache.get(plan) ?? readPolicies(plan);
  cache.set(plan, all);
  return all;
}

function readPolicies(plan: PlanBeside): readonly Guarded[] {
  return guardedKinds().flatMap((kind) => {
    const name = grammar.get(kind.name);
    if (name?.allowedBy === undefined) return [];
    const { argument, claims } = name.allowedBy;
    const own = objectsOf(plan).filter((one) => one.kind === kind.name);
    return own.map((object): Guarded => {
      const allows = { before: allowedBy(object.before[argument]), after: allowedBy(object.after[argument]) };
      return {
        ...{ object, kind, name, argument },
        isIn: (place, when) =>
          (when === "before" ? object.id !== undefined : object.change?.action !== "delete") &&
          place !== undefined &&
          object.refersTo(kind.parent?.argument ?? "", when) === place,
        called: (when) => {
          const value = object[when][name.output];
          return typeof value === "string" && isShown(value) ? value : object.label;
        },
        lets: (user, when, unknown) =>
          allows[when]((claim) => (claims[claim] && factsOf(user, claims[claim], when)) ?? unknown),
      };
    });
  });
}

/** Returns what a claim is for the jobs of a pipeline; undefined where it isn't known, or depends on the job. */
function factsOf(
  user: WithSteps,
  { kind, output }: { readonly kind: string; readonly output: string },
  when: When,
): readonly unknown[] | undefined {
  if (kind === user.kind) {
    const { id, change, before } = user;
    if (output === "id" && id === undefined && change?.action === "create") return [];
    // What a program doesn't state stays, or comes from the name.
    const value = output === "id" ? id : (user[when][output] ?? before[output] ?? slugOfNew(user));
    return typeof value === "string" && isShown(value) ? [value] : undefined;
  }
  const name = grammar.get(kind);
  const names = [...((when === "before" ? user.namedBefore : user.names).get(kind)?.keys() ?? [])];
  const isKnown = name !== undefined && names.length > 0 && !leavesOut(user.steps[when], name, true);
  return isKnown ? names : undefined;
}

/** Returns the slug that the API derives from the name of what is yet to be made, where that is certain. */
function slugOfNew({ kind, change, after }: WithSteps): string | undefined {
  const { from = "", form, isCertain } = kindNamed(kind)?.unique?.derived ?? {};
  const source = after[from];
  const isNew = change?.action === "create";
  const isKnown = isNew && typeof source === "string" && isShown(source) && isCertain?.(source);
  return isKnown ? form?.(source) : undefined;
}

/**
 * Returns the places in which all that could use an object finds one of the same name afterwards, and may use that. None if
 * something no longer does or, in a place that stays, may not because nobody read what else is there, or if jobs run in the
 * object, which don't move with it.
 */
export function successorsOf(change: PlannedChange, plan: PlanBeside): readonly string[] {
  const { kind, place } = change;
  const isUsedByJobs = kinds.get(kind)?.review?.usedBy !== undefined;
  if (!grammar.has(kind) || isUsedByJobs || place === undefined || !disappears(change)) return [];
  const users = [...objectsOf(plan), ...othersOf(plan)].flatMap((one) => {
    const { argument = "" } = placeOfKind(one.kind);
    const isIn = kinds.get(one.kind)?.parent === undefined && one.refersTo(argument, "before") === place.key;
    const isGone = one.id === undefined || isArchived(one) || (one.change && disappears(one.change));
    return isGone || !isIn || !couldUse(one.id, change, plan)
      ? []
      : [{ id: one.id, at: one.refersTo(argument, "after") ?? "" }];
  });
  const places = [...new Set(users.length > 0 ? users.map(({ at }) => at) : [place.key])];
  const goes = plan.deployed.some((one) => one.urn === place.key && disappears(one));
  const isRead = plan.beside?.withSteps.some((one) => !isAnywhere(one.kind.name));
  const others = goes || isRead ? [] : [place.key];
  return [...places, ...others].every((one) => hasAfter(one, change, plan)) &&
    users.every(({ id, at }) => isLetIn(at, id, change, plan))
    ? places
    : [];
}

/** Returns whether the jobs of something could use an object before, as far as its policy is known. */
export function couldUse(user: string | undefined, { kind, id }: Sought, plan: PlanBeside): boolean {
  const one = guardedIn(plan).find(({ object }) => object.kind === kind && object.id === id);
  const own = withStepsAfter(plan).find((other) => other.id === user);
  return one === undefined || own === undefined || one.lets(own, "before");
}

/** Returns whether what a place has of an object's kind and name afterwards lets the jobs of something use it. */
function isLetIn(place: string, user: string | undefined, sought: Sought, plan: PlanBeside): boolean {
  const own = withStepsAfter(plan).find((other) => other.id === user);
  const here = guardedIn(plan).filter(
    ({ object, name: { output }, isIn }) =>
      object.kind === sought.kind && isIn(place, "after") && object.after[output] === sought.before[output],
  );
  return own === undefined || here.length === 0 || here.some((one) => one.lets(own, "after"));
}

/** Returns whether the jobs of something find an object's kind and name in a place afterwards, and may use it. */
export function finds(user: string | undefined, place: string, sought: Sought, plan: PlanBeside): boolean {
  return isLetIn(place, user, sought, plan) && hasAfter(place, sought, plan);
}

/** Says what steps name, and can no longer use because its policy is about other pipelines or queues. */
export function deniedRemarks(plan: PlanBeside): Remark[] {
  const all = guardedIn(plan);
  return withStepsAfter(plan).flatMap((user) => [
    ...unnamedAndDenied(user, all),
    ...[...user.names].flatMap(([kind, names]) =>
      [...names.keys()].flatMap((name): Remark[] => {
        const found = all.find(
          (one) =>
            one.object.kind === kind &&
            one.object.after[one.name.output] === name &&
            one.isIn(user.cluster, "after"),
        );
        if (found === undefined) return [];
        const { object, argument } = found;
        const wasNamed = user.namedBefore.get(kind)?.has(name) && !moves(user.change);
        const wasDenied = object.id !== undefined && !found.lets(user, "before");
        if (found.lets(user, "after") || (wasNamed && wasDenied)) return [];
        return [
          {
            effect: "stops",
            level: found.name.level,
            about: [user],
            of: [object.change ?? user.change ?? []].flat(),
            words: `{names|name} in {its|their} steps the ${nounOf(kind)} {key}{of}, whose ${argument} {lets} {it|them} read it: ${found.name.stops}`,
            todo: `Change the ${argument}, or the steps.`,
            values: {
              key: [{ code: name }],
              of: user.cluster === undefined ? [] : text` of ${nameOfKey(user.cluster, plan)}`,
              lets: [wasNamed ? "no longer lets" : "doesn't let"],
            },
          },
        ];
      }),
    ),
  ]);
}

/** Says what jobs of a pipeline can no longer read by its update, because a policy stays. Its steps, which aren't known, may read it. */
function unnamedAndDenied(user: WithSteps, all: readonly Guarded[]): Remark[] {
  const { change } = user;
  if (change?.kind !== user.kind || change.action !== "update" || moves(change) || areWhole(user.steps.after))
    return [];
  const denied = all.filter(
    (one) =>
      one.object.change === undefined &&
      one.isIn(user.cluster, "after") &&
      !user.names.get(one.object.kind)?.has(one.called("after")) &&
      one.lets(user, "before") &&
      !one.lets(user, "after"),
  );
  return denied.map((one) => ({
    effect: "stops",
    level: "caution",
    of: [change],
    words: `can no longer read the ${nounOf(one.object.kind)} {key}, whose ${one.argument} no longer fits {it|them}`,
    todo: `Change the ${one.argument} in the same deployment, if {its|their} jobs read the ${nounOf(one.object.kind)}.`,
    values: { key: [{ code: one.called("after") }] },
  }));
}

/** Says of an object that comes to a place whether people outside of the organization run code there that may read it. */
export function exposedBy(change: PlannedChange, plan: PlanBeside): Remark[] {
  const guarded = guardedIn(plan);
  const one = guarded.find(({ object }) => object.change === change);
  if (one === undefined) return [];
  const remark: Remark = { ...EXPOSED, of: [change] };
  // A claim that nobody knows, such as a branch, may leave these jobs out.
  const users = openBefore(plan).filter((user) => one.lets(user, "after", []));
  const exposed = readByOutsiders(remark, one, formerOf(change, guarded, plan), users);
  return exposed === remark ? [] : [exposed];
}

const openCache = new WeakMap<PlanBeside, readonly WithSteps[]>();

/** Returns where outsiders run code already. Who does from now on only is said of what opens that. */
function openBefore(plan: PlanBeside): readonly WithSteps[] {
  const isOpen = (user: WithSteps) => outsidersIn({ ...user, after: user.before }).length > 0;
  const all = openCache.get(plan) ?? withStepsAfter(plan).filter(isOpen);
  openCache.set(plan, all);
  return all;
}

const EXPOSED: Meaning = {
  effect: "opened",
  level: "danger",
  words: "can be read by jobs that run code of people outside of the organization",
  todo: "Give {it a policy that leaves|them policies that leave} these jobs out.",
};

/** Returns an object with a policy as it was: a new one may take the place of another. */
function formerOf(change: PlannedChange, guarded: readonly Guarded[], plan: PlanBeside): Guarded | undefined {
  const old = change.action === "create" ? replacedBy(change, plan) : change;
  return guarded.find(({ object }) => object.change === old);
}

/** Returns a function that says with remarks whose jobs read what has a policy, now or no longer, and which strangers do. */
export function readersOf(plan: PlanBeside): (remark: Remark) => Remark {
  const users = withStepsAfter(plan);
  const guarded = guardedIn(plan);
  return (given) => {
    const [change] = given.of;
    if (change === undefined) return given;
    const { argument } = given;
    const { allows } = kinds.get(change.kind)?.review ?? {};
    if (given.effect === "opened" && allows !== undefined) {
      const own = usersAmong([change.refersTo(allows.jobsOf, "after") ?? ""], users, plan);
      return withOutsiders(given, own, isNone(change.after[allows.unless]) ? "danger" : given.level);
    }
    const one = guarded.find(({ object, ...own }) => object.change === change && own.argument === argument);
    const isMoved = argument === placeOfKind(change.kind).argument && moves(change);
    const isOpened = given.effect === "opened" && one !== undefined;
    const was = isOpened ? formerOf(change, guarded, plan) : undefined;
    const remark = isOpened
      ? readByOutsiders(given, one, was, users)
      : isMoved
        ? usedAfterMove(given, change, users, guarded)
        : given;
    if (remark.runsCode) return { ...remark, ofAll: (all) => readByOthers(all, users, guarded, plan) };
    const denied = one ? (isOpened ? lostBy(one, was, users) : deniedBy(one, users)) : [];
    return denied.length === 0 ? remark : { ...remark, details: [...(remark.details ?? []), ...denied] };
  };
}

/** Returns a remark as one about outsiders who run code in a pipeline, if they couldn't read the object before for certain. */
function readByOutsiders(
  remark: Remark,
  one: Guarded,
  was: Guarded | undefined,
  users: readonly WithSteps[],
): Remark {
  // By the same policy, nobody gets more, whatever its claims are.
  const isSame = isDeepStrictEqual(was?.object.before[one.argument], one.object.after[one.argument]);
  const added = users.filter((user) => {
    const could = was?.isIn(user.cluster, "before") && was.lets(user, "before", isSame ? undefined : []);
    return one.isIn(user.cluster, "after") && one.lets(user, "after") && !could;
  });
  return withOutsiders(remark, added);
}

/** Returns a remark as one about outsiders who run code in some pipelines, if there are any. */
function withOutsiders(
  remark: Remark,
  users: readonly WithSteps[],
  level: Remark["level"] = "danger",
): Remark {
  const details = users.flatMap((user) => outsidersIn(user));
  return details.length === 0 ? remark : { ...remark, level, details };
}

const outsiders = new WeakMap<WithSteps, Text[]>();

/** Says who isn't in the organization runs code in a pipeline, if somebody does. */
function outsidersIn(user: WithSteps): Text[] {
  const said = outsiders.get(user) ?? outsidersAfter(user);
  outsiders.set(user, said);
  return said;
}

function outsidersAfter(user: WithSteps): Text[] {
  const [open] = openIn(user).filter(({ review }) => review.runsOutsiders);
  if (open === undefined) return [];
  const about: Remark = { ...open.meaning, of: [], about: [user] };
  return [[...sentence(about, [about]), "."]];
}

/** Returns a remark as one about what its move lets jobs use, if that is something that they couldn't use before. */
function usedAfterMove(
  remark: Remark,
  change: PlannedChange,
  users: readonly WithSteps[],
  guarded: readonly Guarded[],
): Remark {
  const user = users.find((one) => one.change === change);
  if (user?.cluster === undefined) return remark;
  const from = change.refersTo(remark.argument ?? "", "before");
  const details = [...Map.groupBy(guarded, ({ kind }) => kind)].flatMap(
    ([
      {
        words: { noun },
      },
      all,
    ]): Text[] => {
      const usable = (when: When, place: string | undefined) =>
        all.filter((one) => one.isIn(place, when) && one.lets(user, when)).map((one) => one.called(when));
      const had = usable("before", from);
      const gained = usable("after", user.cluster).filter((name) => !had.includes(name));
      const nouns = gained.length === 1 ? noun : `${noun}s`;
      return gained.length === 0 ? [] : [text`Jobs can then also use the ${[nouns]} ${listed(gained)}.`];
    },
  );
  if (details.length === 0) return remark;
  const strangers = outsidersIn(user);
  const level = strangers.length > 0 ? "danger" : remark.level;
  const todo =
    "Make sure that everybody who can start {its|their} builds may use what {its|their} jobs can now use.";
  return { ...remark, effect: "opened", level, todo, details: [...details, ...strangers] };
}

/** Says what the jobs may read whose code somebody else decides by some changes. */
function readByOthers(
  own: readonly Remark[],
  users: readonly WithSteps[],
  guarded: readonly Guarded[],
  plan: PlanBeside,
): Text[] {
  const changes = own.flatMap(({ of }) => of);
  const decided = usersAmong(
    changes.flatMap((one) => decidedBy(one)),
    users,
    plan,
  );
  const all = decided.map((user) => ({ user, secrets: secretsOf(user, guarded) }));
  const groups = Map.groupBy(
    all.filter(({ secrets }) => secrets.length > 0),
    ({ secrets }) => JSON.stringify(secrets),
  );
  return [
    ...(kinds.get(changes[0]?.kind ?? "")?.isPair ? whoDecides(changes, decided, plan) : []),
    ...[...groups.values()].flatMap((own) =>
      own.slice(0, 1).map(({ secrets }) => {
        const [{ kind } = { kind: "" }, ...others] = secrets;
        const noun = `${nounOf(kind)}${others.length > 0 ? "s" : ""}`;
        return text`Jobs of ${labelsOf(own.map(({ user }) => user))} may read the ${[noun]} ${listed(secrets.map(({ name }) => name))}.`;
      }),
    ),
  ];
}

/**
 * Returns what identifies the objects whose code somebody decides by a change or an object: its own or, with the highest level, a
 * pair's.
 */
function decidedBy(
  one: Pick<PlanObject, "kind" | "refersTo" | When> & { readonly urn?: string },
  when: When = "after",
): string[] {
  const kind = kinds.get(one.kind);
  if (!kind?.isPair) return one.urn === undefined ? [] : [one.urn];
  const level = one[when][levelArgument(kind.name) ?? ""];
  const used = one.refersTo(useArgument(kind) ?? "", when);
  return used !== undefined && level === levelsOf(kind).at(-1) ? [used] : [];
}

const groupOf = ({ kind, refersTo }: Pick<PlanObject, "kind" | "refersTo">, when: When) =>
  refersTo(kinds.get(kind)?.parent?.argument ?? "", when);

/** Returns whether a pair lets its group's members decide code that reads what is there, and that no such code of theirs did. */
export function letsReadMore(change: PlannedChange, plan: PlanBeside): boolean {
  const group = groupOf(change, "after");
  const held = objectsOf(plan).filter(
    (one) => one.id !== undefined && one.kind === change.kind && groupOf(one, "before") === group,
  );
  const guarded = guardedIn(plan).filter(({ object }) => object.id !== undefined);
  const readBy = (keys: readonly string[]) => {
    const users = usersAmong(keys, withStepsAfter(plan), plan);
    return guarded.filter((one) =>
      users.some((user) => one.isIn(user.cluster, "after") && one.lets(user, "after")),
    );
  };
  const had = new Set(
    readBy(held.flatMap((one) => decidedBy(one, "before"))).map(({ object }) => object.key),
  );
  return readBy(decidedBy(change)).some(({ object }) => !had.has(object.key));
}

function usersAmong(keys: readonly string[], users: readonly WithSteps[], plan: PlanBeside): WithSteps[] {
  return users.filter(({ kind, id, change }) =>
    keys.includes((id === undefined ? change?.urn : plan.keyOf(kind, id)) ?? ""),
  );
}

/** Returns what the jobs of a pipeline may read, that which its steps name first. */
function secretsOf(user: WithSteps, guarded: readonly Guarded[]) {
  return guardedKinds().flatMap(({ name: kind }) => {
    const here = guarded.filter((one) => one.object.kind === kind && one.isIn(user.cluster, "after"));
    const namesOf = (some: readonly Guarded[]) => some.map((one) => one.called("after"));
    const denied = namesOf(here.filter((one) => !one.lets(user, "after")));
    const elsewhere = namesOf(guarded.filter((one) => one.object.kind === kind && !here.includes(one)));
    const named = [...(user.names.get(kind)?.keys() ?? [])].filter(
      (name) => !denied.includes(name) && (namesOf(here).includes(name) || !elsewhere.includes(name)),
    );
    const others = namesOf(here).filter((name) => ![...denied, ...named].includes(name));
    return [
      ...named.map((name) => ({ kind, name, isNamed: true })),
      ...others.map((name) => ({ kind, name, isNamed: false })),
    ];
  });
}

function labelsOf(users: readonly WithSteps[]): Text {
  return listed(users.map(({ label }) => label).sort(alphabetically));
}

/** Says who decides what jobs run, by a level that a group has on what they belong to. */
function whoDecides(
  changes: readonly PlannedChange[],
  users: readonly WithSteps[],
  plan: PlanBeside,
): Text[] {
  if (users.length === 0) return [];
  const groups = new Set(changes.flatMap((one) => groupOf(one, "after") ?? []));
  const members = objectsOf(plan).filter((one) => {
    const kind = kinds.get(one.kind);
    const isMember = kind?.isPair && useArgument(kind) === undefined && one.change?.action !== "delete";
    return isMember && groups.has(groupOf(one, "after") ?? "");
  });
  const made = objectsOf(plan).filter(isNewGroup);
  const areKnown = [...groups].every((group) => made.some(({ key }) => key === group));
  const who = members.length === 0 || !areKnown ? "members" : counted(members.length, "member");
  const places = [
    ...new Set(users.flatMap(({ cluster }) => (cluster === undefined ? [] : nameOfKey(cluster, plan)))),
  ];
  const where: Text = places.length === 0 ? [] : [" in ", ...listed(places.sort(alphabetically))];
  return [text`Its ${[who]} can then change the steps that run${where}.`];
}

/** Says whose jobs a policy no longer lets read something. */
function lostBy(one: Guarded, was: Guarded | undefined, users: readonly WithSteps[]): Text[] {
  const lost = users.filter(
    (user) => one.isIn(user.cluster, "after") && was?.lets(user, "before") && !one.lets(user, "after"),
  );
  return lost.length === 0 ? [] : [text`Jobs of ${labelsOf(lost)} can no longer read it.`];
}

/** Says of a narrower policy whose jobs it still lets read something, and whose it doesn't. */
function deniedBy(one: Guarded, users: readonly WithSteps[]): Text[] {
  const { object, kind } = one;
  const { output } = one.name;
  const here = users.filter((user) => one.isIn(user.cluster, "after"));
  const namingAs = (name: unknown) =>
    here.filter(({ names }) => names.get(kind.name)?.has(String(name)) === true);
  const naming = namingAs(object.after[output]);
  const isNamed = naming.length > 0 || namingAs(object.before[output]).length > 0;
  const kept = naming.filter((user) => one.lets(user, "after"));
  return [
    ...lostBy(one, one, users),
    ...(kept.length === 0 ? [] : [text`Jobs of ${labelsOf(kept)}, whose steps name it, may still read it.`]),
    ...(!isNamed && here.every(({ steps }) => areWhole(steps.after))
      ? [["No steps of this stack's pipelines name it."]]
      : []),
  ];
}
