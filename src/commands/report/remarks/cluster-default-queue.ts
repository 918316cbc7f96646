import { disappears } from "../../shared/drawing/actions.js";
import { type ArgumentChange, type Change, changes } from "../../shared/plan/change.js";
import { text } from "../../shared/plan/text.js";
import { loadOf, notStarted } from "./live.js";
import type { Remark, Review } from "./review.js";

const SUBJECT = ["The default queue"];
const IDLE = ["Agents that name no queue get no jobs."];

/** Another default queue, or none, concerns jobs and agents that name no queue. */
export const clusterDefaultQueue: Review = {
  lost: (change) => {
    if (isTakenAway(change)) return { subject: SUBJECT, predicate: ["is removed"], rest: [IDLE] };
    return switched(change.changed.find(({ name }) => name === "queueId"));
  },
  vanished: { lost: IDLE },
  cautions: {
    queueId: (_, argument) => switched(argument),
  },
  impact: {
    needs: (change) =>
      disappears(change) || (change.action === "update" && changes(change, "queueId"))
        ? { jobs: true, queuesOf: change.place?.id }
        : undefined,
    finding: (change, live) => {
      const { id: clusterId = "", name: clusterName = clusterId } = change.place ?? {};
      const gone = isTakenAway(change);
      const jobs = live.jobs.items.filter(
        (job) => job.clusterId === clusterId && job.queueKey === undefined && job.phase !== "running",
      );
      const load = loadOf(live, jobs);
      const next = change.nameAfter("queueId");
      const isOne = jobs.length === 1;
      const goes = [
        ` and ${isOne ? "goes" : "go"} to `,
        ...(next === undefined ? ["the new default queue."] : text`${next}.`),
      ];
      const hit = gone ? [`: no agent takes ${isOne ? "it" : "them"} then.`] : goes;
      return {
        label: clusterName,
        effect: gone ? "delete" : "switch",
        ...load,
        lines: [...load.lines, jobs.length > 0 && [`${notStarted(jobs)} no queue`, ...hit]],
      };
    },
  },
};

/** Says which queue takes over. A queue that is created again often has the same key as the one before. */
function switched({ before, after }: Partial<ArgumentChange> = {}): Remark {
  const [from, to] = [before, after].map((one) => (typeof one === "object" ? one.code : undefined));
  const known = from === undefined ? text`changes to ${to ?? ""}` : text`changes from ${from} to ${to ?? ""}`;
  const same = text`changes to another queue with the key ${to ?? ""}`;
  return {
    subject: SUBJECT,
    predicate: to === undefined ? ["changes"] : from === to ? same : known,
    rest: [
      ["Agents that name no queue use the new one."],
      // The load says where waiting jobs go.
      { unlessLoadKnown: ["Jobs that name no queue wait for it."] },
    ],
    level: "caution",
  };
}

/** A replacement sets another default queue of the same cluster, unless it moves to another cluster. */
function isTakenAway({ action, movesTo }: Change): boolean {
  return action === "delete" || (action === "replace" && movesTo !== undefined);
}
