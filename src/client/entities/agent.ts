import * as z from "zod";
import { entity, identifier, text } from "./entity.js";
import { type Job, jobSchema } from "./job.js";
import { type User, userSchema } from "./user.js";

/** A machine's process that runs jobs (sections 2.9 and 3.4). */
export interface Agent {
  /** UUID. */
  id: string;
  name: string;
  graphql_id?: string | null;
  /** Address in the REST interface. */
  url?: string | null;
  /** Address in the web interface. */
  web_url?: string | null;
  /**
   * `connected` and `disconnected` are documented; `never_connected`, `stopping`, `stopped` and `lost` are seen.
   * Only a `connected` agent can be stopped.
   */
  connection_state?: string | null;
  hostname?: string | null;
  ip_address?: string | null;
  user_agent?: string | null;
  /** Exact version of the agent's software. */
  version?: string | null;
  creator?: User | null;
  /** ISO 8601, UTC. */
  created_at?: string | null;
  /** The job it is running; null or missing when idle. */
  job?: Job | null;
  /** Its form, when not null, is not documented; a timestamp is expected. */
  last_job_finished_at?: string | number | null;
  /** Its form, when not null, is not documented; a number is expected. */
  priority?: string | number | null;
  /** Tags of the form `key=value`. */
  meta_data?: string[] | null;
}

const textOrNumber = z.union([z.string(), z.number()]).nullable();

export const agentSchema: z.ZodType<Agent> = entity<Agent>(
  { id: identifier, name: z.string() },
  {
    graphql_id: text,
    url: text,
    web_url: text,
    connection_state: text,
    hostname: text,
    ip_address: text,
    user_agent: text,
    version: text,
    creator: userSchema.nullable(),
    created_at: text,
    job: jobSchema.nullable(),
    last_job_finished_at: textOrNumber,
    priority: textOrNumber,
    meta_data: z.array(z.string()).nullable(),
  },
);
