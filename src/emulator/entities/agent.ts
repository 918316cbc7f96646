import { z } from "zod";
import type { AgentRecord } from "../store/records.js";
import { agentJobSchema, showAgentJob } from "./job.js";
import { showUser, userSchema } from "./user.js";
import { apiUrl, graphqlId, type View, webUrl } from "./view.js";
import { address, opaqueId, timestamp, uuid } from "./wire.js";

/** Section 2.9. */
export const agentSchema = z
  .object({
    id: uuid,
    graphql_id: opaqueId,
    url: address,
    web_url: address,
    name: z.string(),
    connection_state: z.string(),
    hostname: z.string(),
    ip_address: z.string(),
    user_agent: z.string(),
    version: z.string(),
    creator: userSchema.nullable(),
    created_at: timestamp,
    job: agentJobSchema.nullable(),
    last_job_finished_at: z.union([timestamp, z.number()]).nullable(),
    priority: z.union([z.number(), z.string()]).nullable(),
    meta_data: z.array(z.string()),
  })
  .meta({ id: "Agent" });

export function showAgent(view: View, agent: AgentRecord): z.infer<typeof agentSchema> {
  const { priority, last_job_finished_at } = agent;
  const { agentPriority, lastJobFinishedAt } = view.variations;
  return {
    id: agent.id,
    graphql_id: graphqlId("Agent", agent.id),
    url: apiUrl(view, `/agents/${agent.id}`),
    web_url: webUrl(view, `/agents/${agent.id}`),
    name: agent.name,
    connection_state: agent.connection_state,
    hostname: agent.hostname,
    ip_address: agent.ip_address,
    user_agent: agent.user_agent,
    version: agent.version,
    creator: showUser(view, agent.created_by),
    created_at: agent.created_at,
    job: showAgentJob(view, agent),
    last_job_finished_at:
      last_job_finished_at !== null && lastJobFinishedAt === "epoch"
        ? Math.floor(Date.parse(last_job_finished_at) / 1000)
        : last_job_finished_at,
    priority: priority !== null && agentPriority === "string" ? String(priority) : priority,
    meta_data: [...agent.meta_data],
  };
}
