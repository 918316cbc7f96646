import type { Queue } from "../../client/index.js";
import type { LiveObject } from "../shared/inventory/live-object.js";
import { printable } from "../shared/terminal/terminal.js";
import type { NamedQueue } from "../shared/workload/figures.js";

/** A queue and the cluster that it is in. */
export interface FoundQueue {
  readonly queue: Queue;
  readonly cluster: LiveObject;
  /** The argument of the command that finds this queue and no other one. */
  readonly name: string;
}

/** Returns a queue by the names of people, on one line. */
export function placeOf({ cluster, queue }: Pick<FoundQueue, "cluster" | "queue">): string {
  return printable(`${cluster.label}/${queue.key}`);
}

/** Returns a queue as jobs and agents name it. */
export function namedQueue({ queue: { id, key }, cluster }: FoundQueue): NamedQueue {
  return { id, key, clusterId: cluster.id, isDefault: cluster.observed.defaultQueueId === id };
}
