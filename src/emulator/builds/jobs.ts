import { z } from "zod";
import { entity, type RecordOf, type View } from "../model/entity.js";
import * as field from "../model/fields.js";
import { user } from "../model/users.js";
import type { OrganizationData, RecordIn, StoredRecord } from "../store/collection.js";

/** Parts of a job's agent that are not shown as they are stored. */
interface Agent extends StoredRecord {
  readonly cluster_id: string | null;
  readonly cluster_queue_id: string | null;
  readonly created_by: string;
}

/** Where a job is shown. */
interface Shown {
  /** Address of its build, from the organization's. */
  readonly build_path: string;
  /** True if the build is in a list. */
  readonly is_listed: boolean;
}

const shortAgentFields = {
  id: field.uuid,
  url: field.apiUrl(({ id }: Agent) => `/agents/${id}`),
  name: z.string(),
};

const shortAgent = entity<Agent>("ShortJobAgent", shortAgentFields);
const fullAgent = entity<Agent>("JobAgent", {
  ...shortAgentFields,
  graphql_id: field.graphqlId("Agent"),
  web_url: field.webUrl(({ id }: Agent) => `/agents/${id}`),
  connection_state: z.string(),
  hostname: z.string(),
  ip_address: z.string(),
  user_agent: z.string(),
  creator: field.derived(user.schema, ({ created_by }: Agent, view) => user.show(created_by, view)),
  created_at: field.timestamp,
});

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

const clusterOf = (job: Job, view: View) => agentOf(job, view)?.cluster_id ?? job.home_cluster_id;

const queueOf = (job: Job, view: View) => {
  const ran = job.ran_in_queue_id ?? agentOf(job, view)?.cluster_queue_id;
  if (ran != null || view.variations.waitingJobQueue === "absent") return ran ?? null;
  return wantedQueue(view.data, job)?.id ?? null;
};

const agentOf = ({ agent_id }: Job, { data }: View): Agent | undefined => data.agents.get(agent_id ?? "");

export function buildPath({ slug }: { readonly slug: string }, { number }: { readonly number: number }) {
  return `/pipelines/${slug}/builds/${number}`;
}

const urlOf = (suffix: string) =>
  field.apiUrl(({ id, build_path }: StoredRecord & Shown) => `${build_path}/jobs/${id}/${suffix}`);

const step = z.object({
  id: field.uuid,
  signature: z.object({ value: z.string(), algorithm: z.string(), signed_fields: z.array(z.string()) }),
});

const fields = {
  id: field.uuid,
  graphql_id: field.graphqlId("JobTypeCommand"),
  type: field.derived(z.string(), () => "script"),
  name: z.string(),
  step_key: z.string(),
  step: field.derived(step, ({ step_id, step_key }: { step_id: string; step_key: string }) => ({
    id: step_id,
    signature: { value: `unsigned-${step_key}`, algorithm: "none", signed_fields: ["command"] },
  })),
  agent_query_rules: field.derived(z.array(z.string()), ({ rules }: Placed) => [...rules]),
  state: z.string(),
  web_url: field.webUrl(({ build_path }: Shown) => build_path),
  log_url: urlOf("log"),
  raw_log_url: urlOf("log.txt"),
  command: z.string(),
  soft_failed: z.boolean(),
  exit_status: z.int().nullable(),
  artifact_paths: field.derived(z.string(), () => ""),
  agent: field.derived(
    fullAgent.schema.partial().required({ id: true, url: true, name: true }).nullable(),
    (job: Job & Shown, view) => {
      const agent = agentOf(job, view);
      // Little in lists, more where a single build is shown.
      return agent === undefined ? null : (job.is_listed ? shortAgent : fullAgent).show(view, agent);
    },
  ),
  created_at: field.timestamp,
  scheduled_at: field.timestamp,
  runnable_at: field.timestamp.nullable(),
  started_at: field.timestamp.nullable(),
  finished_at: field.timestamp.nullable(),
  retried: z.boolean(),
  retried_in_job_id: field.uuid.nullable(),
  retries_count: z.int().nullable(),
  retry_type: z.string().nullable(),
  parallel_group_index: field.derived(z.int().nullable(), () => null),
  parallel_group_total: field.derived(z.int().nullable(), () => null),
  matrix: field.derived(z.null(), () => null),
  cluster_id: field.derived(field.uuid.nullable(), clusterOf),
  cluster_url: field.apiUrlOrNull((job: Job, view) => {
    const cluster = clusterOf(job, view);
    return cluster && `/clusters/${cluster}`;
  }),
  cluster_queue_id: field.derived(field.uuid.nullable(), queueOf),
  cluster_queue_url: field.apiUrlOrNull((job: Job, view) => {
    const [cluster, queue] = [clusterOf(job, view), queueOf(job, view)];
    return cluster && queue && `/clusters/${cluster}/queues/${queue}`;
  }),
};

/** One execution of a step, kept inside its build. */
export interface JobRecord extends RecordOf<typeof fields>, Placed {
  readonly step_id: string;
  readonly agent_id: string | null;
}

export const job = entity<JobRecord & Shown>("Job", fields);

/** A job as an agent shows it: with its artifacts and its script. */
export const agentJob = entity<JobRecord & Shown>("AgentJob", {
  ...fields,
  artifacts_url: urlOf("artifacts"),
  script_path: field.derived(z.string(), ({ command }: { command: string }) => command),
});

export function showAgentJob(view: View, jobId: string | null): Record<string, unknown> | null {
  const build = jobId === null ? undefined : buildOfJob(view.data, jobId);
  const record = build?.jobs.find(({ id }) => id === jobId);
  const pipeline = build && view.data.pipelines.get(build.pipeline_id);
  if (record === undefined || build === undefined || pipeline === undefined) return null;
  return agentJob.show(view, { ...record, build_path: buildPath(pipeline, build), is_listed: true });
}

export function buildOfJob(data: OrganizationData, jobId: string): RecordIn<"builds"> | undefined {
  return data.builds.list().find(({ jobs }) => jobs.some(({ id }) => id === jobId));
}
