import type * as api from "../client/index.js";
import type { OutputArguments } from "./invoke/arguments.js";
import { findOne } from "./invoke/find-one.js";
import { getFunction } from "./invoke/function.js";
import { type AgentResult, readAgentResult } from "./results/entities.js";
import type { InOrganization } from "./results/fields.js";

/** Which agent: give one of the two. */
export interface GetAgentArgs {
  /** UUID. Finds agents in any connection state. */
  id?: string | undefined;
  /** Name, exactly. Finds connected agents only. An error if several agents have it. */
  name?: string | undefined;
}

/** {@link GetAgentArgs}, where each may be an Output. */
export interface GetAgentOutputArgs extends OutputArguments<GetAgentArgs> {}

/** An agent, as the service has it. */
export interface GetAgentResult extends AgentResult, InOrganization {}

/** Which agents. Filters that are left out let all through. */
export interface GetAgentsArgs {
  /** Name. */
  name?: string | undefined;
  /** Name of the machine. */
  hostname?: string | undefined;
  /** Exact version of the agent's software. */
  version?: string | undefined;
}

/** {@link GetAgentsArgs}, where each may be an Output. */
export interface GetAgentsOutputArgs extends OutputArguments<GetAgentsArgs> {}

/** The connected agents of an organization. */
export interface GetAgentsResult extends InOrganization {
  /** In the order of the service. */
  readonly agents: GetAgentResult[];
}

const byId = (client: api.BuildPipelineClient, id: string) => client.agents.get(id);
const connected = (client: api.BuildPipelineClient, filter: api.AgentQuery) =>
  client.agents.list(filter).all();

const agent = getFunction<GetAgentArgs, GetAgentOutputArgs, GetAgentResult>(
  "getAgent",
  async ({ get, organization }, args) => {
    const found = await findOne(args, ["id", "name"], {
      get: (id) => get(byId, id),
      list: (name) => get(connected, { name }),
      nouns: "agents",
      all: "getAgents()",
      idOf: ({ id }) => id,
      hint: "One that is not connected can be looked up by its id only.",
    });
    return { ...readAgentResult(found), organization };
  },
);

const agents = getFunction<GetAgentsArgs | undefined, GetAgentsOutputArgs | undefined, GetAgentsResult>(
  "getAgents",
  async ({ get, organization }, { name, hostname, version }) => {
    const found = await get(connected, { name, hostname, version });
    return { agents: found.map((each) => ({ ...readAgentResult(each), organization })), organization };
  },
);

export default [agent, agents];

/**
 * Looks up an agent by id, or a connected one by name. Scope: `read_agents`.
 *
 * @throws LookupError if there is none, or several; the message lists their ids.
 * @example
 * ```ts
 * const { connectionState, job } = await getAgent({ name: "builder-1" });
 * ```
 */
export const getAgent = agent.plain;

/** {@link getAgent} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is. */
export const getAgentOutput = agent.output;

/**
 * Lists the connected agents, filtered or all. Scope: `read_agents`.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { agents } = await getAgents({ version: "3.90.0" });
 * const idle = agents.filter(({ job }) => job === undefined);
 * ```
 */
export const getAgents = agents.plain;

/** {@link getAgents} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is. */
export const getAgentsOutput = agents.output;
