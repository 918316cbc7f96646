import { ACTION_ORDER, ACTIONS, type Action } from "../messages/actions.js";
import { counted } from "../messages/nouns.js";
import { canContain, shortNounOf, titleOf } from "./kinds.js";
import type { Load, Topology, TopologyNode } from "./topology.js";

/** One thing in a group. */
export interface Member {
  /** `queue`, `token`, …; `rest` represents several objects. */
  readonly kind: string;
  readonly text: string;
  readonly change?: Action;
  /** Its own color, as the service has it. */
  readonly color?: string;
  /** Where jobs without a queue go. */
  readonly isDefault?: boolean;
  readonly paused?: boolean;
  /** What is in it: `45 queues, 4 tokens`. Never cut. */
  readonly counts?: string;
  /** How many objects in it change. */
  readonly changes?: ReadonlyMap<Action, number>;
  readonly load?: Load;
}

/** A box with a title and things in it. */
export interface Group {
  readonly title: string;
  readonly change?: Action;
  readonly color?: string;
  readonly members: readonly Member[];
}

/** Content of a drawing, in any format. */
export interface Drawing {
  readonly title: string;
  /** When jobs and agents were read. */
  readonly remark?: string;
  readonly groups: readonly Group[];
}

/** Largest number of members at which a drawing is still readable. */
const MOST_MEMBERS = 120;
/** A group with more members is shortened, unless it is the only cluster. */
const MOST_IN_GROUP = 12;
/** As many are named in each group of a drawing that has too much on it. */
const NAMED_IN_CROWD = 3;

/**
 * Returns the drawing of a topology. If there is too much, each group names the important members and counts the
 * rest. Important are changes, busy queues, the default queue and paused queues. The only cluster is drawn in full.
 * With loads, what waits most comes first.
 */
export function drawingOf(topology: Topology): Drawing {
  const groups = groupsOf(topology.nodes);
  const crowded = groups.reduce((sum, { members }) => sum + members.length, 0) > MOST_MEMBERS;
  const isLone = topology.nodes.filter(({ kind }) => canContain(kind)).length === 1;
  const limitOf = (place: number) =>
    isLone && place === 0 ? MOST_MEMBERS : crowded && !isLone ? NAMED_IN_CROWD : MOST_IN_GROUP;
  return {
    ...headOf(topology),
    groups: groups.map((one, place) => ({ ...one, members: shortened(one.members, limitOf(place)) })),
  };
}

/** Returns the title of a drawing, and when its figures were read. */
export function headOf({ organization, loadRead }: Topology): Pick<Drawing, "title" | "remark"> {
  return {
    title: organization ?? "Organization",
    ...(loadRead && {
      remark: `Jobs and agents at ${loadRead.at.slice(0, 16).replace("T", " ")} UTC${loadRead.isComplete ? "" : ", not all of them could be read"}`,
    }),
  };
}

/** Returns a group for each object that others can be in, and one for all objects of any other type. */
function groupsOf(nodes: readonly TopologyNode[]): Group[] {
  return [...Map.groupBy(nodes, ({ kind }) => kind)].flatMap(([kind, own]): Group[] =>
    canContain(kind)
      ? own.toSorted(byWaiting(sumOfLoads)).map(groupOf)
      : [{ title: titleOf(kind), members: own.map(memberOf) }],
  );
}

function groupOf({ name: title, change, color, contents }: TopologyNode): Group {
  const members = insideOf(contents).toSorted(byWaiting(({ load }) => load));
  return { title, ...(change && { change }), ...(color && { color }), members: members.map(memberOf) };
}

/** Returns objects and everything in them. */
export function insideOf(nodes: readonly TopologyNode[]): TopologyNode[] {
  return nodes.flatMap((node) => [node, ...insideOf(node.contents)]);
}

/** Returns what all queues in an object do together. */
export function sumOfLoads({ contents }: TopologyNode): Load | undefined {
  const loads = insideOf(contents).flatMap(({ load }) => load ?? []);
  if (loads.length === 0) return undefined;
  const sum = (of: (load: Load) => number) => loads.reduce((total, load) => total + of(load), 0);
  const agents = loads.every((load) => load.agents !== undefined);
  return {
    running: sum(({ running }) => running),
    waiting: sum(({ waiting }) => waiting),
    agents: agents ? sum((load) => load.agents ?? 0) : undefined,
  };
}

/** Compares objects: what waits most first, then what runs most, and what has no load in its own order at the end. */
export function byWaiting(of: (node: TopologyNode) => Load | undefined) {
  return (one: TopologyNode, other: TopologyNode): number => {
    const [left, right] = [of(one), of(other)];
    if (!left || !right) return Number(!left) - Number(!right);
    return right.waiting - left.waiting || right.running - left.running;
  };
}

/** Returns an object as one thing of a drawing. */
export function memberOf({ kind, name: text, change, isDefault, paused, load }: TopologyNode): Member {
  return {
    kind: shortNounOf(kind),
    text,
    ...(change && { change }),
    ...(isDefault && { isDefault }),
    ...(paused && { paused }),
    ...(load && { load }),
  };
}

const jobsOf = ({ load }: Member) => (load === undefined ? 0 : load.running + load.waiting);

/** Returns members up to a limit: those that matter most, and a count of the rest. */
export function shortened(members: readonly Member[], limit: number): Member[] {
  if (members.length <= limit) return [...members];
  const weight = (member: Member) =>
    (member.change ? 4_000_000 : 0) +
    Math.min(jobsOf(member), 999_999) * 4 +
    (member.isDefault ? 2 : 0) +
    (member.paused ? 1 : 0);
  const ranked = members.map((member, index) => ({ member, index, weight: weight(member) }));
  ranked.sort((one, other) => other.weight - one.weight || one.index - other.index);
  const kept = ranked.slice(0, limit - 1).sort((one, other) => one.index - other.index);
  const rest = ranked.slice(limit - 1).map(({ member }) => member);
  return [...kept.map(({ member }) => member), { kind: "rest", text: countsOf(rest) }];
}

/** `and 12 more queues`, or `and 6 more: 5 queues, 1 token`, those among them that change counted apart. */
function countsOf(members: readonly Member[]): string {
  const byKind = Map.groupBy(members, ({ kind }) => kind);
  const parts = [...byKind].map(([kind, { length }]) => counted(length, kind));
  const [only = ""] = byKind.size === 1 ? byKind.keys() : [];
  const what = only === "" ? `: ${parts.join(", ")}` : ` ${only}${members.length === 1 ? "" : "s"}`;
  const changing = members.filter(({ change }) => change !== undefined).length;
  const jobs = members.reduce((sum, member) => sum + jobsOf(member), 0);
  const remarks = [
    ...(changing > 0 ? [`${changing} of them change`] : []),
    ...(jobs > 0 ? [counted(jobs, "job")] : []),
  ];
  return `and ${members.length} more${what}${remarks.length > 0 ? ` (${remarks.join(", ")})` : ""}`;
}

/** Returns `3 running, 12 waiting` or `idle`. */
export function jobsInWords({ running, waiting }: Load): string {
  return running + waiting === 0 ? "idle" : `${running} running, ${waiting} waiting`;
}

/** Returns `5 agents`; undefined where they are not known. */
export function agentsInWords({ agents }: Load): string | undefined {
  return agents === undefined ? undefined : counted(agents, "agent");
}

/** What a mark before a name means, and its character in text. */
export const MARKS = {
  isDefault: { sign: "★", words: "default queue" },
  paused: { sign: "⏸", words: "paused" },
  token: { sign: "🔑", words: "agent token" },
} as const;

export type Mark = keyof typeof MARKS;
const ALL_MARKS = Object.keys(MARKS) as Mark[]; // Its keys are all marks, by its type.

export function marksOf({ kind, isDefault, paused }: Member): Mark[] {
  const has = { isDefault, paused, token: kind === "token" };
  return ALL_MARKS.filter((mark) => has[mark]);
}

/** Returns a member as text: `~ ★ small · 3 running, 12 waiting, 5 agents`. @param text its name, shortened or not */
export function lineOf(member: Member, text = member.text): string {
  const { change, counts, load } = member;
  const signs = [change && ACTIONS[change].sign, ...marksOf(member).map((mark) => MARKS[mark].sign)];
  const details = [counts, ...(load ? [jobsInWords(load), agentsInWords(load)] : [])].filter(Boolean);
  return `${[...signs, text].filter(Boolean).join(" ")}${details.length > 0 ? ` · ${details.join(", ")}` : ""}`;
}

/** Explains the signs of a drawing in Markdown. */
export const LEGEND = [
  ...ACTION_ORDER.map((action) => `\`${ACTIONS[action].sign}\` ${ACTIONS[action].word}`),
  ...ALL_MARKS.map((mark) => `${MARKS[mark].sign} ${MARKS[mark].words}`),
].join(", ");

/** Returns a drawing with a group that explains its signs, for a format that has no other place for that. */
export function withLegend(drawing: Drawing): Drawing {
  const texts = [
    ...changesIn(drawing).map((change) => `${ACTIONS[change].sign} ${ACTIONS[change].word}`),
    ...marksIn(drawing).map((mark) => `${MARKS[mark].sign} ${MARKS[mark].words}`),
  ];
  if (texts.length === 0) return drawing;
  const legend = { title: "Legend", members: texts.map((text) => ({ kind: "rest", text })) };
  return { ...drawing, groups: [...drawing.groups, legend] };
}

/** Returns the marks that a drawing shows. */
export function marksIn({ groups }: Drawing): Mark[] {
  const shown = new Set(groups.flatMap(({ members }) => members.flatMap(marksOf)));
  return ALL_MARKS.filter((mark) => shown.has(mark));
}

/** Returns the changes that a drawing shows, in the order of a legend. */
export function changesIn({ groups }: Drawing): Action[] {
  const shown = new Set(
    groups.flatMap(({ change, members }) => [
      change,
      ...members.flatMap((member) => [member.change, ...(member.changes?.keys() ?? [])]),
    ]),
  );
  return ACTION_ORDER.filter((change) => shown.has(change));
}
