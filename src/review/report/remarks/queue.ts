import { durationInWords } from "../../../cli/workload/figures.js";
import type { LiveAgent, LiveJob } from "../../../cli/workload/job.js";
import { defaultSetBy } from "../../../provider/lifecycle/values/kinds.js";
import { counted } from "../../../shared/messages/nouns.js";
import { type ArgumentChange, type Change, changes } from "../../plan/change.js";
import { newPlaceText } from "../../plan/names.js";
import type { Plan } from "../../plan/plan.js";
import { type Text, text } from "../../plan/text.js";
import type { Live } from "./read.js";
import {
  type Load,
  loadOf,
  notStarted,
  queueNow,
  type Remark,
  type Review,
  refusedForAgents,
} from "./review.js";

/** A queue that disappears, is paused or is resumed concerns jobs that run there or wait for it, and its agents. */
export const queue: Review = {
  lost: ({ action, changed, movesTo, pending }, { load }) => {
    const look = load === undefined && ["Look for jobs that wait for this queue."];
    if (action === "delete") {
      const why = ["An earlier deployment replaced it and couldn't delete it."];
      return { predicate: ["is deleted"], rest: pending ? [why, look] : [look] };
    }
    const key = changed.find(({ name }) => name === "key");
    const names = key && [
      "Steps and agents that name ",
      key.before,
      " must name ",
      key.after,
      " from then on.",
    ];
    const rest = [look, ...(names ? [names] : [])];
    if (movesTo === undefined)
      return { predicate: key ? ["is replaced by ", key.after] : ["is replaced"], rest };
    const moved = ["moves to ", ...newPlaceText(movesTo), ...(key ? [" as ", key.after] : [])];
    return { predicate: [...moved, " (a new queue; jobs that wait in the old one are not moved)"], rest };
  },
  vanished: {
    lost: ["Look for jobs that wait for this queue."],
    remains: ["A new queue with this key has another id."],
  },
  cautions: {
    dispatchPaused: (change, _, load) => {
      switch (dispatchOf(change)) {
        case "pause":
          return { predicate: ["is paused"], rest: [load === undefined && ["Its jobs wait."]] };
        case "resume":
          return { predicate: ["is resumed"], rest: [load === undefined && ["Its jobs start."]] };
        case undefined:
          return undefined;
      }
    },
  },
  impact: {
    reads: ["jobs", "agents", "queues"],
    isHit: (change) => dispatchOf(change) !== undefined,
    load: (change, live, plan) => {
      const { id = "", label, action } = change;
      const clusterId = change.place?.id ?? "";
      const { isDefault, entity, jobs, agents } = queueNow(live, { id, clusterId, key: label });
      const load = loadOf(live, jobs);
      const gone = action === "delete" || action === "replace";
      const effect = gone ? action : (dispatchOf(change) ?? "resume");
      const paused = entity?.dispatch_paused === true;
      const waiting = jobs.filter(({ phase }) => phase === "waiting");
      return {
        ...load,
        effect,
        busy: gone && ((load.figures?.running ?? 0) > 0 || (waiting.length > 0 && !paused)),
        agents: agents?.length,
        lines: [
          ...load.lines,
          ...(gone ? linesOfGone(change, plan, jobs, isDefault) : linesOfDispatch(effect, jobs)),
          paused && effect !== "resume" && pausedLine(entity, live),
          agents !== undefined && agents.length > 0 && agentLine(label, agents, isDefault),
        ],
        refusal: gone && agents?.length ? refusedForAgents(text`queue ${label}`, [label]) : undefined,
      };
    },
  },
};

/** Returns what an update does to dispatching. A queue whose pausing the program no longer manages stays as it is. */
function dispatchOf(change: Change): "pause" | "resume" | undefined {
  const [was, is] = [change.before.dispatchPaused, change.after.dispatchPaused];
  if (change.action !== "update" || !changes(change, "dispatchPaused") || was === is) return undefined;
  return is === true ? "pause" : is === false ? "resume" : undefined;
}

function linesOfGone(
  change: Change,
  plan: Plan,
  jobs: readonly LiveJob[],
  isDefault: boolean,
): (Text | false)[] {
  const { label, place } = change;
  const clusterName = place?.name ?? place?.id ?? "";
  const open = jobs.filter(({ phase }) => phase !== "running");
  const running = jobs.length - open.length;
  const naming = open.filter(({ queueKey }) => queueKey === label);
  const others = open.filter(({ queueKey }) => queueKey === undefined);
  const next = nextDefault(change, plan) ?? label;
  const isOne = others.length === 1;
  const isSucceeded = plan.deployed.some(
    ({ kind, action, after }) =>
      kind === change.kind &&
      (action === "create" || action === "adopt" || action === "replace") &&
      after.key === label &&
      after.clusterId === place?.id,
  );
  const successor = isSucceeded
    ? [": a new queue with this key takes over."]
    : text`: no queue of ${clusterName} has this key afterwards.`;
  return [
    running > 0 && [
      `The service does not document what happens to ${running === 1 ? "the running job" : "running jobs"}.`,
    ],
    naming.length > 0 && [`${notStarted(naming)} `, { code: `queue=${label}` }, ...successor],
    others.length > 0 && [
      `${notStarted(others)} no queue and `,
      ...(next === label
        ? [isOne ? "waits" : "wait", " for the default queue, which this is."]
        : [isOne ? "goes" : "go", " to the default queue, ", { code: next }, " from then on."]),
    ],
    others.length === 0 && isDefault && text`${label} is the default queue of ${clusterName}.`,
  ];
}

function nextDefault({ kind, place }: Change, { deployed }: Plan): string | undefined {
  for (const other of deployed) {
    const set = defaultSetBy(other.kind);
    if (set?.of === kind && other.place?.id === place?.id) return other.nameAfter(set.argument);
  }
  return undefined;
}

function linesOfDispatch(effect: Load["effect"], jobs: readonly LiveJob[]): (Text | false)[] {
  const count = (phase: LiveJob["phase"]) => jobs.filter((job) => job.phase === phase).length;
  const [running, waiting] = [count("running"), count("waiting")];
  if (effect === "resume") return [waiting > 0 && [`${counted(waiting, "waiting job")} can start.`]];
  const wait = waiting === 1 ? "waits" : "wait";
  return [
    running > 0 && [`${counted(running, "running job")} ${running === 1 ? "goes" : "go"} on.`],
    waiting > 0 && [`${counted(waiting, "job")} ${wait} until the queue is resumed.`],
  ];
}

function pausedLine(entity: ReturnType<typeof queueNow>["entity"], live: Live): Text {
  const since = Date.parse(entity?.dispatch_paused_at ?? "");
  const seconds = Math.max(0, Math.round((live.now.getTime() - since) / 1000));
  const who = entity?.dispatch_paused_by?.name;
  const note = entity?.dispatch_paused_note;
  return [
    "It is paused",
    ...(Number.isNaN(since) ? [] : [` since ${durationInWords(seconds)}`]),
    ...(who ? text` by ${who}` : []),
    ...(note ? text`: ${note}` : []),
    ".",
  ];
}

function agentLine(label: string, { length }: readonly LiveAgent[], isDefault: boolean): Text {
  const who = `${counted(length, "connected agent")} ${length === 1 ? "has" : "have"}`;
  return text`${[who]} the tag ${`queue=${label}`}${isDefault ? [" or no such tag"] : []}.`;
}

const SUBJECT = ["The default queue"];
const IDLE = ["Agents that name no queue get no jobs."];

/** Another default queue, or none, concerns jobs and agents that name no queue. */
export const clusterDefaultQueue: Review = {
  lost: (change, { load }) => {
    if (isTakenAway(change)) return { subject: SUBJECT, predicate: ["is removed"], rest: [IDLE] };
    return switched(
      load,
      change.changed.find(({ name }) => name === "queueId"),
    );
  },
  vanished: { lost: IDLE },
  cautions: {
    queueId: (_, argument, load) => switched(load, argument),
  },
  impact: {
    reads: ["jobs", "queues"],
    isHit: (change) => changes(change, "queueId"),
    load: (change, live) => {
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
function switched(load: Load | undefined, { before, after }: Partial<ArgumentChange> = {}): Remark {
  const [from, to] = [before, after].map((one) => (typeof one === "object" ? one.code : undefined));
  const known = from === undefined ? text`changes to ${to ?? ""}` : text`changes from ${from} to ${to ?? ""}`;
  const same = text`changes to another queue with the key ${to ?? ""}`;
  return {
    subject: SUBJECT,
    predicate: to === undefined ? ["changes"] : from === to ? same : known,
    rest: [
      ["Agents that name no queue use the new one."],
      // The load says where waiting jobs go.
      load === undefined && ["Jobs that name no queue wait for it."],
    ],
    level: "caution",
  };
}

/** A replacement sets another default queue of the same cluster, unless it moves to another cluster. */
function isTakenAway({ action, movesTo }: Change): boolean {
  return action === "delete" || (action === "replace" && movesTo !== undefined);
}
