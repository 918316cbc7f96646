import { disappears } from "../../../cli/drawing/actions.js";
import type { LiveObject } from "../../../cli/inventory/live-object.js";
import { Queue } from "../../../provider/resources/index.js";
import { counted } from "../../../shared/messages/nouns.js";
import type { Change } from "../../plan/change.js";
import type { Plan } from "../../plan/plan.js";
import { listed, text } from "../../plan/text.js";
import type { Live } from "./read.js";
import {
  defaultQueueOf,
  inCluster,
  loadOf,
  queueNow,
  type Refusal,
  type Review,
  refusal,
  refusedForAgents,
} from "./review.js";

/** A cluster that disappears takes its queues, their jobs and its tokens with it. */
export const cluster: Review = {
  lost: ({ action }, { contents, load }) => {
    const inside = contents.flatMap(({ noun, labels }, index) => [
      `${index === 0 ? "" : index < contents.length - 1 ? ", " : " and "}its ${noun}s`,
      ...(labels.length > 0 ? [" (", ...listed(labels), ")"] : []),
    ]);
    return {
      predicate: [`is ${action === "delete" ? "deleted" : "replaced"} with `, ...inside],
      rest: [
        ["Anything else in it is deleted only if forceDestroy is set."],
        load === undefined && ["Look for jobs that wait for its queues."],
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
    reads: ["jobs", "agents", "queues", "agentTokens"],
    load: (change, live, plan) => {
      const { id = "" } = change;
      const queues = inCluster(live, Queue.kind, id) ?? [];
      const jobs = live.jobs.items.filter(({ clusterId }) => clusterId === id);
      const load = loadOf(live, jobs);
      const paused = new Set<unknown>(
        queues.flatMap((one) => (one.dispatch_paused ? [one.id, one.key] : [])),
      );
      const mayStart = jobs.some(
        ({ phase, queueId, queueKey }) =>
          phase === "waiting" && !paused.has(queueId ?? queueKey ?? defaultQueueOf(live, id)),
      );
      const inUse = queues.flatMap(({ id: queueId, key }) =>
        queueNow(live, { id: queueId, key, clusterId: id }).agents?.length ? [key] : [],
      );
      const owned = new Set(plan.managed.map((one) => one.id));
      return {
        busy: (load.figures?.running ?? 0) > 0 || mayStart,
        ...load,
        lines: [
          ...load.lines,
          ...contentsOf(live, id).map(([noun, objects]) => {
            const names = objects.filter((one) => !owned.has(one.id)).map(labelOrId);
            const what = `${counted(names.length, noun)} that this stack does not manage: `;
            return names.length > 0 && [what, ...listed(names), "."];
          }),
        ],
        refusal: refusalOf(change, live, plan) ?? refusedForAgents(text`cluster ${change.title}`, inUse),
      };
    },
  },
};

function contentsOf({ objects }: Live, clusterId: string): [noun: string, readonly LiveObject[]][] {
  const inside = objects.filter(({ parent }) => parent?.id === clusterId);
  return [...Map.groupBy(inside, ({ kind }) => kind.words.noun)];
}

const labelOrId = ({ label, id }: LiveObject) => label || id;

/** The provider refuses to delete a cluster with objects that the deployment doesn't delete first. */
function refusalOf(
  { title, id: clusterId = "", before }: Change,
  live: Live,
  { deployed }: Plan,
): Refusal | undefined {
  if (before.forceDestroy === true) return undefined;
  const deleted = new Set(deployed.filter(disappears).map(({ id }) => id));
  const remaining = contentsOf(live, clusterId).flatMap(([noun, objects]) =>
    objects.flatMap((one) => (deleted.has(one.id) ? [] : [text`${[noun]} ${labelOrId(one)}`])),
  );
  if (remaining.length === 0) return undefined;
  return refusal(
    true,
    text`: cluster ${title} contains ${listed(remaining)}, which this deployment doesn't delete`,
    ["Everything else is deleted first, and then the cluster is refused."],
    text`Delete them, or set ${"forceDestroy"} on the cluster and deploy that first.`,
  );
}
