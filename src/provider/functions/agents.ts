import type * as api from "../../client/index.js";
import { findOne } from "./invoke/find-one.js";
import { getFunction } from "./invoke/function.js";
import { type AgentResult, readAgentResult } from "./results/entities.generated.js";
import type { InOrganization } from "./results/result-fields.js";

/** Identifies an agent by either `id` or `name`. */
export interface GetAgentArgs {
  /** UUID. Finds an agent in any connection state. */
  id?: string | undefined;
  /** Exact name. Finds only connected agents. The function fails if several agents have this name. */
  name?: string | undefined;
}

/** An agent, as the API returns it. */
export interface GetAgentResult extends AgentResult, InOrganization {}

/** Filters for a list of agents. An omitted filter matches all agents. */
export interface GetAgentsArgs {
  /** Name. */
  name?: string | undefined;
  /** Name of the machine. */
  hostname?: string | undefined;
  /** Exact version of the agent's software. */
  version?: string | undefined;
}

/** The connected agents of an organization. */
export interface GetAgentsResult extends InOrganization {
  /** In the order of the API. */
  readonly agents: GetAgentResult[];
}

const byId = (client: api.BuildPipelineClient, id: string) => client.agents.get(id);
const connected = (client: api.BuildPipelineClient, filter: api.AgentQuery) =>
  client.agents.list(filter).all();

/**
 * Looks up an agent by id, or a connected one by name. Scope: `read_agents`.
 * @throws LookupError if no object matches, or several do; the message lists their ids.
 * @example const { connectionState, job } = await getAgent({ name: "builder-1" });
 */
export const getAgent = getFunction<GetAgentArgs, GetAgentResult>(
  "getAgent",
  async ({ get, organization }, args) => {
    const found = await findOne(args, ["id", "name"], {
      get: (id) => get(byId, id),
      list: (name) => get(connected, { name }),
      nouns: "agents",
      all: "getAgents()",
      idOf: ({ id }) => id,
      // Error agent-disconnected: The list of agents has connected agents only.
      // Fix: Give the agent's id.
      hint: "One that is not connected can be looked up by its id only.",
    });
    return { ...readAgentResult(found), organization };
  },
);

/**
 * Lists the connected agents that match the filters. Scope: `read_agents`.
 * @example
 * ```ts
 * const { agents } = await getAgents({ version: "3.90.0" });
 * const idle = agents.filter(({ job }) => job === undefined);
 * ```
 */
export const getAgents = getFunction<GetAgentsArgs | undefined, GetAgentsResult>(
  "getAgents",
  async ({ get, organization }, { name, hostname, version }) => {
    const found = await get(connected, { name, hostname, version });
    return { agents: found.map((each) => ({ ...readAgentResult(each), organization })), organization };
  },
);
