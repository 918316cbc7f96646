import { ACTION_ORDER, ACTIONS, LOOKS } from "../messages/actions.js";
import { counted } from "../messages/nouns.js";
import { canContain, shortNounOf, titleOf } from "./kinds.js";
import type { Load, NodeChange, Topology, TopologyNode } from "./topology.js";

/** One thing in a group. */
export interface Member {
  /** `queue`, `token`, …; `rest` stands for several. */
  readonly kind: string;
  readonly text: string;
  readonly change?: NodeChange;
  /** Where jobs without a queue go. */
  readonly isDefault?: boolean;
  readonly paused?: boolean;
  /** `3 running, 12 waiting, 5 agents`, or its contents. Never cut. */
  readonly load?: string;
  /** Jobs run or wait in it, as many. */
  readonly jobs?: number;
}

/** A box with a title and things in it. */
export interface Group {
  readonly title: string;
  readonly change?: NodeChange;
  readonly color?: string;
  /** Members stand in columns. */
  readonly inColumns?: true;
  readonly members: readonly Member[];
}

/** Content of a drawing, in any format. */
export interface Drawing {
  readonly title: string;
  readonly groups: readonly Group[];
}

/** Most members on one drawing that a reader can still use. */
const MOST_MEMBERS = 120;
/** More than this in one group is cut. */
const MOST_IN_GROUP = 12;
/** As many are named in each group of a drawing that has too much on it. */
const NAMED_IN_CROWD = 3;

/**
 * Returns the drawing of a topology. If there is too much, each group names the important members and counts the rest.
 * Important are changes, the default queue and paused queues.
 *
 * @param inFull names all members that fit on a drawing, not only in a group
 */
export function drawingOf(topology: Topology, { inFull = false } = {}): Drawing {
  const groups = groupsOf(topology.nodes);
  const crowded = groups.reduce((sum, { members }) => sum + members.length, 0) > MOST_MEMBERS;
  const limit = crowded ? NAMED_IN_CROWD : inFull ? MOST_MEMBERS : MOST_IN_GROUP;
  return {
    title: titleOfDrawing(topology),
    groups: groups.map((one) => ({ ...one, members: shortened(one.members, limit) })),
  };
}

/** Returns the title of a drawing. */
export function titleOfDrawing({ organization }: Topology): string {
  return organization ?? "Organization";
}

/** Returns a group for each object that others can be in, and one for all objects of any other type. */
function groupsOf(nodes: readonly TopologyNode[]): Group[] {
  return [...Map.groupBy(nodes, ({ kind }) => kind)].flatMap(([kind, own]): Group[] =>
    canContain(kind) ? own.map(groupOf) : [{ title: titleOf(kind), members: own.map(memberOf) }],
  );
}

function groupOf({ name: title, change, color, contents }: TopologyNode): Group {
  const inside = (nodes: readonly TopologyNode[]): Member[] =>
    nodes.flatMap((node) => [memberOf(node), ...inside(node.contents)]);
  return { title, ...(change && { change }), ...(color && { color }), members: inside(contents) };
}

/** Returns an object as one thing of a drawing. */
export function memberOf({ kind, name: text, change, isDefault, paused, load }: TopologyNode): Member {
  return {
    kind: shortNounOf(kind),
    text,
    ...(change && { change }),
    ...(isDefault && { isDefault }),
    ...(paused && { paused }),
    ...(load && { load: loadInWords(load), jobs: load.running + load.waiting }),
  };
}

/** Returns `3 running, 12 waiting, 5 agents`. */
export function loadInWords({ running, waiting, agents }: Load): string {
  const jobs = running + waiting === 0 ? "idle" : `${running} running, ${waiting} waiting`;
  return agents === undefined ? jobs : `${jobs}, ${agents} ${agents === 1 ? "agent" : "agents"}`;
}

/** Returns members up to a limit: those that matter most, and a count of the rest. */
export function shortened(members: readonly Member[], limit: number): Member[] {
  if (members.length <= limit) return [...members];
  const weight = ({ change, isDefault, paused, jobs = 0 }: Member) =>
    (change ? 4_000_000 : 0) + Math.min(jobs, 999_999) * 4 + (isDefault ? 2 : 0) + (paused ? 1 : 0);
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
  const jobs = members.reduce((sum, member) => sum + (member.jobs ?? 0), 0);
  const remarks = [
    ...(changing > 0 ? [`${changing} of them change`] : []),
    ...(jobs > 0 ? [`${jobs} ${jobs === 1 ? "job" : "jobs"}`] : []),
  ];
  return `and ${members.length} more${what}${remarks.length > 0 ? ` (${remarks.join(", ")})` : ""}`;
}

/** Returns the text after a member's name. */
export function loadTextOf({ load }: Member): string {
  return load === undefined ? "" : ` · ${load}`;
}

/** Signs of changes, for readers without color. */
export const SIGNS: Readonly<Record<NodeChange, string>> = {
  added: LOOKS.added.sign,
  adopted: LOOKS.adopted.sign,
  changed: LOOKS.changed.sign,
  replaced: LOOKS.replaced.sign,
  removed: LOOKS.removed.sign,
  released: LOOKS.released.sign,
};

/** Explains the signs of a drawing in Markdown. */
export const LEGEND = `${ACTION_ORDER.map((action) => `\`${ACTIONS[action].sign}\` ${ACTIONS[action].word}`).join(", ")}, ★ default queue, ⏸ paused, 🔑 agent token`;

/** Returns the mark before a member's name. */
export function markOf({ kind, isDefault, paused }: Member): string {
  if (kind === "token") return "🔑 ";
  return `${isDefault ? "★ " : ""}${paused ? "⏸ " : ""}`;
}

/** Returns the changes that a drawing shows, in the order of a legend. */
export function changesIn({ groups }: Drawing): NodeChange[] {
  const shown = new Set(
    groups.flatMap(({ change, members }) => [change, ...members.map((member) => member.change)]),
  );
  return (Object.keys(SIGNS) as NodeChange[]).filter((change) => shown.has(change)); // Its keys are all changes, by its type.
}
