import * as z from "zod";
import { entity, identifier, text } from "./entity.js";
import { type User, userSchema } from "./user.js";

/** A group of agents within a cluster, which can be paused and resumed (section 2.3). */
export interface Queue {
  /** UUID. */
  id: string;
  /** The name jobs and agents use; never changes after creation. */
  key: string;
  /** Whether dispatching of jobs to the queue's agents is paused. */
  dispatch_paused: boolean;
  /** Opaque id of the service's GraphQL interface. */
  graphql_id?: string | null;
  /** null or "" when unset. */
  description?: string | null;
  /** Canonical address in the REST interface. */
  url?: string | null;
  /** Address in the web interface. */
  web_url?: string | null;
  /** Address of the owning cluster in the REST interface. */
  cluster_url?: string | null;
  /** Who paused; null when not paused. */
  dispatch_paused_by?: User | null;
  /** ISO 8601, UTC; null when not paused. */
  dispatch_paused_at?: string | null;
  /** Why it is paused; null when not paused, and seen as null on paused queues too. */
  dispatch_paused_note?: string | null;
  /** ISO 8601, UTC. */
  created_at?: string | null;
  created_by?: User | null;
}

export const queueSchema: z.ZodType<Queue> = entity<Queue>(
  { id: identifier, key: identifier, dispatch_paused: z.boolean() },
  {
    graphql_id: text,
    description: text,
    url: text,
    web_url: text,
    cluster_url: text,
    dispatch_paused_by: userSchema.nullable(),
    dispatch_paused_at: text,
    dispatch_paused_note: text,
    created_at: text,
    created_by: userSchema.nullable(),
  },
);
