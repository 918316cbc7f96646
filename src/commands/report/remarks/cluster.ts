import { counted } from "../../../shared/messages/nouns.js";
import { type Change, disappears } from "../../shared/plan/change.js";
import { listed, type Text, text } from "../../shared/plan/text.js";
import { type Live, type LiveCluster, loadOf, queueNow } from "./live.js";
import { type Refusal, type Review, refusal, refusedForAgents } from "./review.js";

/** A cluster that disappears takes its queues, their jobs and its tokens with it. */
export const cluster: Review = {
  lost: ({ action }, contents) => {
    const inside = contents.flatMap(({ noun, labels }, index) => [
      `${index === 0 ? "" : index < contents.length - 1 ? ", " : " and "}its ${noun}s`,
      ...(labels.length > 0 ? [" (", ...listed(labels), ")"] : []),
    ]);
    return {
      predicate: [`is ${action === "delete" ? "deleted" : "replaced"} with `, ...inside],
      rest: [
        { text: ["Anything else in it is deleted only if forceDestroy is set."] },
        { text: ["Look for jobs that wait for its queues."], unlessLoadKnown: true },
      ],
    };
  },
  vanished: {
    lost: ["Its agents can't reconnect, and jobs for its queues wait."],
    remains: [
      "A new cluster, its queues and its tokens have other ids, and its tokens other secrets: agents, pipelines and other stacks need them.",
    ],
  },
  impact: {
    needs: (change) =>
      disappears(change)
        ? { jobs: true, agents: true, queuesOf: change.id, agentTokensOf: change.id }
        : undefined,
    finding: (change, live, plan, managed) => {
      const { id = "" } = change;
      const now = live.clusters.get(id);
      const jobs = live.jobs.items.filter(({ clusterId }) => clusterId === id);
      const load = loadOf(live, jobs);
      const paused = new Set(now?.queues?.flatMap((one) => (one.dispatch_paused ? [one.id, one.key] : [])));
      const mayStart = jobs.some(
        ({ phase, queueId, queueKey }) =>
          phase === "waiting" && !paused.has(queueId ?? queueKey ?? now?.defaultQueueId ?? ""),
      );
      const owned = new Set(managed.map((one) => one.id));
      return {
        busy: (load.figures?.running ?? 0) > 0 || mayStart,
        ...load,
        lines: [
          ...load.lines,
          ...contentsOf(now).flatMap(({ noun, objects }): Text[] => {
            const names = objects.flatMap((one) => (owned.has(one.id) ? [] : [one.name]));
            const what = `${counted(names.length, noun)} that this stack does not manage: `;
            return names.length === 0 ? [] : [[what, ...listed(names), "."]];
          }),
        ],
        refusal:
          refusalOf(change, now, plan) ??
          refusedForAgents(text`cluster ${change.title}`, keysInUse(now, live)),
      };
    },
  },
};

function contentsOf(cluster: LiveCluster | undefined) {
  const { queues = [], agentTokens = [] } = cluster ?? {};
  return [
    { noun: "queue", objects: queues.map(({ id, key: name }) => ({ id, name })) },
    {
      noun: "agent token",
      objects: agentTokens.map(({ id, description }) => ({ id, name: description ?? id })),
    },
  ];
}

/** The provider refuses to delete a cluster with objects that the deployment doesn't delete first. */
function refusalOf(
  { title, before }: Change,
  cluster: LiveCluster | undefined,
  plan: readonly Change[],
): Refusal | undefined {
  if (before.forceDestroy === true) return undefined;
  const deleted = new Set(plan.filter(disappears).map(({ id }) => id));
  const remaining = contentsOf(cluster).flatMap(({ noun, objects }) =>
    objects.flatMap(({ id, name }) => (deleted.has(id) ? [] : [text`${[noun]} ${name}`])),
  );
  if (remaining.length === 0) return undefined;
  return refusal(
    true,
    text`: cluster ${title} contains ${listed(remaining)}, which this deployment doesn't delete`,
    ["Everything else is deleted first, and then the cluster is refused."],
    text`Delete them, or set ${"forceDestroy"} on the cluster and deploy that first.`,
  );
}

/** Returns the keys of a cluster's queues that connected agents name. */
function keysInUse(cluster: LiveCluster | undefined, live: Live): string[] {
  return (cluster?.queues ?? []).flatMap(({ id, key }) => {
    const { agents = [] } = queueNow(live, { id, key, clusterId: cluster?.id ?? "" });
    return agents.length > 0 ? [key] : [];
  });
}
