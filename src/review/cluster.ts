import { counted } from "../messages/nouns.js";
import { disappears } from "./change.js";
import { aboutChange, nowInWords, pipelineLines } from "./finding.js";
import { figuresOrNone } from "./live.js";
import type { Review } from "./review.js";
import { listed, type Text, text } from "./text.js";

/** A cluster that disappears takes its queues, their jobs and its tokens with it. */
export const cluster: Review = {
  lost: ({ action, label, contents }) => {
    const inside = contents.flatMap(({ noun, labels }, index) => [
      `${index === 0 ? " " : ", "}its ${noun}s`,
      ...(labels.length > 0 ? [" (", ...listed(labels), ")"] : []),
    ]);
    return {
      message: [
        ...text`Cluster ${label} is `,
        action === "delete" ? "deleted" : "replaced",
        ", with everything in it:",
        ...inside,
        ". Anything else in it is deleted only if forceDestroy is set. Look for jobs that wait for its queues.",
      ],
    };
  },
  impact: {
    needs: (change) =>
      disappears(change)
        ? { jobs: true, agents: true, queuesOf: change.id, agentTokensOf: change.id }
        : undefined,
    finding: (change, live, _plan, managed) => {
      const { id = "", label } = change;
      const owned = new Set(managed.map((one) => one.id));
      const now = live.clusters.get(id);
      const jobs = live.jobs.items.filter(({ clusterId }) => clusterId === id);
      const figures = figuresOrNone(live, jobs);
      const paused = new Set(now?.queues?.flatMap((one) => (one.dispatch_paused ? [one.id, one.key] : [])));
      const mayStart = jobs.some(
        ({ phase, queueId, queueKey }) =>
          phase === "waiting" && !paused.has(queueId ?? queueKey ?? now?.defaultQueueId ?? ""),
      );
      const others = (noun: string, all: readonly { id: string; name: string }[]): Text[] => {
        const unmanaged = all.filter((one) => !owned.has(one.id)).map(({ name }) => name);
        if (unmanaged.length === 0) return [];
        return [
          [`${counted(unmanaged.length, noun)} that this stack does not manage: `, ...listed(unmanaged), "."],
        ];
      };
      return {
        ...aboutChange(change),
        effect: change.action === "replace" ? "replace" : "delete",
        subject: text`Cluster ${label}`,
        predicate: [change.action === "replace" ? "is replaced" : "is deleted"],
        busy: (figures?.running ?? 0) > 0 || mayStart,
        figures,
        agents: undefined,
        now: nowInWords(figures, live),
        lines: [
          ...(figures === undefined ? [] : pipelineLines(figures)),
          ...others(
            "queue",
            (now?.queues ?? []).map(({ id: queue, key }) => ({ id: queue, name: key })),
          ),
          ...others(
            "agent token",
            (now?.agentTokens ?? []).map((token) => ({ id: token.id, name: token.description ?? token.id })),
          ),
        ],
      };
    },
  },
};
