import { z } from "zod";
import * as model from "../model/entity.js";
import type { OrganizationData, RecordIn, StoredRecord } from "../store/collection.js";

interface Agent extends StoredRecord {
  readonly cluster_id: string | null;
  readonly cluster_queue_id: string | null;
  readonly created_by: string;
}

interface Shown {
  /** Address of its build, from the organization's. */
  readonly build_path: string;
  /** True if the build is in a list. */
  readonly is_listed: boolean;
}

const agentPath = ({ id }: StoredRecord) => `/agents/${id}`;

/** What an agent shows of itself, and a job of its agent where a single build is shown. */
export const agentFields = {
  id: model.uuid,
  graphql_id: model.graphqlId("Agent"),
  url: model.apiUrl(agentPath),
  web_url: model.webUrl(agentPath),
  name: z.string(),
  connection_state: z.string(),
  hostname: z.string(),
  ip_address: z.string(),
  user_agent: z.string(),
};
export const agentOrigin = {
  creator: model.derived(model.user.schema, ({ created_by }: { readonly created_by: string }, view) =>
    model.user.show(created_by, view),
  ),
  created_at: model.timestamp,
};

const { id, url, name } = agentFields;
const inBrief = { id, url, name };
const shortAgent = model.entity<Agent>("ShortJobAgent", inBrief);
const fullAgent = model.entity<Agent>("JobAgent", { ...inBrief, ...agentFields, ...agentOrigin });

/** Where a job is to run. */
interface Placed {
  /** The tags that its agent must have. */
  readonly rules: readonly string[];
  /** Its pipeline's cluster. */
  readonly home_cluster_id: string | null;
  /** The queue of the agent that took it. */
  readonly ran_in_queue_id: string | null;
}

interface Job extends StoredRecord, Placed {
  readonly agent_id: string | null;
}

/** Returns the queue a job is for: the one that its rules name, else the default queue of its cluster. */
export function wantedQueue(
  data: OrganizationData,
  { rules, home_cluster_id: home }: Placed,
): RecordIn<"queues"> | undefined {
  if (home === null) return undefined;
  const key = rules.find((rule) => rule.startsWith("queue="))?.slice("queue=".length);
  if (key === undefined) return data.queues.get(data.clusters.get(home)?.default_queue_id ?? "");
  return data.queues.list("cluster_id", home).find((queue) => queue.key === key);
}

const clusterOf = (job: Job, view: model.View) => agentOf(job, view)?.cluster_id ?? job.home_cluster_id;

const queueOf = (job: Job, view: model.View) => {
  const ran = job.ran_in_queue_id ?? agentOf(job, view)?.cluster_queue_id;
  if (ran != null || view.variations.waitingJobQueue === "absent") return ran ?? null;
  return wantedQueue(view.data, job)?.id ?? null;
};

const agentOf = ({ agent_id }: Job, { data }: model.View): Agent | undefined =>
  data.agents.get(agent_id ?? "");

export function buildPath({ slug }: { readonly slug: string }, { number }: { readonly number: number }) {
  return `/pipelines/${slug}/builds/${number}`;
}

const urlOf = (suffix: string) =>
  model.apiUrl(({ id, build_path }: StoredRecord & Shown) => `${build_path}/jobs/${id}/${suffix}`);

const step = z.object({
  id: model.uuid,
  signature: z.object({ value: z.string(), algorithm: z.string(), signed_fields: z.array(z.string()) }),
});

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("JobTypeCommand"),
  type: model.derived(z.string(), () => "script"),
  name: z.string(),
  step_key: z.string(),
  step: model.derived(step, ({ step_id, step_key }: { step_id: string; step_key: string }) => ({
    id: step_id,
    signature: { value: `unsigned-${step_key}`, algorithm: "none", signed_fields: ["command"] },
  })),
  agent_query_rules: model.derived(z.array(z.string()), ({ rules }: Placed) => [...rules]),
  state: z.string(),
  web_url: model.webUrl(({ build_path }: Shown) => build_path),
  log_url: urlOf("log"),
  raw_log_url: urlOf("log.txt"),
  command: z.string(),
  soft_failed: z.boolean(),
  exit_status: z.int().nullable(),
  artifact_paths: model.derived(z.string(), () => ""),
  agent: model.derived(
    fullAgent.schema.partial().required({ id: true, url: true, name: true }).nullable(),
    (job: Job & Shown, view) => {
      const agent = agentOf(job, view);
      return agent === undefined ? null : (job.is_listed ? shortAgent : fullAgent).show(view, agent);
    },
  ),
  created_at: model.timestamp,
  scheduled_at: model.timestamp,
  runnable_at: model.timestamp.nullable(),
  started_at: model.timestamp.nullable(),
  finished_at: model.timestamp.nullable(),
  retried: z.boolean(),
  retried_in_job_id: model.uuid.nullable(),
  retries_count: z.int().nullable(),
  retry_type: z.string().nullable(),
  parallel_group_index: model.derived(z.int().nullable(), () => null),
  parallel_group_total: model.derived(z.int().nullable(), () => null),
  matrix: model.derived(z.null(), () => null),
  cluster_id: model.derived(model.uuid.nullable(), clusterOf),
  cluster_url: model.apiUrlOrNull((job: Job, view) => {
    const cluster = clusterOf(job, view);
    return cluster && `/clusters/${cluster}`;
  }),
  cluster_queue_id: model.derived(model.uuid.nullable(), queueOf),
  cluster_queue_url: model.apiUrlOrNull((job: Job, view) => {
    const [cluster, queue] = [clusterOf(job, view), queueOf(job, view)];
    return cluster && queue && `/clusters/${cluster}/queues/${queue}`;
  }),
};

/** One execution of a step, kept inside its build. */
export interface JobRecord extends model.RecordOf<typeof fields>, Placed {
  readonly step_id: string;
  readonly agent_id: string | null;
}

export const job = model.entity<JobRecord & Shown>("Job", fields);

export const agentJob = model.entity<JobRecord & Shown>("AgentJob", {
  ...fields,
  artifacts_url: urlOf("artifacts"),
  script_path: model.derived(z.string(), ({ command }: { command: string }) => command),
});

export function showAgentJob(view: model.View, jobId: string | null): Record<string, unknown> | null {
  const build = jobId === null ? undefined : buildOfJob(view.data, jobId);
  const record = build?.jobs.find(({ id }) => id === jobId);
  const pipeline = build && view.data.pipelines.get(build.pipeline_id);
  if (record === undefined || build === undefined || pipeline === undefined) return null;
  return agentJob.show(view, { ...record, build_path: buildPath(pipeline, build), is_listed: true });
}

export function buildOfJob(data: OrganizationData, jobId: string): RecordIn<"builds"> | undefined {
  return data.builds.list().find(({ jobs }) => jobs.some(({ id }) => id === jobId));
}
