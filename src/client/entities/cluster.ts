import type * as z from "zod";
import { entity, identifier, text } from "./entity.js";
import { type User, userSchema } from "./user.js";

/** An isolated set of agents and pipelines in an organization (section 2.2). */
export interface Cluster {
  /** UUID. */
  id: string;
  name: string;
  /** Opaque id of the service's GraphQL interface. */
  graphql_id?: string | null;
  /** Queue (UUID) from which agents take jobs that connect without naming one; null when the cluster has no default queue. */
  default_queue_id?: string | null;
  /** null or "" when unset. */
  description?: string | null;
  /** Emoji syntax, `:name:`; null or "" when unset. */
  emoji?: string | null;
  /** Hex color code such as `#A9CCE3`; null or "" when unset. */
  color?: string | null;
  /** Canonical address in the REST interface. */
  url?: string | null;
  /** Address in the web interface. */
  web_url?: string | null;
  /** Address of the cluster's queues in the REST interface. */
  queues_url?: string | null;
  /** Address of the default queue in the REST interface; null when there is none. */
  default_queue_url?: string | null;
  /** ISO 8601, UTC. */
  created_at?: string | null;
  created_by?: User | null;
}

export const clusterSchema: z.ZodType<Cluster> = entity<Cluster>(
  { id: identifier, name: identifier },
  {
    graphql_id: text,
    default_queue_id: text,
    description: text,
    emoji: text,
    color: text,
    url: text,
    web_url: text,
    queues_url: text,
    default_queue_url: text,
    created_at: text,
    created_by: userSchema.nullable(),
  },
);
