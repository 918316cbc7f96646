import { deletionDoubts } from "../drain/connected-agents.js";
import { Drain } from "../drain/drain.js";
import {
  type DrainResult,
  endInWords,
  howToResume,
  loadInWords,
  othersPauseInWords,
  stillPausedInWords,
} from "../drain/ends.js";
import { type FoundQueue, findQueues, placeOf, requireUnmanaged } from "../drain/find-queues.js";
import { queuesThatDisappear } from "../drain/of-preview.js";
import { resumeQueues } from "../drain/pause.js";
import { PauseRecord, resumeRecorded } from "../drain/record.js";
import { readPreview } from "../shared/pulumi/preview.js";
import { stateOf } from "../shared/pulumi/stack-export.js";
import { connect } from "../shared/terminal/connection.js";
import { MOST_BUILDS } from "../shared/workload/job.js";
import { staleness } from "./basis.js";
import { DeploymentLog } from "./deployment-log.js";
import { install, type Job } from "./job.js";
import { failure, type Outcome, succeeded } from "./outcome.js";

export interface DeployOptions {
  /** Deploy although agents are connected that may keep a queue from being deleted. */
  readonly allowRefused: boolean;
  readonly drainMs: number;
  readonly intervalMs: number;
}

const waits = (reason: string): Outcome => ({
  end: "waits",
  reason,
  next: "Run `buildpipeline ci preview` again, read its report, and deploy the new plan.",
});

/** Deploys the plan of one stack, and nothing else. Queues that it deletes or replaces are emptied first. */
export async function deployStack(job: Job, options: DeployOptions): Promise<Outcome> {
  const { results, shared, project, log } = job;
  if (results.has("drained")) await connected(job, (connection) => resume(job, connection));
  const isComplete = (["plan", "preview", "report"] as const).every((file) => results.has(file));
  const planned = isComplete ? await results.outcome() : undefined;
  if (planned === undefined || !succeeded(planned))
    return waits("There is no plan with a report: its preview failed, or nobody has seen it.");
  if (planned.commit) log(`The plan is of commit ${planned.commit}.`);
  const state = await stateOf(project);
  const stale = await staleness(planned, shared.repository, state);
  if (stale !== undefined) return waits(stale);
  await install(job);
  const preview = readPreview(JSON.parse(await results.read("preview")));
  const ids = queuesThatDisappear(preview, state).flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return up(job);

  return connected(job, async (connection) => {
    let drained: DrainResult | undefined;
    const before = async (): Promise<Outcome | undefined> => {
      const { found } = await findQueues(connection.client, [], ids);
      // A queue that is paused already needs only the wait, whoever manages its pausing.
      requireUnmanaged(
        found.filter(({ queue }) => !queue.dispatch_paused),
        state.resources,
      );
      drained = await drainFor(job, connection, found, options);
      if (drained.end !== "drained") return notDrained(drained);
      // Both are read right before, because draining takes time.
      const { client, traffic } = connection;
      const doubts = await deletionDoubts(client, drained.queues, () => traffic.serviceTime());
      for (const { message } of doubts) log(message);
      const known = doubts.filter((doubt) => doubt.known && !options.allowRefused);
      if (known.length > 0)
        return {
          end: "refused",
          reason: known.map(({ message }) => message).join(" "),
          next: "Nothing was deployed. Stop the agents, or give --allow-refused.",
        };
      const stale = await staleness(planned, shared.repository, await stateOf(project));
      return stale === undefined ? undefined : waits(stale);
    };
    const outcome = (await before().catch(failure)) ?? (await up(job).catch(failure));
    if (outcome.end === "deployed") {
      results.remove("drained");
      return outcome;
    }
    const queues = drained?.queues ?? [];
    const others = queues.filter(({ pause }) => pause === undefined);
    const howTo = howToResume([], results.path("drained"));
    const left =
      outcome.next !== LOCKED
        ? await resume(job, connection)
        : others.length < queues.length &&
          `Queues that this run paused stay paused, because the other one may delete them. ${howTo}`;
    // Reads them again, because the deployment may have deleted some.
    const now = await resumeQueues(connection.client, others, () => false);
    const foreign = now.filter(({ became }) => became === "left").map(othersPauseInWords);
    return { ...outcome, next: [outcome.next, left, ...foreign].filter(Boolean).join(" ") || undefined };
  });
}

type Connected = Awaited<ReturnType<typeof connect>>;

async function connected<Result>(
  { project: { stack, directory, environment } }: Job,
  work: (connection: Connected) => Promise<Result>,
): Promise<Result> {
  const connection = await connect(stack, directory, environment);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Pauses queues and waits until no job runs in them. What it pauses is in the record before. */
function drainFor(
  { stack, results, shared, log }: Job,
  { client, origin, traffic }: Connected,
  found: readonly FoundQueue[],
  { drainMs, intervalMs }: DeployOptions,
) {
  return new Drain(client, {
    interrupted: shared.children.interrupted,
    reason: `deployment of ${stack.project}/${stack.stack}`,
    timeoutMs: drainMs,
    intervalMs,
    mostBuilds: MOST_BUILDS,
    now: () => traffic.serviceTime(),
    record: new PauseRecord(results.path("drained"), origin, client.organization),
    onLook: (queues) => log(`Draining ${loadInWords(queues)}`),
    onRemark: log,
  }).run(found);
}

/**
 * Resumes exactly the pauses in the record, those of an earlier run that was killed among them.
 *
 * @returns what is left to do; undefined if nothing is
 */
async function resume({ results, log }: Job, { client, origin }: Connected): Promise<string | undefined> {
  if (!results.has("drained")) return undefined;
  const { resumed, unread } = await resumeRecorded(client, origin, await results.read("drained"));
  for (const { reason, became, ...one } of resumed)
    log(`${placeOf(one)}: ${became}${reason === undefined ? "" : ` (${reason})`}.`);
  const left = stillPausedInWords(resumed, results.path("drained"));
  if (unread.length > 0)
    return `Lines ${unread.join(", ")} of ${results.path("drained")} can't be read. Look for paused queues.`;
  if (left === undefined) results.remove("drained");
  return left;
}

function notDrained(drained: DrainResult): Outcome {
  if (drained.end === "interrupted")
    return {
      end: "interrupted",
      reason: "A signal stopped it before anything was deployed.",
      next: "Run it again.",
    };
  const reason = `${endInWords(drained)} ${loadInWords(drained.queues)}.`;
  return { end: "failed", reason, next: "Nothing was deployed. Run it again when the queues are idle." };
}

const LOCKED = "Wait until the other deployment ends.";

/** Carries out the plan. Pulumi previews once more and refuses a plan that doesn't fit before anything is sent. */
async function up(job: Job): Promise<Outcome> {
  const { interrupted } = job.shared.children;
  const log = new DeploymentLog(job.log);
  const args = ["up", "--yes", "--refresh", "--parallel", "32", "--json", "--plan", job.results.path("plan")];
  const { code } = await job.pulumi([...args, ...job.policies()], {
    // Without this, the preview in the deployment is one text.
    env: { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" },
    onLine: log.text,
    onEvent: log.event,
  });
  if (log.isRefused) return waits("The plan no longer fits. Nothing was deployed.");
  if (interrupted.aborted && code !== 0)
    return {
      end: "interrupted",
      reason: "A signal stopped the deployment, and Pulumi recorded what it had done.",
      next: "Run `buildpipeline recover`, then `buildpipeline ci preview` again.",
    };
  if (code === 0) return { end: "deployed" };
  const reason = log.errors[0] ?? `Pulumi ended with ${code}.`;
  if (log.isLocked) return { end: "failed", reason: "Another deployment of this stack runs.", next: LOCKED };
  return { end: "failed", reason, next: "Correct the cause, then run `buildpipeline ci preview` again." };
}
