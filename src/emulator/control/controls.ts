import { randomBytes, randomUUID } from "node:crypto";
import type { BuildReference, Emulator } from "../emulator.js";
import type { AccessTokenRecord, BuildRecord, RunRecord } from "../store/records.js";
import type { Store } from "../store/store.js";
import { moveBuild, moveJob, retryJob } from "./build-progress.js";
import { expireRun, finishRun, uploadResults } from "./run-progress.js";

/** The part of the emulator that does what agents, colleagues and the service's machinery would do. */
export type Controls = Pick<
  Emulator,
  | "createAccessToken"
  | "revokeAccessToken"
  | "addMember"
  | "createPipeline"
  | "moveBuild"
  | "moveJob"
  | "retryJob"
  | "connectAgent"
  | "disconnectAgent"
  | "createRun"
  | "uploadResults"
  | "finishRun"
  | "expireRun"
>;

/** Makes the controls over a store. Each call is one transaction. */
export function controlsOf(store: Store, clock: () => Date): Controls {
  const { data } = store;
  const now = () => clock().toISOString();
  const change = <T>(work: () => T): T => store.transaction(work);

  const owner = (): AccessTokenRecord => {
    const token = data.accessTokens.list().find(({ purpose }) => purpose === "full");
    if (token === undefined) throw new Error("The organization has lost its own access token.");
    return token;
  };
  const findBuild = (reference: BuildReference): BuildRecord => {
    if (typeof reference === "string") return need(data.builds.get(reference), `build ${reference}`);
    const pipeline = need(data.pipelines.find("slug", reference.pipeline), `pipeline ${reference.pipeline}`);
    const builds = data.builds.list("pipeline_id", pipeline.id);
    return need(
      builds.find(({ number }) => number === reference.number),
      `build ${reference.number}`,
    );
  };
  const buildOfJob = (jobId: string): BuildRecord =>
    need(
      data.builds.list().find(({ jobs }) => jobs.some(({ id }) => id === jobId)),
      `job ${jobId}`,
    );
  const findRun = (id: string): RunRecord => need(data.runs.get(id), `run ${id}`);

  return {
    createAccessToken: ({ scopes, userId, admin = true }) => {
      const token = `bpua_${randomBytes(20).toString("hex")}`;
      const user_id = userId ?? owner().user_id;
      need(data.users.get(user_id), `user ${user_id}`);
      data.accessTokens.insert({
        id: randomUUID(),
        token,
        scopes: [...scopes],
        user_id,
        admin,
        purpose: null,
        revoked_at: null,
      });
      return token;
    },
    revokeAccessToken: (secret) => {
      const token = need(data.accessTokens.find("token", secret), "access token with this secret");
      data.accessTokens.update(token.id, { revoked_at: now() });
    },
    addMember: ({ name, email }) =>
      data.users.insert({ id: randomUUID(), name, email, member: true, created_at: now() }),

    createPipeline: (pipeline) => {
      if (data.pipelines.find("slug", pipeline.slug) !== undefined) {
        throw new Error(`There is a pipeline ${pipeline.slug} already.`);
      }
      return data.pipelines.insert({
        id: randomUUID(),
        slug: pipeline.slug,
        name: pipeline.name ?? pipeline.slug,
        repository: pipeline.repository ?? `https://git.example/${pipeline.slug}/${pipeline.slug}.git`,
        branch_configuration: pipeline.branchConfiguration ?? null,
        default_branch: pipeline.defaultBranch ?? "main",
        pipeline_template_id: pipeline.pipelineTemplateId ?? null,
        steps: pipeline.steps ?? [{ key: "test", name: "Test", command: "make test" }],
        last_build_number: 0,
        created_at: now(),
      });
    },
    moveBuild: (reference, state) => change(() => moveBuild(data, findBuild(reference), state, now())),
    moveJob: (jobId, state) => change(() => moveJob(data, buildOfJob(jobId), jobId, state, now())),
    retryJob: (jobId) => change(() => retryJob(data, buildOfJob(jobId), jobId, now())),

    connectAgent: (agent = {}) => {
      const known = agent.id === undefined ? undefined : data.agents.get(agent.id);
      const queue =
        agent.queueId === undefined
          ? undefined
          : need(data.queues.get(agent.queueId), `queue ${agent.queueId}`);
      const place = queue === undefined ? {} : { cluster_id: queue.cluster_id, cluster_queue_id: queue.id };
      if (known !== undefined) {
        return data.agents.update(known.id, { connection_state: "connected", ...place });
      }
      const name = agent.name ?? `agent-${data.agents.size + 1}`;
      return data.agents.insert({
        id: agent.id ?? randomUUID(),
        name,
        connection_state: "connected",
        hostname: agent.hostname ?? `${name}.internal`,
        ip_address: "192.0.2.99",
        user_agent: `build-agent/${agent.version ?? "3.90.0"} (linux; amd64)`,
        version: agent.version ?? "3.90.0",
        priority: agent.priority ?? null,
        meta_data: [...(agent.metaData ?? [`queue=${queue?.key ?? "default"}`])],
        cluster_id: null,
        cluster_queue_id: null,
        ...place,
        job_id: null,
        last_job_finished_at: null,
        created_at: now(),
        created_by: owner().user_id,
      });
    },
    disconnectAgent: (id) => {
      need(data.agents.get(id), `agent ${id}`);
      return data.agents.update(id, { connection_state: "disconnected", job_id: null });
    },

    createRun: (suiteSlug, run = {}) => {
      const suite = need(data.suites.find("slug", suiteSlug), `suite ${suiteSlug}`);
      return data.runs.insert({
        id: randomUUID(),
        suite_id: suite.id,
        build_id: run.buildId ?? null,
        branch: run.branch ?? suite.default_branch,
        commit_sha: run.commitSha ?? randomBytes(20).toString("hex"),
        state: "running",
        result: "pending",
        created_at: now(),
      });
    },
    uploadResults: (runId, results) => uploadResults(data, findRun(runId), results),
    finishRun: (runId) => finishRun(data, findRun(runId)),
    expireRun: (runId) => expireRun(data, findRun(runId)),
  };
}

function need<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new Error(`There is no ${what}.`);
  return found;
}
