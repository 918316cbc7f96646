import { typeOf } from "./steps.js";
import { documentOf, valueIn } from "./yaml-text.js";

/** What holds steps back: somebody who lets a build go on, and which builds run them at all. */

/** A guard that steps lose, as words with the names of the step and of the guard. */
export interface LostGuard {
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
  const [old, next] = [actingIn(before), actingIn(after)];
  const pairs = pairsOf(old, next);
  const isWider = (was: string, is: string) => ![undefined, "less"].includes(compare(was, is));
  const found = pairs.flatMap(([was, is]): LostGuard[] => {
    const step = is.name;
    return [
      ...lostApprovals(was.approvals, is.approvals, compare).map((one) => {
        const same = is.approvals.find(({ name }) => name === one.name);
        const values = { step, guard: one.name, teams: one.teams.join(", ") };
        const words =
          same === undefined
            ? "Step {step} no longer waits for {guard}."
            : isOfTeams(same, one)
              ? "Fewer builds stop at {guard}, which step {step} waits for."
              : "More people than the teams {teams} may unblock {guard}, which step {step} waits for.";
        return { words, values };
      }),
      ...was.branches
        .filter((one) => is.branches.every((other) => isWider(one, other)))
        .map((guard) => ({
          words: "Step {step} no longer runs only for the branches {guard}.",
          values: { step, guard },
        })),
      ...was.conditions
        .filter((one) => !partsOf(one).every((part) => is.conditions.flatMap(partsOf).includes(part)))
        .map((guard) => ({ words: "Step {step} no longer runs only if {guard}.", values: { step, guard } })),
    ];
  });
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
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
    one.conditions.every((condition) => other.conditions.includes(condition)) &&
    one.branches.every((own) => other.branches.some((was) => [undefined, "more"].includes(compare(was, own))))
  );
}

function isOfTeams(one: Approval, other: Approval): boolean {
  return (
    other.teams.length === 0 ||
    (one.teams.length > 0 && one.teams.every((team) => other.teams.includes(team)))
  );
}

/** Pairs each step with what it was, or with another step that had one of its secrets. */
function pairsOf(old: readonly Acting[], next: readonly Acting[]): (readonly [Acting, Acting])[] {
  const left = new Set(old);
  const pairs: (readonly [Acting, Acting])[] = [];
  const open = next.filter((is) => {
    const was = is.known
      .flatMap((name) => [...left].filter((one) => one.known.includes(name)))
      .find((one) => left.delete(one));
    if (was !== undefined) pairs.push([was, is]);
    return was === undefined;
  });
  // The only step that has another name is the same one.
  const [only] = left.size === 1 && open.length === 1 ? left : [];
  for (const is of open) {
    const users = old.filter(({ secrets }) => secrets.some((secret) => is.secrets.includes(secret)));
    const isFree = users.some(({ approvals, branches, conditions }) =>
      [approvals, branches, conditions].every(({ length }) => length === 0),
    );
    for (const was of only ? [only] : isFree ? [] : users.slice(0, 1)) pairs.push([was, is]);
  }
  return pairs;
}

interface Entry {
  readonly step: Step;
  readonly type: string | undefined;
  /** Its groups, and itself. */
  readonly all: readonly Step[];
  readonly approval: Approval | undefined;
}

function actingIn(configuration: unknown): Acting[] {
  const whole =
    typeof configuration === "string" ? valueIn(documentOf(configuration, { merge: true })) : undefined;
  const entries = entriesIn(isMap(whole) ? whole.steps : whole, []);
  const approvals = new Map<Entry, ReadonlySet<Approval>>();
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
        approvals: [...approvalsOf(entry, entries, approvals)],
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
 * Returns the approvals that a step waits for. One that says what it depends on waits for no others; any other one waits for
 * all that is before the last wait or block.
 */
function approvalsOf(
  entry: Entry,
  entries: readonly Entry[],
  known: Map<Entry, ReadonlySet<Approval>>,
): ReadonlySet<Approval> {
  const found = known.get(entry);
  if (found !== undefined) return found;
  const all = new Set<Approval>();
  known.set(entry, all);
  const own = entry.all.findLast((step) => "depends_on" in step)?.depends_on;
  const names = textsIn([own].flat().map((one) => (isMap(one) ? one.step : one)));
  const isNamed = (one: Entry) => one.all.some((step) => namesOf(step).some((name) => names.includes(name)));
  const earlier = entries.slice(0, entries.indexOf(entry));
  const last = earlier.findLastIndex(({ type = "" }) => ["wait", "waiter", "block"].includes(type));
  for (const one of own === undefined ? earlier.slice(0, last + 1) : entries.filter(isNamed)) {
    if (one.approval !== undefined && one !== entry) all.add(one.approval);
    for (const approval of approvalsOf(one, entries, known)) all.add(approval);
  }
  return all;
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
