import type { BuildPipelineClient } from "../client/index.js";

/** Ids of clusters, by what this process did with their default queues. */
interface DefaultQueues {
  readonly set: Set<string>;
  /** The service was asked to clear it, and does not clear default queues. */
  readonly clearingRefused: Set<string>;
}

const histories = new WeakMap<BuildPipelineClient, DefaultQueues>();

/** What this process did with the default queues of an organization's clusters. */
export function defaultQueuesOf(client: BuildPipelineClient): DefaultQueues {
  const known = histories.get(client) ?? { set: new Set(), clearingRefused: new Set() };
  histories.set(client, known);
  return known;
}
