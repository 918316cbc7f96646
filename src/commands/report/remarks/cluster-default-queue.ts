import { type Change, changes, disappears, placeText } from "../../shared/plan/change.js";
import { type Text, text } from "../../shared/plan/text.js";
import { loadOf, notStarted } from "./live.js";
import { placed, type Review } from "./review.js";

/** Another default queue, or none, concerns jobs and agents that name no queue. */
export const clusterDefaultQueue: Review = {
  lost: (change) =>
    !isTakenAway(change) || change.place === undefined
      ? undefined
      : {
          message: text`Cluster ${placeText(change.place)} loses its default queue: agents that name no queue get no jobs.`,
          inMany: {
            lead: ["The default queue is removed"],
            rest: ["Agents that name no queue get no jobs."],
          },
          known: ["Agents that name no queue get no jobs."],
        },
  vanished: { lost: ["Agents that name no queue get no jobs."] },
  cautions: {
    queueId: (change, { before, after }) => {
      const predicate = changeFrom(before, after);
      const rest = ["Jobs and agents that name no queue use the new one."];
      // The load says where waiting jobs go.
      const known = ["Agents that name no queue use the new one."];
      return placed(["The default queue"], change, predicate, rest, { known });
    },
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
      const from = live.clusters.get(clusterId)?.queues?.find(({ id }) => id === change.before.queueId)?.key;
      const next = change.nameAfter("queueId");
      const count = jobs.length;
      const those = `${notStarted(jobs)} no queue`;
      const hit = gone
        ? [`${those}: no agent takes ${count === 1 ? "it" : "them"} then.`]
        : [
            `${those} and ${count === 1 ? "goes" : "go"} to `,
            ...(next === undefined ? ["the new default queue."] : text`${next}.`),
          ];
      return {
        label: clusterName,
        effect: gone ? "delete" : "switch",
        subject: ["Default queue"],
        predicate: gone
          ? ["is taken away"]
          : changeFrom(
              from === undefined ? from : { code: from },
              next === undefined ? next : { code: next },
            ),
        ...load,
        lines: [...load.lines, ...(count > 0 ? [hit] : [])],
      };
    },
  },
};

/** A queue that is created again often has the same key as the one before. */
function changeFrom(before: Text[number] | undefined, after: Text[number] | undefined): Text {
  const [from, to] = [before, after].map((one) => (typeof one === "object" ? one.code : undefined));
  if (to === undefined) return ["changes"];
  if (from === to) return text`changes to another queue with the key ${to}`;
  return from === undefined ? text`changes to ${to}` : text`changes from ${from} to ${to}`;
}

/** A replacement sets another default queue of the same cluster, unless it moves to another cluster. */
function isTakenAway({ action, movesTo }: Change): boolean {
  return action === "delete" || (action === "replace" && movesTo !== undefined);
}
