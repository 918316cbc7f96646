import { z } from "zod";
import type { AgentRecord, BuildRecord, JobRecord, PipelineRecord } from "../store/records.js";
import { showUser, userSchema } from "./user.js";
import { apiUrl, graphqlId, type View, webUrl } from "./view.js";
import { address, opaqueId, timestamp, uuid } from "./wire.js";

/** The agent of a job: short in lists, longer where a single build is shown. */
const jobAgentSchema = z.object({
  id: uuid,
  url: address,
  name: z.string(),
  graphql_id: opaqueId.optional(),
  web_url: address.optional(),
  connection_state: z.string().optional(),
  hostname: z.string().optional(),
  ip_address: z.string().optional(),
  user_agent: z.string().optional(),
  creator: userSchema.nullable().optional(),
  created_at: timestamp.optional(),
});

/** Section 2.10. */
export const jobSchema = z
  .object({
    id: uuid,
    graphql_id: opaqueId,
    type: z.string(),
    name: z.string(),
    step_key: z.string(),
    step: z.object({
      id: uuid,
      signature: z.object({
        value: z.string(),
        algorithm: z.string(),
        signed_fields: z.array(z.string()),
      }),
    }),
    agent_query_rules: z.array(z.string()),
    state: z.string(),
    web_url: address,
    log_url: address,
    raw_log_url: address,
    command: z.string(),
    soft_failed: z.boolean(),
    exit_status: z.int().nullable(),
    artifact_paths: z.string(),
    agent: jobAgentSchema.nullable(),
    created_at: timestamp,
    scheduled_at: timestamp,
    runnable_at: timestamp.nullable(),
    started_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
    retried: z.boolean(),
    retried_in_job_id: uuid.nullable(),
    retries_count: z.int().nullable(),
    retry_type: z.string().nullable(),
    parallel_group_index: z.int().nullable(),
    parallel_group_total: z.int().nullable(),
    matrix: z.null(),
    cluster_id: uuid.nullable(),
    cluster_url: address.nullable(),
    cluster_queue_id: uuid.nullable(),
    cluster_queue_url: address.nullable(),
  })
  .meta({ id: "Job" });

/** A job as an agent shows it (section 2.10): with its artifacts and its script. */
export const agentJobSchema = jobSchema
  .extend({ artifacts_url: address, script_path: z.string() })
  .meta({ id: "AgentJob" });

/** How much of the agent a job shows. */
export type AgentDetail = "short" | "full";

export function showJob(
  view: View,
  pipeline: PipelineRecord,
  build: BuildRecord,
  job: JobRecord,
  agentDetail: AgentDetail,
): z.infer<typeof jobSchema> {
  const agent = job.agent_id === null ? undefined : view.data.agents.get(job.agent_id);
  const url = apiUrl(view, `/pipelines/${pipeline.slug}/builds/${build.number}/jobs/${job.id}`);
  const clusterUrl = agent?.cluster_id == null ? null : apiUrl(view, `/clusters/${agent.cluster_id}`);
  const queueId = agent?.cluster_queue_id ?? null;
  return {
    id: job.id,
    graphql_id: graphqlId("JobTypeCommand", job.id),
    type: "script",
    name: job.name,
    step_key: job.step_key,
    step: {
      id: job.step_id,
      signature: { value: `unsigned-${job.step_key}`, algorithm: "none", signed_fields: ["command"] },
    },
    agent_query_rules: [],
    state: job.state,
    web_url: webUrl(view, `/pipelines/${pipeline.slug}/builds/${build.number}`),
    log_url: `${url}/log`,
    raw_log_url: `${url}/log.txt`,
    command: job.command,
    soft_failed: job.soft_failed,
    exit_status: job.exit_status,
    artifact_paths: "",
    agent: agent === undefined ? null : showJobAgent(view, agent, agentDetail),
    created_at: job.created_at,
    scheduled_at: job.scheduled_at,
    runnable_at: job.runnable_at,
    started_at: job.started_at,
    finished_at: job.finished_at,
    retried: job.retried,
    retried_in_job_id: job.retried_in_job_id,
    retries_count: job.retries_count,
    retry_type: job.retry_type,
    parallel_group_index: null,
    parallel_group_total: null,
    matrix: null,
    cluster_id: agent?.cluster_id ?? null,
    cluster_url: clusterUrl,
    cluster_queue_id: queueId,
    cluster_queue_url: clusterUrl === null || queueId === null ? null : `${clusterUrl}/queues/${queueId}`,
  };
}

/** The job an agent runs now, or null. */
export function showAgentJob(view: View, agent: AgentRecord): z.infer<typeof agentJobSchema> | null {
  if (agent.job_id === null) return null;
  for (const build of view.data.builds.list()) {
    const job = build.jobs.find((candidate) => candidate.id === agent.job_id);
    const pipeline = view.data.pipelines.get(build.pipeline_id);
    if (job === undefined || pipeline === undefined) continue;
    const shown = showJob(view, pipeline, build, job, "short");
    return {
      ...shown,
      artifacts_url: `${shown.log_url.slice(0, -"/log".length)}/artifacts`,
      script_path: job.command,
    };
  }
  return null;
}

function showJobAgent(view: View, agent: AgentRecord, detail: AgentDetail): z.infer<typeof jobAgentSchema> {
  const short = { id: agent.id, url: apiUrl(view, `/agents/${agent.id}`), name: agent.name };
  if (detail === "short") return short;
  return {
    ...short,
    graphql_id: graphqlId("Agent", agent.id),
    web_url: webUrl(view, `/agents/${agent.id}`),
    connection_state: agent.connection_state,
    hostname: agent.hostname,
    ip_address: agent.ip_address,
    user_agent: agent.user_agent,
    creator: showUser(view, agent.created_by),
    created_at: agent.created_at,
  };
}
