import type { Api, RequestOptions } from "../api.js";
import { type Agent, agentSchema } from "../entities/agent.js";
import { nothing, operation } from "../operation.js";
import type { List } from "../pages/list.js";

/** Which agents to list (section 4.8). */
export interface AgentQuery {
  name?: string | undefined;
  hostname?: string | undefined;
  /** The exact version. */
  version?: string | undefined;
}

/** How to stop an agent (section 4.8). */
export interface AgentStop {
  /** Whether a running job is canceled, and its build with it. The service's default is true: false lets the job end first. */
  force?: boolean | undefined;
}

const path = "/v2/organizations/{org_slug}/agents";

export const agentOperations = {
  list: operation("agents.list", "GET", path, "read_agents", "4.8", agentSchema),
  get: operation("agents.get", "GET", `${path}/{id}`, "read_agents", "4.8", agentSchema),
  stop: operation("agents.stop", "PUT", `${path}/{id}/stop`, "write_agents", "4.8", nothing),
} as const;

/** Agents: the processes that run jobs (section 4.8). */
export class Agents {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists connected agents.
   *
   * Scope: `read_agents`. Section 4.8.
   * @example
   * ```ts
   * for await (const agent of client.agents.list({ hostname: "build-7" })) console.log(agent.name, agent.job?.name);
   * ```
   */
  list(query: AgentQuery = {}, options?: RequestOptions): List<Agent> {
    const { name, hostname, version } = query;
    return this.#api.list(agentOperations.list, {}, { name, hostname, version }, options);
  }

  /**
   * Reads one agent, connected or not.
   *
   * Scope: `read_agents`. Section 4.8.
   * @throws NotFoundError if there is no such agent.
   * @example
   * ```ts
   * const { connection_state } = await client.agents.get(agent.id);
   * ```
   */
  get(id: string, options?: RequestOptions): Promise<Agent> {
    return this.#api.call(agentOperations.get, { id }, {}, options);
  }

  /**
   * Tells an agent to take no further job and to shut down. Unless `force` is false, its running job is canceled.
   *
   * Scope: `write_agents`, of an admin or of a user with the Stop Agents permission. Sections 4.8 and 5.
   * @throws BadRequestError `Can only stop connected agents`; with `attempts` above 1, an earlier try may have stopped it.
   * @throws NotFoundError if there is no such agent.
   * @example
   * ```ts
   * await client.agents.stop(agent.id, { force: false });
   * ```
   */
  stop(id: string, stop: AgentStop = {}, options?: RequestOptions): Promise<void> {
    const body = stop.force === undefined ? undefined : { force: stop.force };
    return this.#api.call(agentOperations.stop, { id }, { body }, options);
  }
}
