import { isDeepStrictEqual } from "node:util";
import { UNKNOWN } from "../../shared/protocol/encoded-values.js";
import { isInNetwork, parseNetwork } from "./canonical.js";
import { type LostGuard, lostGuards } from "./step-guards.js";
import { valueOfYaml } from "./yaml-text.js";

/** What a change means for people: the part of a description by which a report judges, and in whose words it speaks. */

/**
 * Kinds of consequences, in the order of how much they matter. `opened`: somebody can do what they couldn't. `lost`: an
 * object, a secret or access is gone. `stops`: something no longer runs, or waits. `noticed`: people see a difference.
 */
export const EFFECTS = ["opened", "lost", "stops", "noticed"] as const;

export type Effect = (typeof EFFECTS)[number];

/**
 * One consequence. In its texts, `{is|are}` has a form for one object and one for several. A name in braces stands for a
 * value: `{before}` and `{after}` of the argument, another argument or output, `{place}` for what the object is in,
 * `{objects}` for the objects. Words without `{objects}` follow the objects: "Queue `small` {is paused}".
 */
export interface Meaning {
  readonly effect: Effect;
  readonly level: "danger" | "caution";
  readonly words: string;
  /** Sentences that follow. */
  readonly rest?: string;
  /** The same, as long as nobody read what uses the object now. */
  readonly unread?: string;
  /** What to do before the merge: a sentence. */
  readonly todo?: string;
  /** Somebody else then decides what jobs run: those of the object, or those that a group with the highest level may change. */
  readonly runsCode?: true;
  /** What an update does to what uses the object now, which a report then reads. */
  readonly now?: "pause" | "resume" | "switch" | "restrict" | "hide";
}

type More = Partial<Omit<Meaning, "effect" | "words">>;

const meaning =
  (effect: Effect, level: Meaning["level"]) =>
  (words: string, more: More = {}): Meaning => ({ effect, level, words, ...more });

/** Somebody outside of the organization can do more. */
export const opens = meaning("opened", "danger");
/** Somebody in the organization can do more. */
export const opensInside = meaning("opened", "caution");
export const loses = meaning("lost", "danger");
export const stops = meaning("stops", "danger");
/** Something waits until somebody lets it go on, or there is less of it. */
export const slows = meaning("stops", "caution");
export const notices = meaning("noticed", "caution");

/** What people only read: a change of it has no consequence. */
export const nothing = { means: {} } as const satisfies ArgumentReview;
/** Every change replaces the object, and the object says what that means. */
export const replaced = { means: {}, isElsewhere: true } as const satisfies ArgumentReview;
/** What a change of an argument means in each direction. */
export interface ArgumentReview {
  /**
   * By direction: the new value of a flag or a choice, `more` and `less` of what is ordered, `set` and `cleared`, or else
   * `changed`. A direction without a meaning has no consequence.
   */
  readonly means: Readonly<Record<string, Meaning>>;
  /** Levels from little to much. Of a list, each level is given or not. */
  readonly levels?: readonly string[];
  /** Returns the direction of a change that the values alone don't show. */
  compare?(before: unknown, after: unknown): string | undefined;
  /** What it means that there is no value: "every address". */
  readonly none?: string;
  /** What stays, beside the values: `the slug {slug} stays`. */
  readonly note?: string;
  /** The same for entries of a map, by key. Other entries have no consequence. */
  readonly entries?: Readonly<Record<string, ArgumentReview>>;
  /** Returns sentences about a change, with values for the names in them. */
  details?(before: unknown, after: unknown): readonly LostGuard[];
  /** By a value that opens something, people outside of the organization run code in the object. */
  readonly runsOutsiders?: true;
  /** Its value opens again what it opens where a change of one of these opens something. */
  readonly opensWith?: readonly string[];
  /** Values of others, beside which it opens nothing, and needs to pass no filter. */
  readonly unless?: Values;
  /** Values that others had before, beside which it held nothing back. */
  readonly unlessWas?: Values;
  /** Returns whether other values leave out all that it opens. */
  isLeftOut?(valueNamed: (name: string) => unknown): boolean;
  /** The filter that this branch must pass, and what it means that it no longer does, with `{branch}` and `{filter}`. */
  readonly filteredBy?: Meaning & { readonly filter: string };
  /** It narrows down this flag, whose words have its value as `{within}`. Without the flag, it does nothing. */
  readonly within?: string;
  /** What a change means is said of something else as well. */
  readonly isElsewhere?: true;
}

type Values = Readonly<Record<string, readonly unknown[]>>;

/** @param more without it, flags, choices, and values that come and go have their direction by themselves */
export function when(
  means: ArgumentReview["means"],
  more: Omit<ArgumentReview, "means" | "isElsewhere"> = {},
): ArgumentReview {
  return { means, ...more };
}

/** Case of a meaning: all its values are the object's, and all its arguments change. The first case that fits counts. */
export type Case = Meaning & {
  readonly if?: Readonly<Record<string, unknown>>;
  readonly changing?: readonly string[];
  /** The same, and no other argument changes. */
  readonly changingOnly?: readonly string[];
  /** The old object is deleted before the new one is created. */
  readonly deletesFirst?: true;
  /** The object stays on the service. */
  readonly remains?: true;
};

/** What happens to people with an object as a whole. */
export interface KindReview {
  /** Default: it is lost. */
  readonly deleted?: readonly Case[];
  readonly replaced?: readonly Case[];
  /** Default: nobody loses or gains anything. Then its arguments are those of a new object. */
  readonly created?: Meaning;
  /** What was lost with an object that somebody deleted, and what creating it again doesn't restore. */
  readonly vanished?: { readonly lost?: string; readonly remains?: string };
  /** What uses its objects now, which a report counts. */
  readonly usedBy?: "jobs" | "agents" | "runs" | "builds";
  /** Jobs of what this argument names can do what the object allows, as far as the conditions of another argument are met. */
  readonly allows?: { readonly jobsOf: string; readonly unless: string };
}

/** Returns whether a change can open, take or stop something, and not only show people another text. */
export function isGrave({ means, entries = {}, isElsewhere }: ArgumentReview = nothing): boolean {
  return (
    isElsewhere === true ||
    Object.values(means).some(({ effect }) => effect !== "noticed") ||
    Object.values(entries).some((one) => isGrave(one))
  );
}

/** Returns the direction of a change, as the meanings of an argument name it; undefined where nothing changes. */
export function directionOf(
  { means, levels, compare }: ArgumentReview,
  before: unknown,
  after: unknown,
): string | undefined {
  if (levels !== undefined) return directionAmong(levels, before, after);
  if (compare !== undefined) return compare(before, after);
  const [was, is] = [plain(before), plain(after)];
  if (is !== undefined && Object.hasOwn(means, is)) return was === is ? undefined : is;
  if (isNone(before) && isNone(after)) return undefined;
  if (isNone(after) && means.cleared) return "cleared";
  if (isNone(before) && means.set) return "set";
  return "changed";
}

/** Returns a text, a number or a flag as text; undefined for anything else, which a program may give as well. */
function plain(value: unknown): string | undefined {
  return typeof value === "object" || value === undefined ? undefined : `${value}`;
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((one: unknown) => plain(one) ?? []) : [];
}

export function isNone(value: unknown): boolean {
  return value == null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

/** Without a value, the lowest level counts. Who loses one level loses access, whatever else comes. */
function directionAmong(levels: readonly string[], before: unknown, after: unknown): string | undefined {
  const given = (value: unknown) =>
    Array.isArray(value)
      ? textsIn(value)
      : levels.slice(0, Math.max(0, levels.indexOf(plain(value) ?? "")) + 1);
  return directionOfGrants(given(before), given(after));
}

function directionOfGrants(before: readonly string[], after: readonly string[]): string | undefined {
  if (before.some((one) => !after.includes(one))) return "less";
  return after.some((one) => !before.includes(one)) ? "more" : undefined;
}

/** Compares lists of which each entry allows something, and of which an empty one allows everything. */
function directionOfAllowed<Entry>(
  before: readonly Entry[],
  after: readonly Entry[],
  covers: (one: Entry, other: Entry) => boolean,
): string | undefined {
  if (before.length === 0 || after.length === 0)
    return before.length === after.length ? undefined : after.length === 0 ? "cleared" : "less";
  const gains = after.some((one) => !before.some((old) => covers(old, one)));
  const loses = before.some((one) => !after.some((next) => covers(next, one)));
  return gains ? (loses ? "changed" : "more") : loses ? "less" : undefined;
}

/** The networks from which a token may be used. Several may be one together, and all addresses are as good as no network. */
export function directionOfNetworks(before: unknown, after: unknown): string | undefined {
  return directionOfAllowed(rangesOf(before), rangesOf(after), (outer, inner) =>
    typeof outer === "string" || typeof inner === "string" ? outer === inner : isInNetwork(outer, inner),
  );
}

/** Addresses in a row; or a network in another form, as it is written. */
type Range = NonNullable<ReturnType<typeof parseNetwork>> | string;

function rangesOf(value: unknown): readonly Range[] {
  const parsed = textsIn(value).map((text) => ({ text, network: parseNetwork(text) }));
  const ranges = parsed.flatMap(({ network }) => (network?.version === 4 ? [network] : []));
  const joined: (typeof ranges)[number][] = [];
  for (const next of ranges.sort((one, other) => (one.first < other.first ? -1 : 1))) {
    const last = joined.at(-1);
    if (last === undefined || next.first > last.end) joined.push(next);
    else joined.splice(-1, 1, { ...last, end: last.end > next.end ? last.end : next.end });
  }
  const isAll = joined.some(({ first, end }) => end - first === 2n ** 32n);
  const others = parsed.flatMap(({ text, network }) => (network?.version === 4 ? [] : [text]));
  return isAll ? [] : [...joined, ...others];
}

/** The rules of a policy, each of which allows something, and less with each of its claims. Without one, all is allowed. */
export function directionOfPolicies(before: unknown, after: unknown): string | undefined {
  const isAllowed = (values: unknown, one: unknown) =>
    [values].flat().some((value) => isDeepStrictEqual(value, one));
  const covers = (rule: unknown, other: unknown) =>
    claimsOf(rule).every(([claim, values]) => {
      const [, own] = claimsOf(other).find(([name]) => name === claim) ?? [];
      return own !== undefined && [own].flat().every((one) => isAllowed(values, one));
    });
  return directionOfAllowed(rulesOf(before), rulesOf(after), covers);
}

function rulesOf(policy: unknown): readonly unknown[] {
  const meant = typeof policy === "string" ? valueOfYaml(policy) : policy;
  return Array.isArray(meant) || isNone(meant) ? [meant ?? []].flat() : [meant];
}

function claimsOf(rule: unknown): [claim: string, values: unknown][] {
  return Object.entries(typeof rule === "object" && rule !== null ? rule : { rule });
}

/** Returns whether a policy may let something with some claims through. What isn't known of a claim fits. */
export function allowedBy(
  policy: unknown,
): (factsOf: (claim: string) => readonly unknown[] | undefined) => boolean {
  const rules = rulesOf(policy);
  const isOpen = rules.length === 0 || (JSON.stringify(policy) ?? "").includes(UNKNOWN);
  return (factsOf) =>
    isOpen ||
    rules.some((rule) =>
      claimsOf(rule).every(([claim, values]) => {
        const facts = factsOf(claim);
        return facts === undefined || [values].flat().some((one) => facts.includes(String(one)));
      }),
    );
}

/** Patterns of branches: any positive one must match, and no negative one may. Without patterns, every branch is built. */
function directionOfBranches(before: unknown, after: unknown): string | undefined {
  const patterns = (value: unknown) => (typeof value === "string" ? value.split(/\s+/).filter(Boolean) : []);
  const [old, next] = [patterns(before), patterns(after)];
  if (old.length === 0 || next.length === 0)
    return old.length === next.length ? undefined : next.length === 0 ? "cleared" : "less";
  // Without a positive pattern, every branch is built that no negative one excludes.
  const isNegative = (pattern: string) => pattern.startsWith("!");
  const allowed = (all: readonly string[]) => {
    const positive = all.filter((one) => !isNegative(one));
    return positive.length === 0 ? ["*"] : positive;
  };
  const has = (all: readonly string[], one: string) => all.includes("*") || all.includes(one);
  const [were, are] = [allowed(old), allowed(next)];
  const [no, yes] = [old.filter(isNegative), next.filter(isNegative)];
  const isBuilt = (filter: readonly string[], name: string) => passesBranches(filter.join(" "), name);
  const gains = are.some((one) => one.includes("*"))
    ? are.some((one) => !has(were, one)) || no.some((one) => !yes.includes(one))
    : are.some((name) => isBuilt(next, name) && !isBuilt(old, name));
  const loses = were.some((one) => !has(are, one)) || yes.some((one) => !no.includes(one));
  return gains ? (loses ? "changed" : "more") : loses ? "less" : undefined;
}

/** Returns whether a filter of branches lets one through. */
export function passesBranches(filter: unknown, branch: string): boolean {
  const patterns = typeof filter === "string" ? filter.split(/\s+/).filter(Boolean) : [];
  const fits = (pattern: string) => {
    const [first = "", ...others] = pattern.split("*");
    if (others.length === 0) return branch === pattern;
    let at = branch.startsWith(first) ? first.length : -1;
    for (const part of others) {
      const found = at < 0 ? -1 : branch.indexOf(part, at);
      at = found < 0 ? -1 : found + part.length;
    }
    return at >= 0 && branch.endsWith(others.at(-1) ?? "");
  };
  const [not, only] = [
    patterns.filter((one) => one.startsWith("!")),
    patterns.filter((one) => !one.startsWith("!")),
  ];
  return !not.some((one) => fits(one.slice(1))) && (only.length === 0 || only.some(fits));
}

/** Who can push a branch then decides what agents run. */
export const RUN_BY_MORE = {
  todo: "Make sure that everybody who can start these builds may run {its|their} steps.",
};

/** @param what the branches of what: "branches" */
export function branches(what: string, does = "{builds|build}", more: More = RUN_BY_MORE): ArgumentReview {
  return when(
    {
      cleared: opensInside(`${does} every branch, and no longer only the ${what} {before}`, more),
      more: opensInside(`${does} more ${what}: {after} instead of {before}`, more),
      changed: opensInside(`${does} other ${what}: {after} instead of {before}`, more),
      less: slows(`${does} fewer ${what}: {after} instead of {before}`),
    },
    { compare: directionOfBranches, none: "every branch" },
  );
}

/** The host of an address, which gets what is sent there, and whether others on the way can read that. */
export function directionOfHosts(before: unknown, after: unknown): string | undefined {
  if (before === after) return undefined;
  const [old, next] = [before, after].map((value) => URL.parse(plain(value) ?? ""));
  if (!isNone(before) && old?.hostname !== next?.hostname) return "elsewhere";
  if (next?.protocol === "http:" && old?.protocol !== "http:") return "readable";
  return isNone(before) || old?.host === next?.host ? "changed" : "elsewhere";
}

/** What something is about. An empty list may mean all or nothing, as another argument says. */
export function directionOfReach(before: unknown, after: unknown): string | undefined {
  const [old, next] = [textsIn(before), textsIn(after)];
  if (old.length === 0 || next.length === 0) return undefined;
  return next.some((one) => !old.includes(one)) ? "more" : directionOfGrants(old, next);
}

/** The host of a repository and who owns it there: other people may then change the code that agents run. */
export function directionOfRepositories(before: unknown, after: unknown): string | undefined {
  const ownerOf = (value: unknown) => {
    const [, host = "", path = ""] =
      /^(?:[\w+.-]+:\/\/)?(?:[^@/]*@)?([^:/]+)(?::\d+(?=\/))?[:/]+(.*)$/.exec(plain(value) ?? "") ?? [];
    return `${host}/${path.split("/").slice(0, -1).join("/")}`.toLowerCase();
  };
  if (before === after) return undefined;
  return isNone(before) || ownerOf(before) === ownerOf(after) ? "changed" : "elsewhere";
}

/** A time or a number, of which nothing means no limit. */
export function directionOfLimits(before: unknown, after: unknown): string | undefined {
  const limit = (value: unknown) => {
    if (isNone(value) || value === 0) return Number.POSITIVE_INFINITY;
    return typeof value === "number" ? value : Date.parse(plain(value) ?? "");
  };
  const [old, next] = [limit(before), limit(after)];
  return old === next ? undefined : next > old ? "more" : "less";
}

const RUNS_UNGUARDED = {
  todo: "Make sure that everybody who can start a build may run these steps.",
};

/** What their names mean is said of what has the names. */
export const steps: ArgumentReview = {
  ...when(
    {
      emptied: stops("{has|have} no steps any more, so builds do nothing"),
      unguarded: opensInside("{runs|run} steps without what held them back", RUNS_UNGUARDED),
      displaced: opensInside(
        "no longer {has|have} steps that were held back, and {runs|run} new ones that aren't",
        RUNS_UNGUARDED,
      ),
    },
    {
      compare: (before, after) => {
        if (!hasNoSteps(before) && hasNoSteps(after)) return "emptied";
        const lost = lostGuards(before, after, directionOfBranches);
        return lost.length === 0 ? undefined : lost.every(({ isGone }) => isGone) ? "displaced" : "unguarded";
      },
      details: (before, after) => lostGuards(before, after, directionOfBranches),
    },
  ),
  isElsewhere: true,
};

/** Returns false for what isn't known, and for a text without a meaning. */
function hasNoSteps(text: unknown): boolean {
  const value = typeof text === "string" ? valueOfYaml(text) : undefined;
  if (typeof value !== "object" || value === null) return false;
  const all: unknown = Array.isArray(value) ? value : Reflect.get(value, "steps");
  return isNone(all);
}
