import * as z from "zod";
import { canContain, queueKind, shortNounOf, titleOf } from "../../provider/for-commands/kinds.js";
import { alphabetically } from "../../shared/messages/alphabet.js";
import { cut } from "../../shared/messages/foreign-text.js";
import { counted } from "../../shared/messages/nouns.js";
import type { QueueLoad } from "../workload/read.js";
import { ACTION_ORDER, type Action } from "./actions.js";
import { clustersIn, drawnSchema, insideOf, type Topology, type TopologyNode } from "./topology.js";

/** One thing in a group: an object, or a count of several, of the kind `rest`. */
const memberSchema = drawnSchema.extend({
  /** What is in it: `45 queues, 4 tokens`. Never cut. */
  counts: z.string().exactOptional(),
  /** What has steps that name it: `← shop, etl, monorepo and 14 more`. */
  users: z.string().exactOptional(),
  changes: z.array(z.tuple([z.enum(ACTION_ORDER), z.number()])).exactOptional(),
});

const groupSchema = drawnSchema.pick({ change: true, color: true }).extend({
  title: z.string(),
  members: z.array(memberSchema).readonly(),
});

export const drawingSchema = z.object({
  title: z.string(),
  /** When jobs and agents were read. */
  remark: z.string().exactOptional(),
  groups: z.array(groupSchema).readonly(),
});

export type Member = Readonly<z.infer<typeof memberSchema>>;
export type Group = Readonly<z.infer<typeof groupSchema>>;
export type Drawing = Readonly<z.infer<typeof drawingSchema>>;

/** Most clusters that are drawn with their contents. */
const MOST_IN_FULL = 12;
/** Largest number of members at which a drawing is still readable. */
const MOST_MEMBERS = 120;
/** A group with more members is shortened, unless it is the only cluster. */
const MOST_IN_GROUP = 12;
/** As many are named in each group of a drawing that has too much on it. */
const NAMED_IN_CROWD = 3;
/** As many pipelines are named beside the queue that their steps name. */
const NAMED_USERS = 3;
/** As many clusters are boxes of an overview. */
const MOST_CLUSTERS = 400;

export function isLarge({ nodes }: Topology): boolean {
  return clustersIn(nodes).length > MOST_IN_FULL;
}

export function drawingOf(topology: Topology, overview = isLarge(topology)): Drawing {
  const { organization, loadRead, nodes } = topology;
  return {
    title: organization ?? "Organization",
    ...(loadRead && {
      remark: `Jobs and agents at ${loadRead.at.slice(0, 16).replace("T", " ")} UTC${loadRead.isComplete ? "" : ", not all of them could be read"}`,
    }),
    groups: overview ? overviewOf(nodes) : inFull(nodes),
  };
}

function overviewOf(nodes: readonly TopologyNode[]): Group[] {
  const order = byWaiting(sumOfLoads);
  return [...Map.groupBy(nodes, ({ kind }) => kind)].map(([kind, own]) => ({
    title: titleOf(kind),
    members: canContain(kind)
      ? shortened(
          own.sort((one, other) => order(one, other) || byName(one, other)).map(memberOf),
          MOST_CLUSTERS,
        )
      : shortened(own, MOST_IN_GROUP),
  }));
}

/**
 * Returns a group for each object that others can be in, and one for all objects of any other type. With loads, what
 * waits most comes first. If there is too much, each group but the only cluster names its important members and counts
 * the rest.
 */
function inFull(nodes: readonly TopologyNode[]): Group[] {
  const groups = [...Map.groupBy(nodes, ({ kind }) => kind)].flatMap(([kind, own]): Group[] => {
    if (canContain(kind)) return own.sort(byWaiting(sumOfLoads)).map(groupOf);
    const full = own.filter(({ contents }) => contents.length > 0);
    const members = own.filter(({ contents }) => contents.length === 0);
    return [...full.map(groupOf), ...(members.length === 0 ? [] : [{ title: titleOf(kind), members }])];
  });
  const crowded = groups.reduce((sum, { members }) => sum + members.length, 0) > MOST_MEMBERS;
  const isLone = clustersIn(nodes).length === 1;
  const limitOf = (place: number) =>
    isLone && place === 0 ? MOST_MEMBERS : crowded && !isLone ? NAMED_IN_CROWD : MOST_IN_GROUP;
  return groups.map((one, place) => ({ ...one, members: shortened(one.members, limitOf(place)) }));
}

function groupOf({ name: title, change, color, contents }: TopologyNode): Group {
  const inside = insideOf(contents);
  const queues = new Set(inside.flatMap(({ kind, name }) => (kind === queueKind() ? [name] : [])));
  // What stands beside the queues that its steps name needs no place of its own, unless it changes.
  const isBeside = ({ change, uses = [] }: TopologyNode) =>
    change === undefined && uses.length > 0 && uses.every((key) => queues.has(key));
  const members = inside
    .filter((one) => !isBeside(one))
    .sort(byWaiting(({ load }) => load))
    .map((one): Member => {
      const users = inside.filter(({ uses }) => uses?.includes(one.name));
      return one.kind === queueKind() && users.length > 0
        ? { ...one, users: usersInWords(users.map(({ name }) => name)) }
        : one;
    });
  return { title, ...(change && { change }), ...(color && { color }), members };
}

/** Returns `← shop, etl, monorepo and 14 more`. */
function usersInWords(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_USERS).map((name) => cut(name, 20));
  const rest = names.length - shown.length;
  return `← ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** Returns a cluster as `Linux · 45 queues, 4 tokens, 2 paused`. */
function memberOf(node: TopologyNode): Member {
  const inside = insideOf(node.contents);
  const load = sumOfLoads(node);
  const counts = [...Map.groupBy(inside, ({ kind }) => shortNounOf(kind))].map(([noun, { length }]) =>
    counted(length, noun),
  );
  const paused = inside.filter((one) => one.paused).length;
  const changing = inside.flatMap(({ change }) => change ?? []);
  const words = [
    ...(counts.length === 0 ? ["empty"] : counts),
    ...(paused > 0 ? [`${paused} paused`] : []),
    ...(changing.length > 0 ? [`${changing.length} to change`] : []),
  ];
  const changes = ACTION_ORDER.flatMap((action): [Action, number][] => {
    const { length } = changing.filter((one) => one === action);
    return length === 0 ? [] : [[action, length]];
  });
  return {
    ...node,
    counts: words.join(", "),
    ...(changes.length > 0 && { changes }),
    ...(load && { load }),
  };
}

function sumOfLoads({ contents }: TopologyNode): QueueLoad | undefined {
  const loads = insideOf(contents).flatMap(({ load }) => load ?? []);
  if (loads.length === 0) return undefined;
  const sum = (of: (load: QueueLoad) => number) => loads.reduce((total, load) => total + of(load), 0);
  const agents = loads.every((load) => load.agents !== undefined);
  return {
    running: sum(({ running }) => running),
    waiting: sum(({ waiting }) => waiting),
    agents: agents ? sum((load) => load.agents ?? 0) : undefined,
  };
}

/** Compares objects: what waits most first, then what runs most, and what has no load in its own order at the end. */
function byWaiting(of: (node: TopologyNode) => QueueLoad | undefined) {
  return (one: TopologyNode, other: TopologyNode): number => {
    const [left, right] = [of(one), of(other)];
    if (!left || !right) return Number(!left) - Number(!right);
    return right.waiting - left.waiting || right.running - left.running;
  };
}

function byName(one: TopologyNode, other: TopologyNode): number {
  return alphabetically(one.name, other.name);
}

const jobsOf = ({ load }: Member) => (load === undefined ? 0 : load.running + load.waiting);

/** Returns members up to a limit: those that matter most, and a count of the rest. */
function shortened(members: readonly Member[], limit: number): readonly Member[] {
  if (members.length <= limit) return members;
  const weight = (member: Member) =>
    (member.change ? 4_000_000 : 0) +
    Math.min(jobsOf(member), 999_999) * 4 +
    (member.isDefault ? 2 : 0) +
    (member.paused ? 1 : 0);
  const ranked = members.toSorted((one, other) => weight(other) - weight(one));
  const rest = ranked.splice(limit - 1);
  return [...members.filter((member) => ranked.includes(member)), { kind: "rest", name: countsOf(rest) }];
}

/** `and 12 more queues`, or `and 6 more: 5 queues, 1 token`, those among them that change counted apart. */
function countsOf(members: readonly Member[]): string {
  const byNoun = Map.groupBy(members, ({ kind }) => shortNounOf(kind));
  const parts = [...byNoun].map(([noun, { length }]) => counted(length, noun));
  const [only = ""] = byNoun.size === 1 ? byNoun.keys() : [];
  const what = only === "" ? `: ${parts.join(", ")}` : ` ${only}${members.length === 1 ? "" : "s"}`;
  const changing = members.filter(({ change }) => change !== undefined).length;
  const jobs = members.reduce((sum, member) => sum + jobsOf(member), 0);
  const remarks = [
    ...(changing > 0 ? [`${changing} of them change`] : []),
    ...(jobs > 0 ? [counted(jobs, "job")] : []),
  ];
  return `and ${members.length} more${what}${remarks.length > 0 ? ` (${remarks.join(", ")})` : ""}`;
}
