import type * as api from "../client/index.js";
import type { OutputArguments } from "./invoke/arguments.js";
import { findOne } from "./invoke/find-one.js";
import { getFunction } from "./invoke/function.js";
import { readJob } from "./jobs.js";
import { describe, type InOrganization, type ResultOf, user, verbatim } from "./results/fields.js";

/** Which agent: give one of the two. */
export interface GetAgentArgs {
  /** UUID. Finds agents in any connection state. */
  id?: string | undefined;
  /** Name, exactly. Finds connected agents only. An error if several agents have it. */
  name?: string | undefined;
}

/** {@link GetAgentArgs}, where each may be an Output. */
export interface GetAgentOutputArgs extends OutputArguments<GetAgentArgs> {}

const fields = describe<api.Agent>()({
  /** UUID. */
  id: verbatim,
  /** Name of the agent. */
  name: verbatim,
  /** `connected` and `disconnected` are documented; others are seen. */
  connectionState: verbatim,
  /** Name of the machine. */
  hostname: verbatim,
  /** Address of the machine. */
  ipAddress: verbatim,
  /** User agent that the agent sends. */
  userAgent: verbatim,
  /** Exact version of the agent's software. */
  version: verbatim,
  /** Creator of the token that connected it. */
  creator: user,
  /** The job it is running; undefined when idle. */
  job: readJob,
  /** When it finished its last job; the form is not documented. */
  lastJobFinishedAt: verbatim,
  /** Its priority; the form is not documented. */
  priority: verbatim,
  /** Tags of the form `key=value`. */
  metaData: verbatim,
  /** Opaque id for the service's GraphQL interface. */
  graphqlId: verbatim,
  /** API URL. */
  url: verbatim,
  /** Address in the web interface. */
  webUrl: verbatim,
  /** When it was created, ISO 8601 in UTC. */
  createdAt: verbatim,
});

/** An agent, as the service has it. */
export interface GetAgentResult extends ResultOf<typeof fields>, InOrganization {}

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
    return { ...fields.read(found), organization };
  },
);

const agents = getFunction<GetAgentsArgs | undefined, GetAgentsOutputArgs | undefined, GetAgentsResult>(
  "getAgents",
  async ({ get, organization }, { name, hostname, version }) => {
    const found = await get(connected, { name, hostname, version });
    return { agents: found.map((each) => ({ ...fields.read(each), organization })), organization };
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
