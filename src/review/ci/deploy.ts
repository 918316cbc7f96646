import { errorIn, isLock } from "../../cli/pulumi/engine-messages.js";
import { engineEvent } from "../../cli/pulumi/events.js";
import { PlanRefusal } from "../../cli/pulumi/plan-refusal.js";
import { readPreview } from "../../cli/pulumi/preview.js";
import { stateOf } from "../../cli/pulumi/stack-export.js";
import { type Connected, connected } from "../../cli/terminal/connection.js";
import { MOST_BUILDS } from "../../cli/workload/job.js";
import { oneLine } from "../../shared/messages/foreign-text.js";
import { counted } from "../../shared/messages/nouns.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { nameOfUrn, typeOfUrn } from "../../shared/protocol/urn.js";
import { Drain } from "../drain/drain.js";
import {
  type DrainResult,
  endInWords,
  howToResume,
  loadInWords,
  othersPauseInWords,
  stillPausedInWords,
} from "../drain/ends.js";
import { PauseRecord, resumeQueues, resumeRecorded } from "../drain/pause.js";
import {
  deletionDoubts,
  findQueues,
  placeOf,
  queuesThatDisappear,
  requireUnmanaged,
} from "../drain/queues.js";
import { listed, plainText } from "../plan/text.js";
import { install, type Job } from "./job.js";
import { failure, type JobOutcome, type Reason, reasonIn, staleness, succeeded } from "./outcome.js";

const waits = (reason: string): JobOutcome => ({
  end: "waits",
  reason,
  next: "Run `buildpipeline ci preview` again, read its report, and deploy the new plan.",
});

/** Deploys the plan of one stack, and nothing else. Queues that it deletes or replaces are emptied first. */
export async function deployStack(job: Job, allowRefused: boolean, timeoutMs: number): Promise<JobOutcome> {
  const { results, shared, project, log } = job;
  if (results.has("drained")) {
    const left = await connected(project, (connection) => resume(job, connection));
    if (left !== undefined) return { end: "failed", reason: left };
  }
  if (job.stack.affected === null) return { end: "unchanged", reason: "The change doesn't affect it." };
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
  const deployment = new DeploymentLog(new PlanRefusal(log));
  if (ids.length === 0) return up(job, deployment);

  return connected(project, async (connection) => {
    const { client, origin, traffic } = connection;
    const now = () => traffic.serviceTime();
    let drained: DrainResult | undefined;
    const before = async (): Promise<JobOutcome | undefined> => {
      const { found } = await findQueues(client, [], ids);
      // A queue that is paused already needs only the wait, whoever manages its pausing.
      const unpaused = found.filter(({ queue }) => !queue.dispatch_paused);
      requireUnmanaged(unpaused, state.resources);
      drained = await new Drain(client, {
        timeoutMs,
        intervalMs: 10_000,
        interrupted: shared.interrupted,
        reason: `deployment of ${job.stack.project}/${job.stack.stack}`,
        mostBuilds: MOST_BUILDS,
        now,
        record: new PauseRecord(results.path("drained"), origin, client.organization),
        onLook: (load) => log(`Draining ${load}`),
        onRemark: log,
      }).run(found);
      if (drained.end !== "drained") return notDrained(drained);
      // Both are read right before, because draining takes time.
      const doubts = await deletionDoubts(client, drained.queues, now);
      for (const { message } of doubts) log(message);
      const known = doubts.filter((doubt) => doubt.known && !allowRefused);
      if (known.length > 0)
        return {
          end: "refused",
          reason: known.map(({ message }) => message).join(" "),
          next: "Nothing was deployed. Stop the agents, or give --allow-refused.",
        };
      const stale = await staleness(planned, shared.repository, await stateOf(project));
      return stale === undefined ? undefined : waits(stale);
    };
    const failed = (error: unknown) => failure(error, shared.interrupted);
    const outcome = (await before().catch(failed)) ?? (await up(job, deployment).catch(failed));
    if (outcome.end === "deployed") {
      results.remove("drained");
      return outcome;
    }
    const queues = drained?.queues ?? [];
    const others = queues.filter(({ pause }) => pause === undefined);
    const howTo = howToResume([], results.path("drained"));
    const left =
      deployment.isLocked && others.length < queues.length
        ? `Queues that this run paused stay paused, because the other one may delete them. ${howTo}`
        : !deployment.isLocked && (await resume(job, connection));
    // Reads them again, because the deployment may have deleted some.
    const read = await resumeQueues(client, others, () => false);
    const foreign = read.filter(({ became }) => became === "left").map(othersPauseInWords);
    return { ...outcome, next: [outcome.next, left, ...foreign].filter(Boolean).join(" ") || undefined };
  });
}

/** Resumes the pauses in the record, also those of an earlier run that was killed. @returns what is left to do */
async function resume({ results, log }: Job, { client, origin }: Connected): Promise<string | undefined> {
  if (!results.has("drained")) return undefined;
  const { resumed, unread } = await resumeRecorded(client, origin, await results.read("drained"));
  for (const { reason, became, ...one } of resumed)
    log(`${placeOf(one)}: ${became}${reason === undefined ? "" : ` (${reason})`}.`);
  const left = stillPausedInWords(resumed, results.path("drained"));
  if (unread.length > 0)
    return `Lines ${unread.join(", ")} of ${results.path("drained")} can't be read. Look for paused queues, then remove the file.`;
  if (left === undefined) results.remove("drained");
  return left;
}

function notDrained(drained: DrainResult): JobOutcome {
  if (drained.end === "interrupted")
    return {
      end: "interrupted",
      reason: "A signal stopped it before anything was deployed.",
      next: "Run it again.",
    };
  const reason = `${endInWords(drained)} ${loadInWords(drained.queues)}.`;
  return { end: "failed", reason, next: "Nothing was deployed. Run it again when the queues are idle." };
}

/** Carries out the plan. Pulumi previews once more and refuses a plan that doesn't fit before anything is sent. */
async function up(job: Job, log: DeploymentLog): Promise<JobOutcome> {
  const args = ["up", "--yes", "--refresh", "--parallel", "32", "--json", "--plan", job.results.path("plan")];
  const { code } = await job.pulumi([...args, ...job.policyArguments()], {
    // Without this, the preview in the deployment is one text.
    env: { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" },
    onLine: log.line,
    onOutput: log.event,
  });
  if (code === 0) return { end: "deployed" };
  if (log.refusal.isRefused && !log.hasBegun) return waits("The plan no longer fits. Nothing was deployed.");
  if (log.isLocked)
    return {
      end: "failed",
      reason: `Another deployment of this stack runs, or a killed one left its lock: \`${job.recovery}\` shows which.`,
      next: "Wait until the other deployment ends.",
    };
  const unfinished = await unfinishedIn(job, code);
  const preview = "`buildpipeline ci preview` again.";
  const next = (otherwise: string) =>
    unfinished === undefined ? `${otherwise} ${preview}` : `Run \`${job.recovery}\`, and then ${preview}`;
  if (job.shared.interrupted.aborted)
    return {
      end: "interrupted",
      reason: `A signal stopped the deployment. ${unfinished ?? "The state has everything that it did."}`,
      next: next("Nothing is left to recover. Run"),
    };
  const { reason, ...codeOf } = log.refusal.isRefused
    ? { reason: "The plan no longer fits, after a part of it was deployed." }
    : (log.errors[0] ?? { reason: `Pulumi ended with ${code}.` });
  return {
    end: "failed",
    ...codeOf,
    reason: unfinished === undefined ? reason : `${asSentence(reason)} ${asSentence(unfinished)}`,
    next: next("Correct the cause, then run"),
  };
}

function asSentence(text: string): string {
  return text.replace(/[.\s]*$/, ".");
}

/** Reads the state after Pulumi has ended. @returns what it began and didn't record, or why that isn't known */
async function unfinishedIn({ project }: Job, code: number): Promise<string | undefined> {
  try {
    const { interrupted } = await stateOf(project);
    const begun = interrupted.map(({ operation, urn }) => inWords({ op: operation, urn }));
    if (begun.length > 0) return `The state lacks the end of ${plainText(listed(begun))}.`;
  } catch (error) {
    return `What the state has is unknown: ${messageOf(error)}`;
  }
  // It ended by a signal, so it may not have released the stack.
  return code > 128 && code < 160 ? "Pulumi was killed, so the stack may stay locked." : undefined;
}

/** Steps that change nothing outside of the state. */
export const QUIET = new Set(["same", "refresh", "read", "read-replacement", "discard"]);

/** Turns the engine's events into lines that say what a deployment did, without what didn't change and without secrets. */
class DeploymentLog {
  readonly errors: Reason[] = [];
  /** A step that changes something outside of the state began, so that something may have been deployed. */
  hasBegun = false;
  #saysLocked = false;

  constructor(readonly refusal: PlanRefusal) {}

  /** Another deployment of the stack runs. */
  get isLocked(): boolean {
    return this.#saysLocked && !this.hasBegun;
  }

  /** Takes a line that Pulumi prints outside of its events. */
  readonly line = (line: string): void => {
    const error = errorIn(line);
    if (error !== undefined) this.errors.push(reasonIn(error));
    this.#saysLocked ||= error !== undefined && isLock(error);
    this.refusal.add(line);
  };

  readonly event = (line: string): void => {
    const event = eventIn(line);
    if (event === undefined) return;
    const { resOutputsEvent: done, resOpFailedEvent: failed, diagnosticEvent, summaryEvent: summary } = event;
    const { resourcePreEvent: begun, policyEvent: policy } = event;
    this.hasBegun ||= begun !== undefined && !begun.planning && !QUIET.has(begun.metadata.op);
    if (done && !done.planning && !QUIET.has(done.metadata.op))
      this.refusal.pass(`  ${inWords(done.metadata)}`);
    if (failed && !failed.planning) this.refusal.pass(`  failed: ${inWords(failed.metadata)}`);
    // Pulumi's own error says only that the deployment failed.
    if (policy?.enforcementLevel === "mandatory") {
      const { policyName, resourceUrn = "", message } = policy;
      const by = resourceUrn === "" ? "" : ` by ${nameOfUrn(resourceUrn)}`;
      const why = oneLine(message.trim().replace(/\.?\n+/g, ": "));
      const reason = asSentence(`The policy ${policyName} is broken${by}: ${why}`);
      this.errors.push({ reason });
      this.refusal.pass(`error: ${reason}`);
    }
    for (const { severity, message, urn, code } of diagnosticEvent ?? []) {
      const isError = severity === "error";
      if (severity === "debug" || (isError && this.refusal.refuses({ message, urn }))) continue;
      if (isError)
        this.errors.push({ reason: message.split("\n")[0] ?? "", ...(code && { code: code.name }) });
      const isMarked = isError || severity === "warning";
      for (const part of message.split("\n")) this.refusal.pass(isMarked ? `${severity}: ${part}` : part);
    }
    if (summary && summary.isPreview !== true) this.refusal.pass(sumsIn(summary.resourceChanges ?? {}));
  };
}

function eventIn(line: string): ReturnType<typeof engineEvent> {
  try {
    return engineEvent(JSON.parse(line));
  } catch {
    // Pulumi prints some text between its events.
    return undefined;
  }
}

function inWords({ op, urn }: { readonly op: string; readonly urn: string }): string {
  const type = typeOfUrn(urn);
  return `${op} ${type.slice(type.lastIndexOf(":") + 1)} ${nameOfUrn(urn)}`;
}

function sumsIn(changes: Readonly<Record<string, number>>): string {
  const { same = 0, ...others } = changes;
  const parts = Object.entries(others).map(([op, count]) => `${count} × ${op}`);
  return `${parts.join(", ") || "Nothing changed"}; ${counted(same, "resource")} unchanged.`;
}
