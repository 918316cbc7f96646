import {
  grammar,
  haveNoJobs,
  isNone,
  kinds,
  nounOf,
  placeOfKind,
  queueKind,
} from "../../provider/for-commands/kinds.js";
import { objectsOf } from "../plan/objects.js";
import type { Plan } from "../plan/plan.js";
import { text } from "../plan/text.js";
import type { Remark } from "./consequences.js";
import { isNewCluster, type LiveReferences, moves, nameOfKey, withStepsAfter } from "./steps.js";

/** Says what moves to a cluster that this deployment makes: no agent can be there yet, but those that Buildkite hosts. */
export function withoutAgents(plan: Plan, live: LiveReferences | undefined): Remark[] {
  const hosted = objectsOf(plan).flatMap(({ kind, after, refersTo }) => {
    const isHosted = kind === queueKind() && !isNone(after[grammar.get(kind)?.hostedBy ?? ""]);
    return isHosted ? (refersTo(kinds.get(kind)?.parent?.argument ?? "", "after") ?? []) : [];
  });
  const moved = withStepsAfter(plan, live).filter(
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
