import { insertAccessToken } from "./access-token.js";
import { insertAgent } from "./agents.js";
import { moveBuild, moveJob, retryJob } from "./builds/progress.js";
import { dispatchJobs, finishJobs } from "./builds/work.js";
import type { BuildReference, Emulator } from "./emulator.js";
import { answerTo, type EmulatedService, tokenOf } from "./http/service.js";
import { createPipeline } from "./pipelines/record.js";
import { insertRun } from "./runs.js";
import { operations } from "./sections.js";
import type { RecordIn } from "./store/collection.js";

/** What agents, colleagues and the service's machinery would do. Each call is one transaction. */
export function controlsOf(service: EmulatedService) {
  const { store, clock, requests, faults, listeners } = service;
  const { data } = store;
  const now = () => clock().toISOString();
  const change = <T>(work: () => T): T => store.transaction(work);

  const ownToken = () =>
    need(data.accessTokens.find("purpose", "full"), "access token of the emulator's own");
  const findBuild = (reference: BuildReference): RecordIn<"builds"> => {
    if (typeof reference === "string") return need(data.builds.get(reference), `build ${reference}`);
    const pipeline = need(data.pipelines.find("slug", reference.pipeline), `pipeline ${reference.pipeline}`);
    const builds = data.builds.list("pipeline_id", pipeline.id);
    const build = builds.find(({ number }) => number === reference.number);
    return need(build, `build ${reference.number}`);
  };
  const findRun = (id: string): RecordIn<"runs"> => need(data.runs.get(id), `run ${id}`);

  return {
    requests: requests.entries,
    clearRequests: () => requests.clear(),
    fault: (rule) => faults.inject(rule),
    onRequest: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    perform: (id, { params = {}, body: json, accessToken = ownToken().token } = {}) => {
      const operation = operations.find((candidate) => candidate.id === id);
      if (operation === undefined) throw new Error(`There is no operation ${id}.`);
      const all: Readonly<Record<string, string>> = {
        org_slug: need(data.organizations.list()[0], "organization").slug,
        ...params,
      };
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const value = all[name];
        if (value === undefined) throw new Error(`${id} needs the parameter ${name}.`);
        return encodeURIComponent(value);
      });
      const token = tokenOf(service, accessToken);
      const call = { operation, params: all, base: "http://localhost", path, query: "", token, json };
      const { status, body } = answerTo(service, call);
      return { status, body: body === null ? undefined : JSON.parse(body) };
    },
    finishLateWork: () => faults.catchUp(Number.POSITIVE_INFINITY),

    organizationData: data,
    createAccessToken: ({ scopes, userId = ownToken().user_id, expiresAt = null, ...given }) => {
      need(data.users.get(userId), `user ${userId}`);
      const { admin = true, seesSecretTeams = true, seesAllPipelines = true } = given;
      const rights = { admin, sees_secret_teams: seesSecretTeams, sees_all_pipelines: seesAllPipelines };
      const made = { user_id: userId, created_at: now(), expires_at: expiresAt };
      return insertAccessToken(data, { scopes: [...scopes], ...made, ...rights }).token;
    },
    revokeAccessToken: (secret) => {
      const token = need(data.accessTokens.find("token", secret), "access token with this secret");
      data.accessTokens.update(token.id, { revoked_at: now() });
    },
    addMember: ({ name, email }) =>
      data.users.insert({ id: crypto.randomUUID(), name, email, member: true, created_at: now() }),

    createPipeline: (pipeline) =>
      createPipeline(data, pipeline, { created_at: now(), created_by: ownToken().user_id }),
    moveBuild: (reference, state) => change(() => moveBuild(data, findBuild(reference), state, now())),
    moveJob: (jobId, state) => change(() => moveJob(data, jobId, state, now())),
    retryJob: (jobId) => change(() => retryJob(data, jobId, now())),
    dispatchJobs: () => change(() => dispatchJobs(data, now())),
    finishJobs: (which = {}) => change(() => finishJobs(data, which, now())),

    connectAgent: ({ id, name, queueId, metaData, token, ...given } = {}) => {
      const queue = queueId === undefined ? undefined : need(data.queues.get(queueId), `queue ${queueId}`);
      const secret = token === undefined ? undefined : data.agentTokens.find("token", token);
      if (token !== undefined) need(secret, "agent token with this secret");
      const place = {
        ...(secret && { cluster_id: secret.cluster_id }),
        ...(queue && { cluster_id: queue.cluster_id, cluster_queue_id: queue.id }),
      };
      const known = data.agents.get(id ?? "");
      if (known !== undefined) {
        const others = known.meta_data.filter((tag) => !tag.startsWith("queue="));
        const tags = metaData ?? (queue && [`queue=${queue.key}`, ...others]);
        const meta_data = tags && [...tags];
        return data.agents.update(known.id, { connection_state: "connected", ...place, meta_data });
      }
      return insertAgent(data, {
        ...(id !== undefined && { id }),
        name: name ?? `agent-${data.agents.size + 1}`,
        meta_data: [...(metaData ?? [`queue=${queue?.key ?? "default"}`])],
        created_at: now(),
        created_by: ownToken().user_id,
        ...given,
        ...place,
      });
    },
    disconnectAgent: (id) => {
      const agent = need(data.agents.get(id), `agent ${id}`);
      return data.agents.update(agent.id, { connection_state: "disconnected", job_id: null });
    },

    createRun: (suiteSlug, run = {}) => {
      const suite = need(data.suites.find("slug", suiteSlug), `suite ${suiteSlug}`);
      return insertRun(data, {
        suite_id: suite.id,
        build_id: run.buildId ?? null,
        branch: run.branch ?? suite.default_branch,
        ...(run.commitSha !== undefined && { commit_sha: run.commitSha }),
        created_at: now(),
      });
    },
    uploadResults: (runId, { passed = 0, failed = 0 }) => {
      const run = findRun(runId);
      if (passed + failed === 0) return run;
      // A failing test makes a run `failed` for good.
      const result = run.result === "failed" || failed > 0 ? "failed" : "passed";
      return data.runs.update(run.id, { state: "running", result });
    },
    finishRun: (runId) => data.runs.update(findRun(runId).id, { state: "finished" }),
    expireRun: (runId) => {
      const run = findRun(runId);
      return run.result === "pending" ? data.runs.update(run.id, { result: "stale" }) : run;
    },

    snapshot: () => store.snapshot(),
    restore: (snapshot) => store.restore(snapshot),
  } satisfies Partial<Emulator>;
}

export function need<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new Error(`There is no ${what}.`);
  return found;
}
