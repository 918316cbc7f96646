import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text, userSchema } from "./api/entity.js";
import type { List } from "./api/list.js";
import { nothing, operations } from "./api/operation.js";
import { jobSchema } from "./builds/job.js";

const textOrNumber = z.union([z.string(), z.number()]).nullable();

const agentSchema = entity({
  required: {
    /** UUID. */
    id: identifier,
    /** Name of the agent. */
    name: z.string(),
  },
  optional: {
    /**
     * `connected` and `disconnected` are documented; `never_connected`, `stopping`, `stopped` and `lost` were observed.
     * Only a `connected` agent can be stopped.
     */
    connection_state: text,
    /** The job that the agent is running, if any. */
    job: jobSchema.nullable(),
    /** Tags of the form `key=value`. */
    meta_data: z.array(z.string()).nullable(),
  },
  decorative: {
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** API URL. */
    url: text,
    /** Address in the web interface. */
    web_url: text,
    /** Name of the machine. */
    hostname: text,
    /** Address of the machine. */
    ip_address: text,
    /** User agent that the agent sends. */
    user_agent: text,
    /** Exact version of the agent's software. */
    version: text,
    /** User who created the token that the agent connects with. */
    creator: userSchema.nullable(),
    /** Time the agent was created; ISO 8601, UTC. */
    created_at: text,
    /** Time the agent finished its last job. The format is not documented; the client expects a timestamp. */
    last_job_finished_at: textOrNumber,
    /** Priority of the agent. The format is not documented; the client expects a number. */
    priority: textOrNumber,
  },
});

/** A process on a machine that runs jobs. */
export interface Agent extends z.output<typeof agentSchema> {}

/** Filters for a list of agents. */
export interface AgentQuery {
  name?: string | undefined;
  hostname?: string | undefined;
  /** Exact version of the agent's software. */
  version?: string | undefined;
}

/** How to stop an agent. */
export interface AgentStop {
  /**
   * True cancels the running job and its build. False lets the job finish before the agent stops. The API's default is
   * true.
   */
  force?: boolean | undefined;
}

const path = "/v2/organizations/{org_slug}/agents";

/** @internal */
export const agentOperations = operations("agents", {
  list: ["GET", path, "read_agents", agentSchema],
  get: ["GET", `${path}/{id}`, "read_agents", agentSchema],
  stop: ["PUT", `${path}/{id}/stop`, "write_agents", nothing],
});

/** Agents: the processes that run jobs. */
export class Agents extends Section {
  /**
   * Lists connected agents. Scope: `read_agents`.
   * @example
   * ```ts
   * for await (const agent of client.agents.list({ hostname: "build-7" })) console.log(agent.name, agent.job?.name);
   * ```
   */
  list(query: AgentQuery = {}, options?: RequestOptions): List<Agent> {
    const { name, hostname, version } = query;
    return this.api.list(agentOperations.list, [], options, { name, hostname, version });
  }

  /**
   * Reads one agent, connected or not. Scope: `read_agents`.
   * @example const { connection_state } = await client.agents.get(agent.id);
   */
  get(id: string, options?: RequestOptions): Promise<Agent> {
    return this.api.call(agentOperations.get, [id], options);
  }

  /**
   * Stops an agent, which then accepts no further jobs. Unless `force` is false, its running job is canceled. Scope:
   * `write_agents`. The user must be an admin or have the Stop Agents permission.
   * @throws BadRequestError `Can only stop connected agents`; if `attempts` is above 1, an earlier attempt may have
   * stopped it.
   * @example await client.agents.stop(agent.id, { force: false });
   */
  stop(id: string, stop: AgentStop = {}, options?: RequestOptions): Promise<void> {
    const body = stop.force === undefined ? undefined : { force: stop.force };
    return this.api.call(agentOperations.stop, [id], options, body);
  }
}
