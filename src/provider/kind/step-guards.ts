import { typeOf } from "./steps.js";
import { valueOfYaml } from "./yaml-text.js";

/** What holds steps back: somebody who lets a build go on, and which builds run them at all. */

/** A guard that steps lose, as words with the names of the step and of the guard. */
export interface LostGuard {
  /** The step goes. Whether another one is the same step isn't known. */
  readonly isGone?: true;
  readonly words: string;
  readonly values: Readonly<Record<string, string>>;
}

type Step = Readonly<Record<string, unknown>>;

/** Which builds something is about: all, unless it names branches or has a condition. */
interface Builds {
  readonly branches: readonly string[];
  readonly conditions: readonly string[];
}

/** A step at which somebody lets a build go on. */
interface Approval extends Builds {
  readonly name: string;
  readonly teams: readonly string[];
}

/** A step that runs or triggers something. */
interface Acting extends Builds {
  readonly name: string;
  /** What it is known by: its key, its label, what it does. */
  readonly known: readonly string[];
  readonly secrets: readonly string[];
  readonly approvals: readonly Approval[];
}

/** Compares patterns of branches; undefined where they are equal. */
type Compare = (before: string, after: string) => string | undefined;

/** Returns what steps no longer wait for, and which builds no longer leave them out. */
export function lostGuards(before: unknown, after: unknown, compare: Compare): LostGuard[] {
  const { pairs, gone } = pairsOf(actingIn(before), actingIn(after));
  const inPairs = pairs.flatMap(([was, is]) => lostBetween(was, is, compare).map(({ inPair }) => inPair));
  const inPlace = gone.flatMap(({ was, places }) => {
    const [first = [], ...others] = places.map((is) =>
      lostBetween(was, is, compare).map(({ inPlace }) => inPlace),
    );
    const keys = others.map((some) => new Set(some.map(keyOfGuard)));
    return first.filter((one) => keys.every((own) => own.has(keyOfGuard(one))));
  });
  const firsts = (all: readonly LostGuard[], keyOf: (one: LostGuard) => string) =>
    [...Map.groupBy(all, keyOf).values()].flatMap(([first]) => first ?? []);
  return [...firsts(inPairs, (one) => JSON.stringify(one)), ...firsts(inPlace, keyOfGuard)];
}

/** Returns the same text for the same guard of any step. */
function keyOfGuard({ words, values }: LostGuard): string {
  return JSON.stringify([words, { ...values, step: "" }]);
}

/** Returns those steps that together have all guards which others of the steps have. */
function mostHeldBack(steps: readonly Acting[]): Acting[] {
  const kept: (readonly [step: Acting, guards: ReadonlySet<unknown>])[] = [];
  for (const one of steps.toSorted((a, b) => b.approvals.length - a.approvals.length)) {
    const guards = [...one.approvals, ...one.branches, ...one.conditions];
    if (!kept.some(([, all]) => guards.every((guard) => all.has(guard)))) kept.push([one, new Set(guards)]);
  }
  return kept.map(([one]) => one);
}

/** Returns what one step was held back by and another one isn't: if that is the same step, and if it may be in its place. */
function lostBetween(was: Acting, is: Acting, compare: Compare) {
  const isWider = (old: string, next: string) => ![undefined, "less"].includes(compare(old, next));
  const lost = (values: LostGuard["values"], inPair: string, inPlace: string) => ({
    inPair: { words: inPair, values: { step: is.name, ...values } },
    inPlace: {
      words: `Step {step} is gone, and no new step in its place ${inPlace} as it did.`,
      values: { step: was.name, ...values },
      isGone: true as const,
    },
  });
  const runsOnly = (words: string) => (guard: string) =>
    lost({ guard }, `Step {step} no longer runs only ${words}.`, `runs only ${words}`);
  return [
    ...lostApprovals(was.approvals, is.approvals, compare).map((one) => {
      const same = is.approvals.find(({ name }) => name === one.name);
      const words =
        same === undefined
          ? "Step {step} no longer waits for {guard}."
          : isOfTeams(same, one)
            ? "Fewer builds stop at {guard}, which step {step} waits for."
            : "More people than the teams {teams} may unblock {guard}, which step {step} waits for.";
      return lost({ guard: one.name, teams: one.teams.join(", ") }, words, "waits for {guard}");
    }),
    ...was.branches
      .filter((one) => is.branches.every((other) => isWider(one, other)))
      .map(runsOnly("for the branches {guard}")),
    ...was.conditions.filter((one) => !isNeeded(one, is.conditions)).map(runsOnly("if {guard}")),
  ];
}

/** Returns whether conditions together need all that another one needs. */
function isNeeded(one: string, conditions: readonly string[]): boolean {
  const parts = conditions.flatMap(partsOf);
  return partsOf(one).every((part) => parts.includes(part));
}

/** Returns what a condition needs all of. */
function partsOf(condition: string): string[] {
  const parts = /[|(]/.test(condition) ? [condition] : condition.split("&&");
  return parts.map((part) => part.replace(/\s+/g, " ").trim());
}

/** Returns the approvals of which no other one takes the place. Each takes the place of one. */
function lostApprovals(old: readonly Approval[], next: readonly Approval[], compare: Compare): Approval[] {
  const left = new Set(next);
  const isLost = (isLike: (one: Approval, other: Approval) => boolean) => (one: Approval) => {
    const other = [...left].find((is) => isLike(is, one) && holds(is, one, compare));
    return other === undefined || !left.delete(other);
  };
  return old.filter(isLost((is, one) => is.name === one.name)).filter(isLost(() => true));
}

/** Returns whether one approval is needed wherever another was, and by nobody else. */
function holds(one: Approval, other: Approval, compare: Compare): boolean {
  return (
    isOfTeams(one, other) &&
    one.conditions.every((condition) => isNeeded(condition, other.conditions)) &&
    one.branches.every((own) => other.branches.some((was) => [undefined, "more"].includes(compare(was, own))))
  );
}

function isOfTeams(one: Approval, other: Approval): boolean {
  return (
    other.teams.length === 0 ||
    (one.teams.length > 0 && one.teams.every((team) => other.teams.includes(team)))
  );
}

interface Pairs {
  readonly pairs: readonly (readonly [Acting, Acting])[];
  /** Steps of which nothing says what took their place, and what may have. */
  readonly gone: readonly { readonly was: Acting; readonly places: readonly Acting[] }[];
}

/** Pairs each step with what it was, or with another step that had one of its secrets. */
function pairsOf(old: readonly Acting[], next: readonly Acting[]): Pairs {
  const left = new Set(old);
  const pairs: (readonly [Acting, Acting])[] = [];
  const isTaken = (was: Acting | undefined, is: Acting) =>
    was !== undefined && left.delete(was) && pairs.push([was, is]) > 0;
  const named = Map.groupBy(
    old.flatMap((was) => was.known.map((name) => ({ name, was }))),
    ({ name }) => name,
  );
  const open = next.filter(
    (is) => !is.known.some((name) => named.get(name)?.some(({ was }) => isTaken(was, is))),
  );
  const guards = new Map([...left, ...open].map((one) => [one, guardsOf(one)]));
  const isLike = (is: Acting) => (was: Acting) => guards.get(was) === guards.get(is);
  const others = open
    .filter((is) => !isTaken(usersOf(is, left).find(isLike(is)), is))
    .filter((is) => {
      const users = usersOf(is, left);
      return !isTaken(users.find(isFree) ?? users[0], is);
    });
  const made = others.filter((is) => {
    const users = usersOf(is, old);
    for (const was of users.some(isFree) ? [] : users.slice(0, 1)) pairs.push([was, is]);
    return users.length === 0;
  });
  const unlike = made.filter((is) => !isTaken([...left].find(isLike(is)), is));
  const most = mostHeldBack(left.size > unlike.length ? made : unlike);
  const isInOrder = left.size === unlike.length;
  const gone = [...left].map((was, index) => ({
    was,
    places: isInOrder ? unlike.slice(index, index + 1) : most,
  }));
  return { pairs, gone };
}

/** Returns which steps have one of a step's secrets. */
function usersOf(step: Acting, steps: Iterable<Acting>): Acting[] {
  return [...steps].filter(({ secrets }) => secrets.some((secret) => step.secrets.includes(secret)));
}

function isFree({ approvals, branches, conditions }: Acting): boolean {
  return [approvals, branches, conditions].every(({ length }) => length === 0);
}

/** Returns the same text for steps that are held back alike, whatever the names of the approvals. */
function guardsOf({ approvals, branches, conditions }: Acting): string {
  const all = approvals.map((one) => JSON.stringify([one.teams, one.branches, one.conditions]));
  return JSON.stringify([all.sort(), branches, conditions]);
}

interface Entry {
  readonly step: Step;
  readonly type: string | undefined;
  /** Its groups, and itself. */
  readonly all: readonly Step[];
  readonly approval: Approval | undefined;
}

function actingIn(configuration: unknown): Acting[] {
  const whole = typeof configuration === "string" ? valueOfYaml(configuration) : undefined;
  const entries = entriesIn(isMap(whole) ? whole.steps : whole, []);
  const approvalsOf = waitsIn(entries);
  return entries.flatMap((entry) => {
    const { step, type, all } = entry;
    if (type !== "command" && type !== "trigger") return [];
    const does = [step.command, step.commands, step.script, step.trigger, step.plugins].filter(Boolean);
    const known = [...namesOf(step), JSON.stringify([type, ...does])];
    const secrets = isMap(step.secrets) ? Object.values(step.secrets) : [step.secrets].flat();
    const name = namesOf(step)[0] ?? textsIn(does.flat())[0]?.split("\n")[0] ?? type;
    return [
      {
        name,
        known,
        secrets: textsIn(secrets),
        approvals: approvalsOf(entry),
        ...buildsOf(all),
      },
    ];
  });
}

function entriesIn(steps: unknown, around: readonly Step[]): Entry[] {
  return (Array.isArray(steps) ? steps : []).flatMap((given: unknown): Entry[] => {
    const [type, by = []] = typeOf(given) ?? [];
    if (!isMap(given))
      return typeof given === "string"
        ? [{ step: {}, type: given, all: around, approval: approvalOf({}, given, around) }]
        : [];
    const nested = by.map((name) => given[name]).find(isMap);
    const step = type !== "command" && nested !== undefined ? { ...given, ...nested } : given;
    const all = [...around, step];
    return type === "group"
      ? entriesIn(step.steps, all)
      : [{ step, type, all, approval: approvalOf(step, type, all) }];
  });
}

/**
 * Returns a function with the approvals that a step waits for. One that says what it depends on waits for no others; any other
 * one waits for all that is before the last wait or block.
 */
function waitsIn(entries: readonly Entry[]): (entry: Entry) => readonly Approval[] {
  const named = Map.groupBy(
    entries.flatMap(({ all }, index) => [...new Set(all.flatMap(namesOf))].map((name) => ({ name, index }))),
    ({ name }) => name,
  );
  // Those that each one names, and how many are before the last wait or block before it.
  let held = 0;
  const needs = entries.map(({ all }, index) => {
    if (isBarrier(entries[index - 1])) held = index;
    const own = all.findLast((step) => "depends_on" in step)?.depends_on;
    const names = textsIn([own].flat().map((one) => (isMap(one) ? one.step : one)));
    const others = names.flatMap((name) => named.get(name) ?? []).map((one) => one.index);
    return { others, held: own === undefined ? held : 0 };
  });
  return (entry) => {
    const all = new Set([entries.indexOf(entry)]);
    let before = 0;
    // What is added is visited as well.
    for (const index of all) {
      const need = needs[index];
      for (const one of need?.others ?? []) all.add(one);
      for (; before < (need?.held ?? 0); before++) all.add(before);
    }
    return [...all].flatMap((index) => entries[index]?.approval ?? []);
  };
}

function isBarrier(entry: Entry | undefined): boolean {
  return ["wait", "waiter", "block"].includes(entry?.type ?? "");
}

function approvalOf(step: Step, type: string | undefined, all: readonly Step[]): Approval | undefined {
  if ((type !== "block" && type !== "input") || step.skip) return undefined;
  const said = textsIn([step.block, step.input, step.manual]);
  return {
    name: said[0] ?? namesOf(step)[0] ?? type,
    teams: textsIn([step.allowed_teams].flat()),
    ...buildsOf(all),
  };
}

function buildsOf(all: readonly Step[]): Builds {
  const branches = all.map((step) => textsIn([step.branches].flat()).join(" ")).filter(Boolean);
  return { branches, conditions: textsIn(all.map((step) => step.if)).map((text) => text.trim()) };
}

function namesOf({ key, id, identifier, label, name, group }: Step): string[] {
  return textsIn([key, id, identifier, label, name, group]);
}

function textsIn(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === "string" && value !== "");
}

function isMap(value: unknown): value is Step {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
