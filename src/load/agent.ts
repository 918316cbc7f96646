import type { Agent } from "../client/index.js";
import { queueKeyOf } from "./job.js";

/** A connected agent. The API shows neither its cluster nor its queue, only those of the job that it runs. */
export interface LiveAgent {
  readonly id: string;
  readonly name: string;
  readonly address: string | undefined;
  /** The queue that its tags name: `small` of `queue=small`. */
  readonly queueKey: string | undefined;
  /** Cluster and queue of the job that it runs. */
  readonly clusterId: string | undefined;
  readonly queueId: string | undefined;
}

export function liveAgent({ id, name, ip_address, meta_data, job }: Agent): LiveAgent {
  return {
    id,
    name,
    address: ip_address ?? undefined,
    queueKey: queueKeyOf(meta_data ?? []),
    clusterId: job?.cluster_id ?? undefined,
    queueId: job?.cluster_queue_id ?? undefined,
  };
}
