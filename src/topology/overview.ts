import { counted } from "../messages/nouns.js";
import {
  type Drawing,
  type Group,
  loadInWords,
  type Member,
  memberOf,
  shortened,
  titleOfDrawing,
} from "./drawing.js";
import { canContain, shortNounOf, titleOf } from "./kinds.js";
import type { Load, Topology, TopologyNode } from "./topology.js";

/** Most clusters that are drawn with their contents. */
const MOST_IN_FULL = 12;
const MOST_CLUSTERS = 400;
const MOST_OTHERS = 12;

/** Returns whether a topology has more clusters than a person can read with all that is in them. */
export function isLarge({ nodes }: Topology): boolean {
  return nodes.filter(({ kind }) => canContain(kind)).length > MOST_IN_FULL;
}

/** Returns a drawing with one box for each cluster, and counts of its contents. */
export function overviewOf(topology: Topology): Drawing {
  const groups = [...Map.groupBy(topology.nodes, ({ kind }) => kind)].map(
    ([kind, own]): Group =>
      canContain(kind)
        ? {
            title: titleOf(kind),
            inColumns: true,
            members: shortened(own.toSorted(byName).map(summaryOf), MOST_CLUSTERS),
          }
        : { title: titleOf(kind), members: shortened(own.map(memberOf), MOST_OTHERS) },
  );
  return { title: titleOfDrawing(topology), groups };
}

function byName(one: TopologyNode, other: TopologyNode): number {
  return one.name.localeCompare(other.name, "en", { numeric: true });
}

/** Returns a cluster as `Linux · 45 queues, 4 tokens, 2 paused`. */
function summaryOf(node: TopologyNode): Member {
  const inside = contentsOf(node);
  const counts = [...Map.groupBy(inside, ({ kind }) => shortNounOf(kind))].map(([noun, { length }]) =>
    counted(length, noun),
  );
  const paused = inside.filter((one) => one.paused).length;
  const changing = inside.filter(({ change }) => change !== undefined).length;
  const load = sumOf(inside.flatMap((one) => one.load ?? []));
  const words = [
    ...(counts.length === 0 ? ["empty"] : counts),
    ...(paused > 0 ? [`${paused} paused`] : []),
    ...(changing > 0 ? [`${changing} to change`] : []),
    ...(load === undefined ? [] : [loadInWords(load)]),
  ];
  return {
    ...memberOf(node),
    load: words.join(", "),
    ...(load && { jobs: load.running + load.waiting }),
  };
}

function contentsOf({ contents }: TopologyNode): TopologyNode[] {
  return contents.flatMap((one) => [one, ...contentsOf(one)]);
}

function sumOf(loads: readonly Load[]): Load | undefined {
  if (loads.length === 0) return undefined;
  const sum = (of: (load: Load) => number) => loads.reduce((total, load) => total + of(load), 0);
  const agents = loads.every((load) => load.agents !== undefined);
  return {
    running: sum(({ running }) => running),
    waiting: sum(({ waiting }) => waiting),
    agents: agents ? sum((load) => load.agents ?? 0) : undefined,
  };
}
