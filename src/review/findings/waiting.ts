import { disappears } from "../../cli/drawing/actions.js";
import {
  defaultSetBy,
  grammar,
  haveNoJobs,
  isNone,
  kinds,
  leavesOut,
  nounOf,
  placeOfKind,
  queueKind,
} from "../../provider/for-commands/kinds.js";
import type { PlannedChange } from "../plan/change.js";
import { objectsOf } from "../plan/objects.js";
import { text } from "../plan/text.js";
import type { Remark } from "./consequences.js";
import { isNewCluster, moves, nameOfKey, type PlanBeside, type WithSteps, withStepsAfter } from "./steps.js";

/** Jobs that nothing takes, although their queue is there or isn't named: no agent, or no default queue. */

/** Says what moves to a cluster that this deployment makes: no agent can be there yet, but those that Buildkite hosts. */
export function withoutAgents(plan: PlanBeside): Remark[] {
  const hosted = objectsOf(plan).flatMap(({ kind, after, refersTo }) => {
    const isHosted = kind === queueKind() && !isNone(after[grammar.get(kind)?.hostedBy ?? ""]);
    return isHosted ? (refersTo(kinds.get(kind)?.parent?.argument ?? "", "after") ?? []) : [];
  });
  const moved = withStepsAfter(plan).filter(
    ({ cluster = "", change, steps }) =>
      moves(change) && isNewCluster(plan, cluster) && !hosted.includes(cluster) && !haveNoJobs(steps.after),
  );
  return [...Map.groupBy(moved, ({ cluster, kind }) => `${kind} ${cluster}`).values()].flatMap((all) =>
    all.slice(0, 1).map(({ kind, cluster = "" }): Remark => {
      const noun = nounOf(placeOfKind(kind).kind ?? "");
      return {
        effect: "stops",
        level: "danger",
        about: all,
        of: all.flatMap(({ change }) => change ?? []),
        words: `{moves|move} to the new ${noun} {cluster}, where no agent is yet: all jobs of {its|their} builds wait until agents start there`,
        todo: `Deploy the ${noun} first, and start its agents before anything moves there.`,
        values: { cluster: text`${nameOfKey(cluster, plan)}` },
      };
    }),
  );
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
export function waitingForDefault(plan: PlanBeside): Waiting[] {
  const { deployed, managed, keyOf } = plan;
  const name = grammar.get(queueKind());
  const setting = [...kinds.values()].find((kind) => defaultSetBy(kind.name)?.of === queueKind());
  if (name === undefined || setting === undefined) return [];
  const has = new Set(
    objectsOf(plan)
      .filter(({ kind, change }) => kind === setting.name && change?.action !== "delete")
      .map(({ refersTo }) => refersTo(setting.parent?.argument ?? "", "after")),
  );
  const gone = deployed.filter((one) => one.kind === setting.name && disappears(one));
  const isManaged = gone.length > 0 || managed.some(({ kind }) => kind === setting.name) || has.size > 0;
  return withStepsAfter(plan).flatMap((user): Waiting[] => {
    const { cluster, change, steps } = user;
    if (cluster === undefined || has.has(cluster) || !leavesOut(steps.after, name)) return [];
    const removed = gone.filter(({ place }) => place?.key === cluster);
    const [read] = [...(plan.beside?.hasDefault ?? [])].flatMap(([id, hasDefault]) =>
      keyOf(setting.parent?.kind ?? "", id) === cluster ? [hasDefault] : [],
    );
    const isCaused = removed.length > 0 || (moves(change) && isManaged && read !== true);
    const isKnown = removed.length > 0 || read === false || isNewCluster(plan, cluster);
    return isCaused ? [{ user, cluster, removed, isKnown }] : [];
  });
}

export function defaultRemarks(plan: PlanBeside): Remark[] {
  const { stops = "", level = "danger" } = grammar.get(queueKind()) ?? {};
  const noun = nounOf(queueKind());
  return waitingForDefault(plan).map(({ user, cluster, removed, isKnown }): Remark => {
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
