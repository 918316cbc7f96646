import { isUnderway, renderedConfiguration } from "../pipelines/record.js";
import { jobSteps } from "../pipelines/steps.js";
import type { OrganizationData, RecordIn } from "../store/collection.js";
import { buildOfJob, type JobRecord, wantedQueue } from "./jobs.js";

type BuildRecord = RecordIn<"builds">;

const finishedJobs = ["passed", "failed", "canceled", "skipped", "timed_out", "expired"];

const waiting = {
  state: "scheduled",
  exit_status: null,
  agent_id: null,
  ran_in_queue_id: null,
  started_at: null,
  finished_at: null,
} as const;

/** What a new build has of its pipeline and of the moment: state `scheduled`, with a job for each step. */
function fresh(data: OrganizationData, pipeline: RecordIn<"pipelines">, now: string, newId: () => string) {
  const configuration = renderedConfiguration(data, pipeline);
  const steps = configuration === null ? [] : jobSteps(configuration);
  return {
    id: newId(),
    pipeline_id: pipeline.id,
    number: pipeline.last_build_number + 1,
    state: "scheduled",
    blocked: false,
    cancel_reason: null,
    jobs: steps.map(({ key, name, command, agents = [] }) => ({
      ...waiting,
      id: newId(),
      step_id: newId(),
      step_key: key,
      name,
      command,
      soft_failed: false,
      retried: false,
      retried_in_job_id: null,
      retries_count: null,
      retry_type: null,
      rules: [...agents],
      home_cluster_id: pipeline.cluster_id,
      created_at: now,
      scheduled_at: now,
      runnable_at: now,
    })),
    created_at: now,
    scheduled_at: now,
    started_at: null,
    finished_at: null,
  };
}

export function scheduleBuild(
  data: OrganizationData,
  pipelineId: string,
  content: Omit<BuildRecord, keyof ReturnType<typeof fresh>>,
  now: string,
  newId: () => string = () => crypto.randomUUID(),
): BuildRecord {
  const pipeline = data.pipelines.get(pipelineId);
  if (pipeline === undefined) throw new Error(`There is no pipeline ${pipelineId}.`);
  const build = data.builds.insert({ ...content, ...fresh(data, pipeline, now, newId) });
  data.pipelines.update(pipeline.id, { last_build_number: build.number });
  return build;
}

export function cancelBuild(
  data: OrganizationData,
  build: BuildRecord,
  reason: string,
  now: string,
): BuildRecord {
  const canceled = moveBuild(data, build, "canceled", now);
  return data.builds.update(canceled.id, { cancel_reason: reason });
}

export function moveBuild(
  data: OrganizationData,
  build: BuildRecord,
  state: string,
  now: string,
): BuildRecord {
  const open = build.jobs.filter(isOpen);
  const running = open.filter((job) => job.state === "running");
  const first = [...running, ...open].slice(0, 1);
  const moved = (which: readonly JobRecord[], jobState: string, all = build.jobs) =>
    all.map((job) => (which.includes(job) ? movedJob(data, job, jobState, now) : job));
  const update = (fields: Partial<BuildRecord>) =>
    data.builds.update(build.id, { state, blocked: false, ...fields });
  const begun = { started_at: build.started_at ?? now, finished_at: null };
  const done = { started_at: build.started_at ?? now, finished_at: now };
  switch (state) {
    case "running":
      return update({ ...begun, jobs: moved(first, "running") });
    case "failing":
      return update({ ...begun, jobs: moved(first, "failed") });
    case "passed":
      return update({ ...done, jobs: moved(open, "passed") });
    case "failed": {
      const hasFailed = build.jobs.some((job) => job.state === "failed");
      const jobs = hasFailed ? build.jobs : moved(first, "failed");
      return update({ ...done, jobs: moved(jobs.filter(isOpen), "canceled", jobs) });
    }
    case "canceled":
      return update({ finished_at: now, jobs: moved(open, "canceled") });
    case "blocked": {
      // A blocked build keeps its last state value; what ran until the block has passed.
      const last = isUnderway(build) ? "passed" : build.state;
      return update({ ...done, state: last, blocked: true, jobs: moved(running, "passed") });
    }
    case "scheduled":
      return update({ started_at: null, finished_at: null });
    default:
      return data.builds.update(build.id, { state });
  }
}

export function moveJob(
  data: OrganizationData,
  jobId: string,
  state: string,
  now: string,
  agentId?: string,
): BuildRecord {
  const build = buildOfJob(data, jobId);
  if (build === undefined) throw new Error(`There is no job ${jobId}.`);
  const jobs = build.jobs.map((job) => (job.id === jobId ? movedJob(data, job, state, now, agentId) : job));
  const current = jobs.filter((job) => !job.retried);
  const failed = current.some((job) => job.state === "failed" && !job.soft_failed);
  const started_at = build.started_at ?? (current.some((job) => job.started_at !== null) ? now : null);
  if (current.every((job) => !isOpen(job))) {
    const canceled = current.some((job) => job.state === "canceled");
    const ended = failed ? "failed" : canceled ? "canceled" : "passed";
    return data.builds.update(build.id, { jobs, state: ended, started_at, finished_at: now });
  }
  const going = failed ? "failing" : started_at === null ? "scheduled" : "running";
  return data.builds.update(build.id, { jobs, state: going, started_at, finished_at: null });
}

export function retryJob(data: OrganizationData, jobId: string, now: string): BuildRecord {
  const build = buildOfJob(data, jobId);
  const job = build?.jobs.find(({ id }) => id === jobId);
  if (build === undefined || job === undefined) throw new Error(`There is no job ${jobId}.`);
  if (isOpen(job)) throw new Error("Only a finished job can be retried.");
  const again: JobRecord = {
    ...job,
    ...waiting,
    id: crypto.randomUUID(),
    retries_count: (job.retries_count ?? 0) + 1,
    created_at: now,
    scheduled_at: build.created_at,
    runnable_at: now,
  };
  const old = { ...job, retried: true, retried_in_job_id: again.id, retry_type: "manual" };
  const jobs = [...build.jobs.map((candidate) => (candidate.id === jobId ? old : candidate)), again];
  return data.builds.update(build.id, { jobs, state: "running", finished_at: null });
}

function movedJob(
  data: OrganizationData,
  job: JobRecord,
  state: string,
  now: string,
  agentId?: string,
): JobRecord {
  if (state === "running") {
    const agent_id = job.agent_id ?? agentId ?? idleAgentFor(data, job)?.id ?? null;
    const agent = data.agents.get(agent_id ?? "");
    if (agent !== undefined) data.agents.update(agent.id, { job_id: job.id });
    const place = agent && { ran_in_queue_id: agent.cluster_queue_id };
    return { ...job, ...place, state, agent_id, started_at: job.started_at ?? now, finished_at: null };
  }
  if (!finishedJobs.includes(state)) return { ...job, state };
  const agent = data.agents.get(job.agent_id ?? "");
  if (agent?.job_id === job.id) data.agents.update(agent.id, { job_id: null, last_job_finished_at: now });
  const ran = state === "passed" || state === "failed";
  return {
    ...job,
    state,
    exit_status: ran ? Number(state === "failed") : job.exit_status,
    started_at: ran ? (job.started_at ?? now) : job.started_at,
    finished_at: now,
  };
}

/** A job outside of clusters takes any agent: nothing says where it belongs. */
function idleAgentFor(data: OrganizationData, job: JobRecord): RecordIn<"agents"> | undefined {
  const queue = wantedQueue(data, job);
  const idle = data.agents.list("connection_state", "connected").filter(({ job_id }) => job_id === null);
  if (job.home_cluster_id === null) return idle[0];
  return queue && idle.find((agent) => agent.cluster_queue_id === queue.id);
}

function isOpen(job: JobRecord): boolean {
  return !job.retried && !finishedJobs.includes(job.state);
}
