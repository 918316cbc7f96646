import { z } from "zod";
import { cancelBuild } from "../control/build-progress.js";
import { agentSchema, showAgent } from "../entities/agent.js";
import { badRequest, forbidden, notFound } from "../http/errors.js";
import { listing, type Operation, operation } from "../http/operation.js";
import type { OrganizationData } from "../store/organization-data.js";
import type { AgentRecord } from "../store/records.js";
import { optionalFlag } from "../validation/fields.js";

const collection = "/v2/organizations/{org_slug}/agents";
const single = `${collection}/{id}`;
const section = "4.8";

/** Section 4.8. */
export const agentOperations: readonly Operation[] = [
  operation({
    id: "agents.list",
    method: "GET",
    path: collection,
    section,
    scope: "read_agents",
    summary: "List the connected agents",
    query: { name: "The agent's name.", hostname: "Its host's name.", version: "Its exact version." },
    response: agentSchema,
    list: "pages",
    run: ({ data, view, query, variations }) => {
      const name = query.one("name") ?? "";
      const hostname = query.one("hostname") ?? "";
      const version = query.one("version") ?? "";
      const matches = (value: string, wanted: string) =>
        wanted === "" || (variations.agentFilter === "exact" ? value === wanted : value.includes(wanted));
      const agents = data.agents
        .list()
        .filter(
          (agent) =>
            agent.connection_state === "connected" &&
            matches(agent.name, name) &&
            matches(agent.hostname, hostname) &&
            (version === "" || agent.version === version),
        );
      return listing(agents, (agent) => showAgent(view, agent));
    },
  }),
  operation({
    id: "agents.get",
    method: "GET",
    path: single,
    section,
    scope: "read_agents",
    summary: "Get an agent, connected or not",
    response: agentSchema,
    run: ({ data, view, params }) => showAgent(view, findAgent(data, params.id)),
  }),
  operation({
    id: "agents.stop",
    method: "PUT",
    path: `${single}/stop`,
    section,
    scope: "write_agents",
    summary: "Have an agent accept no new jobs and shut down",
    body: z.object({ force: optionalFlag() }),
    status: 204,
    errors: [
      { status: 400, when: "the agent is not connected" },
      { status: 403, when: "the user does not administer the organization" },
    ],
    run: ({ data, params, body, token, variations, now }) => {
      if (!token.admin) throw forbidden("Only organization admins can stop agents");
      const agent = findAgent(data, params.id);
      if (agent.connection_state !== "connected") throw badRequest("Can only stop connected agents");
      const force = body.force ?? true;
      if (force && agent.job_id !== null) {
        const build = data.builds.list().find(({ jobs }) => jobs.some(({ id }) => id === agent.job_id));
        if (build !== undefined) cancelBuild(data, build, "Agent was stopped", now);
      }
      data.agents.update(agent.id, {
        connection_state: variations.agentStateAfterStop,
        ...(force ? { job_id: null } : {}),
      });
    },
  }),
];

function findAgent(data: OrganizationData, id: string): AgentRecord {
  const agent = data.agents.get(id.toLowerCase());
  if (agent === undefined) throw notFound("agent");
  return agent;
}
