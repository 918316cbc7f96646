import { disappears } from "../../cli/drawing/actions.js";
import {
  type AnyKind,
  defaultSetBy,
  grammar,
  isAllowed,
  kindNamed,
  kinds,
  leavesOut,
  nounOf,
  placeOfKind,
  queueKind,
  type StepName,
} from "../../provider/for-commands/kinds.js";
import { isShown } from "../../shared/protocol/encoded-values.js";
import type { PlannedChange } from "../plan/change.js";
import { objectsOf } from "../plan/objects.js";
import type { Plan } from "../plan/plan.js";
import { listed, type Text, text } from "../plan/text.js";
import { type Remark, sentence } from "./consequences.js";
import { openIn } from "./remarks.js";
import {
  isNewCluster,
  type LiveReferences,
  moves,
  namedKinds,
  nameOfKey,
  type WithSteps,
  withStepsAfter,
} from "./steps.js";

/** What steps don't get although it is there: a default that their cluster lacks, and what a policy denies them. */
export function remainingRemarks(plan: Plan, live: LiveReferences | undefined): Remark[] {
  return [...deniedRemarks(plan, live), ...defaultRemarks(plan, live)];
}

/** Returns the objects of a kind that are there afterwards, and the cluster of each. */
export function remainingOf(kind: AnyKind, plan: Plan) {
  return objectsOf(plan)
    .filter((one) => one.kind === kind.name && one.change?.action !== "delete")
    .map((one) => ({ ...one, cluster: one.refersTo(kind.parent?.argument ?? "", "after") }));
}

/** Says what steps name, and can no longer use because its policy is about other pipelines or queues. */
function deniedRemarks(plan: Plan, live: LiveReferences | undefined): Remark[] {
  const users = withStepsAfter(plan, live);
  return namedKinds().flatMap((kind) => {
    const { allowedBy, output = "", stops = "", level = "danger" } = grammar.get(kind.name) ?? {};
    if (allowedBy === undefined) return [];
    const { argument, claims } = allowedBy;
    const all = remainingOf(kind, plan);
    return users.flatMap((user) =>
      [...(user.names.get(kind.name)?.keys() ?? [])].flatMap((name): Remark[] => {
        const found = all.find(({ after, cluster }) => after[output] === name && cluster === user.cluster);
        if (found === undefined) return [];
        const wasNamed = user.namedBefore.get(kind.name)?.has(name) && !moves(user.change);
        const wasDenied = found.id !== undefined && !mayUse(user, claims, found.before[argument], "before");
        if (mayUse(user, claims, found.after[argument], "after") || (wasNamed && wasDenied)) return [];
        const change = found.change ?? user.change;
        return [
          {
            effect: "stops",
            level,
            about: [user],
            of: change === undefined ? [] : [change],
            words: `{names|name} in {its|their} steps the ${kind.words.noun} {key}{of}, whose ${argument} {lets} {it|them} read it: ${stops}`,
            todo: `Change the ${argument}, or the steps.`,
            values: {
              key: [{ code: name }],
              of: user.cluster === undefined ? [] : text` of ${nameOfKey(user.cluster, plan)}`,
              lets: [wasNamed ? "no longer lets" : "doesn't let"],
            },
          },
        ];
      }),
    );
  });
}

/**
 * Returns a remark as one about outsiders if its change lets those read something who run code in a pipeline, and couldn't read
 * it before for certain.
 */
export function readByOutsiders(remark: Remark, plan: Plan, live: LiveReferences | undefined): Remark {
  const [change] = remark.of;
  const { allowedBy } = grammar.get(change?.kind ?? "") ?? {};
  const { argument: changed, effect } = remark;
  if (change === undefined || effect !== "opened" || !changed || allowedBy?.argument !== changed)
    return remark;
  const { argument, claims } = allowedBy;
  const place = kinds.get(change.kind)?.parent?.argument ?? "";
  const outsiders = withStepsAfter(plan, live).flatMap((user): Text[] => {
    const facts = (claim: string, when: "before" | "after") =>
      claims[claim] && factsOf(user, claims[claim], when);
    const isNew =
      user.cluster === change.refersTo(place, "after") &&
      isAllowed(change.after[argument], (claim) => facts(claim, "after")) &&
      !isAllowed(change.before[argument], (claim) => facts(claim, "before") ?? []);
    return isNew ? outsidersIn(user) : [];
  });
  return outsiders.length === 0 ? remark : { ...remark, level: "danger", details: outsiders };
}

/**
 * Returns a remark as one about what its move lets the jobs of a pipeline use, if that is something that they couldn't use before
 * and this stack has.
 */
export function usedAfterMove(remark: Remark, plan: Plan, live: LiveReferences | undefined): Remark {
  const [change] = remark.of;
  const { argument } = placeOfKind(change?.kind ?? "");
  if (change === undefined || remark.argument !== argument || !moves(change)) return remark;
  const user = withStepsAfter(plan, live).find((one) => one.change === change);
  const from = change.refersTo(argument ?? "", "before");
  if (user?.cluster === undefined) return remark;
  const details = namedKinds().flatMap((kind): Text[] => {
    const { allowedBy, output = "" } = grammar.get(kind.name) ?? {};
    if (allowedBy === undefined) return [];
    const usable = (when: "before" | "after", place: string | undefined) =>
      objectsOf(plan).flatMap(({ kind: own, id, label, change: does, refersTo, [when]: values }) => {
        const isThere = when === "before" ? id !== undefined : does?.action !== "delete";
        const isIn = isThere && refersTo(kind.parent?.argument ?? "", when) === place;
        const isUsable =
          isIn && own === kind.name && mayUse(user, allowedBy.claims, values[allowedBy.argument], when);
        return isUsable ? [shownOr(label, values[output])] : [];
      });
    const had = usable("before", from);
    const gained = usable("after", user.cluster).filter((name) => !had.includes(name));
    const nouns = gained.length === 1 ? nounOf(kind.name) : `${nounOf(kind.name)}s`;
    return gained.length === 0 ? [] : [text`Jobs can then also use the ${[nouns]} ${listed(gained)}.`];
  });
  const outsiders = details.length === 0 ? [] : outsidersIn(user);
  if (details.length === 0) return remark;
  const level = outsiders.length > 0 ? "danger" : remark.level;
  const todo = "Make sure that everybody who can start {its|their} builds may use them.";
  return { ...remark, effect: "opened", level, todo, details: [...details, ...outsiders] };
}

/** Returns the name of an object or, where that isn't known or is secret, what a person calls the object. */
export function shownOr(label: string, name: unknown): string {
  return typeof name === "string" && isShown(name) ? name : label;
}

type Claims = NonNullable<StepName["allowedBy"]>["claims"];

/** Returns whether a policy may let the jobs of a pipeline through. */
export function mayUse(user: WithSteps, claims: Claims, policy: unknown, when: "before" | "after"): boolean {
  return isAllowed(policy, (claim) => claims[claim] && factsOf(user, claims[claim], when));
}

/** Says who isn't in the organization runs code in a pipeline, if somebody does. */
function outsidersIn(user: WithSteps): Text[] {
  const [open] = openIn(user).filter(({ review }) => review.runsOutsiders);
  if (open === undefined) return [];
  const about: Remark = { ...open.meaning, of: [], about: [user] };
  return [[...sentence(about, [about]), "."]];
}

/** Returns what a claim is for the jobs of a pipeline; undefined where it isn't known, or depends on the job. */
function factsOf(
  user: WithSteps,
  { kind, output }: { readonly kind: string; readonly output: string },
  when: "before" | "after",
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

/** A pipeline with a step that names no queue, in a cluster that may have no default queue afterwards. */
interface Waiting {
  readonly user: WithSteps;
  readonly cluster: string;
  /** What takes the default away. */
  readonly removed: readonly PlannedChange[];
  readonly isKnown: boolean;
}

/** Returns what moves or loses a default, and has none afterwards as far as this stack shows. */
export function waitingForDefault(plan: Plan, live?: LiveReferences): Waiting[] {
  const { deployed, managed, keyOf } = plan;
  const name = grammar.get(queueKind());
  const setting = [...kinds.values()].find((kind) => defaultSetBy(kind.name)?.of === queueKind());
  if (name === undefined || setting === undefined) return [];
  const has = new Set(remainingOf(setting, plan).map(({ cluster }) => cluster));
  const gone = deployed.filter((one) => one.kind === setting.name && disappears(one));
  const isManaged = gone.length > 0 || managed.some(({ kind }) => kind === setting.name) || has.size > 0;
  return withStepsAfter(plan, live).flatMap((user): Waiting[] => {
    const { cluster, change, steps } = user;
    if (cluster === undefined || has.has(cluster) || !leavesOut(steps.after, name)) return [];
    const removed = gone.filter(({ place }) => place?.key === cluster);
    const [read] = [...(live?.hasDefault ?? [])].flatMap(([id, hasDefault]) =>
      keyOf(setting.parent?.kind ?? "", id) === cluster ? [hasDefault] : [],
    );
    const isCaused = removed.length > 0 || (moves(change) && isManaged && read !== true);
    const isKnown = removed.length > 0 || read === false || isNewCluster(plan, cluster);
    return isCaused ? [{ user, cluster, removed, isKnown }] : [];
  });
}

function defaultRemarks(plan: Plan, live: LiveReferences | undefined): Remark[] {
  const { stops = "", level = "danger" } = grammar.get(queueKind()) ?? {};
  const noun = nounOf(queueKind());
  return waitingForDefault(plan, live).map(({ user, cluster, removed, isKnown }): Remark => {
    const where = text`cluster ${nameOfKey(cluster, plan)}`;
    return {
      effect: "stops",
      level: isKnown ? level : "caution",
      about: [user],
      of: removed.length > 0 ? removed : user.change ? [user.change] : [],
      words:
        removed.length > 0
          ? `{names|name} no ${noun} in {its|their} steps, and this deployment takes the default ${noun} of {where} away: ${stops}`
          : `{moves|move} to {where}, which has {no} default ${noun}, and {names|name} no ${noun} in {its|their} steps: ${stops}`,
      todo: `Set a default ${noun} of {where}, or name a ${noun} in the steps.`,
      values: { where, no: [isKnown ? "no" : "no known"] },
    };
  });
}
