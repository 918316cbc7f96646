import { ACTION_ORDER, type Action } from "../messages/actions.js";
import { counted } from "../messages/nouns.js";
import {
  byWaiting,
  type Drawing,
  type Group,
  headOf,
  insideOf,
  type Member,
  memberOf,
  shortened,
  sumOfLoads,
} from "./drawing.js";
import { canContain, shortNounOf, titleOf } from "./kinds.js";
import type { Topology, TopologyNode } from "./topology.js";

/** Most clusters that are drawn with their contents. */
const MOST_IN_FULL = 12;
const MOST_CLUSTERS = 400;
const MOST_OTHERS = 12;

/** Returns whether a topology has more clusters than a person can read with all that is in them. */
export function isLarge({ nodes }: Topology): boolean {
  return nodes.filter(({ kind }) => canContain(kind)).length > MOST_IN_FULL;
}

/** Returns a drawing with one box for each cluster, in its color and with counts of its contents. */
export function overviewOf(topology: Topology): Drawing {
  const groups = [...Map.groupBy(topology.nodes, ({ kind }) => kind)].map(([kind, own]): Group => {
    const sorted = own.toSorted((one, other) => byWaiting(sumOfLoads)(one, other) || byName(one, other));
    const members = canContain(kind)
      ? shortened(sorted.map(summaryOf), MOST_CLUSTERS)
      : shortened(own.map(memberOf), MOST_OTHERS);
    return { title: titleOf(kind), members };
  });
  return { ...headOf(topology), groups };
}

function byName(one: TopologyNode, other: TopologyNode): number {
  return one.name.localeCompare(other.name, "en", { numeric: true });
}

/** Returns a cluster as `Linux · 45 queues, 4 tokens, 2 paused`. */
function summaryOf(node: TopologyNode): Member {
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
    ...memberOf(node),
    ...(node.color && { color: node.color }),
    counts: words.join(", "),
    ...(changes.length > 0 && { changes: new Map(changes) }),
    ...(load && { load }),
  };
}
