import type * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import type { EmbeddedUser } from "../resources/embedded-user.js";
import { type InputsOf, oneWay } from "./asking/arguments.js";
import { oneOf } from "./asking/one-of.js";
import { request } from "./asking/request.js";
import { entity, same, user } from "./entity-fields.js";
import { type GetBuildJob, readJob } from "./jobs.js";
import { Lookup } from "./lookup.js";

/** Which agent: give one of the two. */
export interface GetAgentArgs {
  /** UUID. Finds agents in any connection state. */
  id?: string | undefined;
  /** Name, exactly. Finds connected agents only. An error if several agents have it. */
  name?: string | undefined;
}

/** {@link GetAgentArgs}, where each may be an Output. */
export interface GetAgentOutputArgs extends InputsOf<GetAgentArgs> {}

/** An agent, as the service has it (the API document, sections 2.9 and 3.4). */
export interface GetAgentResult {
  /** UUID. */
  readonly id: string;
  /** Name of the agent. */
  readonly name: string;
  /** Slug of the organization the agent is in. */
  readonly organization: string;
  /** `connected` and `disconnected` are documented; others are seen. */
  readonly connectionState?: string;
  /** Name of the machine. */
  readonly hostname?: string;
  /** Address of the machine. */
  readonly ipAddress?: string;
  /** What the agent calls itself. */
  readonly userAgent?: string;
  /** Exact version of the agent's software. */
  readonly version?: string;
  /** Whose token connected it. */
  readonly creator?: EmbeddedUser;
  /** The job it is running; undefined when idle. */
  readonly job?: GetBuildJob;
  /** When it finished its last job; the form is not documented. */
  readonly lastJobFinishedAt?: string | number;
  /** Its priority; the form is not documented. */
  readonly priority?: string | number;
  /** Tags of the form `key=value`. */
  readonly metaData?: string[];
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** When it was created, ISO 8601 in UTC. */
  readonly createdAt?: string;
}

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
export interface GetAgentsOutputArgs extends InputsOf<GetAgentsArgs> {}

/** The connected agents of an organization. */
export interface GetAgentsResult {
  readonly agents: GetAgentResult[];
  /** Slug of the organization. */
  readonly organization: string;
}

const read = entity<wire.Agent, GetAgentResult>({
  id: same,
  graphql_id: same,
  url: same,
  web_url: same,
  name: same,
  connection_state: same,
  hostname: same,
  ip_address: same,
  user_agent: same,
  version: same,
  creator: user,
  created_at: same,
  job: readJob,
  last_job_finished_at: same,
  priority: same,
  meta_data: same,
});

const agentById = request("agents.get", (client, id: string) => client.agents.get(id));
const connectedAgents = request("agents.list", (client, filter: wire.AgentQuery) =>
  client.agents.list(filter).all(),
);

const agent = new Lookup<GetAgentArgs, GetAgentResult>("getAgent", async (service, args) => {
  const { way, value } = oneWay(args, ["id", "name"]);
  const found =
    way === "id"
      ? await service.ask(agentById, value)
      : oneOf(await service.ask(connectedAgents, { name: value }), {
          nouns: "agents",
          way,
          matches: ({ name }) => name === value,
          idOf: ({ id }) => id,
          all: "getAgents()",
          hint: "One that is not connected can be looked up by its id only.",
        });
  return { ...read(found), organization: service.organization };
});

const agents = new Lookup<GetAgentsArgs, GetAgentsResult>("getAgents", async (service, args) => {
  const { organization } = service;
  const { name, hostname, version } = args;
  const found = await service.ask(connectedAgents, { name, hostname, version });
  return { agents: found.map((each) => ({ ...read(each), organization })), organization };
});

/**
 * Looks up an agent by id, or a connected one by name (the API document, section 4.8). Scope: `read_agents`.
 *
 * @throws LookupError if there is none, or several; the message lists their ids.
 * @example
 * ```ts
 * const { connectionState, job } = await getAgent({ name: "builder-1" });
 * ```
 */
export function getAgent(args: GetAgentArgs, opts?: pulumi.InvokeOptions): Promise<GetAgentResult> {
  return agent.now(args, opts);
}

/**
 * {@link getAgent} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 */
export function getAgentOutput(
  args: GetAgentOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAgentResult> {
  return agent.output(args, opts);
}

/**
 * Lists the connected agents, filtered or all (the API document, section 4.8). Scope: `read_agents`.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { agents } = await getAgents({ version: "3.90.0" });
 * const idle = agents.filter(({ job }) => job === undefined);
 * ```
 */
export function getAgents(args: GetAgentsArgs = {}, opts?: pulumi.InvokeOptions): Promise<GetAgentsResult> {
  return agents.now(args, opts);
}

/**
 * {@link getAgents} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 */
export function getAgentsOutput(
  args: GetAgentsOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAgentsResult> {
  return agents.output(args, opts);
}
