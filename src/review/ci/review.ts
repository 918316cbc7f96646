import { ENDING } from "../../cli/pulumi/engine-messages.js";
import {
  hasFailed,
  isOfOtherStacks,
  NO_STEPS,
  type Preview,
  readEventLog,
  readPreview,
  withoutCredentialsIn,
} from "../../cli/pulumi/preview.js";
import { SETTING_NAMES, type SettingName } from "../../cli/pulumi/project-settings.js";
import { type StackState, stateOf } from "../../cli/pulumi/stack-export.js";
import { projectsRead } from "../../cli/pulumi/state.js";
import { MOST_BUILDS } from "../../cli/workload/job.js";
import { nounOf } from "../../provider/for-commands/kinds.js";
import { CONFIG_NAMESPACE, findSetting } from "../../shared/configuration/settings.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { messageOf } from "../../shared/messages/of-error.js";
import type { Properties } from "../../shared/protocol/encoded-values.js";
import { nameOfUrn, typeOfUrn } from "../../shared/protocol/urn.js";
import type { Remark } from "../findings/consequences.js";
import { type Findings, findingsOf } from "../findings/findings.js";
import { originOfRun } from "../findings/origin.js";
import { type Report, reportOf } from "../findings/report.js";

import { writeReports } from "../forms/stacks.js";
import { allowanceOf, brakeOf } from "../plan/brake.js";
import { unmanagedAmong } from "../plan/change.js";
import { ofPlace } from "../plan/names.js";
import { type Plan, planOf, vanishedIn } from "../plan/plan.js";
import { otherSteps } from "../plan/resources.js";
import { listed, plainText, type Text } from "../plan/text.js";
import { laterDeployment } from "../projects/changes.js";
import { readNow } from "../report/run.js";
import { brakeIn } from "./braked.js";
import { QUIET } from "./deploy.js";
import { install, type Job } from "./job.js";
import { basisNow, INTERRUPTED, type JobOutcome, type Reason } from "./outcome.js";

/** As many characters as a comment on GitHub may have. */
export const LONGEST_COMMENT = 65_536;
const IMPACT_SECONDS = 300;

/** Previews one stack, and writes its report and its plan. Sends nothing that changes anything. */
export async function previewStack(job: Job): Promise<JobOutcome> {
  const { results, shared, project, log } = job;
  await install(job);
  // The state shows what an earlier deployment left. It has secrets, so it is never a file.
  const state = await stateOf(project);
  const basis = await basisNow(shared.repository, state);
  const args = "preview --refresh --parallel 32 --show-replacement-steps --show-sames --json".split(" ");
  // With the policies, as the deployment: the plan has what they change.
  const saving = ["--save-plan", results.path("unchecked"), ...job.policyArguments()];
  const { code, stdout } = await job.pulumi([...args, ...saving]);
  if (shared.interrupted.aborted) return INTERRUPTED;
  const shown = previewIn(stdout);
  if (shown === undefined)
    return {
      end: "failed",
      ...basis,
      reason: "The preview failed before it had anything to show.",
      ...job.error,
    };
  // Pulumi says no more than this where a policy is broken.
  const others = shown.diagnostics.filter(({ message }) => !ENDING.test(message));
  const isByPolicy = hasFailed(shown) && !hasFailed({ ...shown, diagnostics: others });
  // Without the variable, the JSON has no violations. Objects are read again only if what was read may break a policy.
  const looking = ["preview", `--refresh=${isByPolicy}`, "--json"];
  const { violations, errors } = await job.violations(looking, STREAMED);
  const isRefused = violations.some(({ level }) => level === "danger");
  const more = hasFailed(shown) && !isByPolicy ? [] : errors;
  const diagnostics = isByPolicy && isRefused ? others : [...shown.diagnostics, ...more];
  const preview = { ...shown, diagnostics };
  results.write("preview", withoutCredentialsIn(stdout));
  job.reads = projectsRead(preview.planned.flatMap(({ newState }) => newState ?? []));
  const findings = await findingsNow(
    preview,
    state,
    [...violations, ...(await agedBy(preview, basis.commit, job))],
    job,
  );
  const report = write(findings, job);
  if (shared.interrupted.aborted) return INTERRUPTED;
  if (hasFailed(preview) || (code !== 0 && !isRefused))
    return { end: "failed", ...basis, ...whyFailed(report, job, state) };
  if (isRefused)
    return {
      end: "refused",
      ...basis,
      reason: "It breaks a mandatory policy.",
      next: "Change the program or the policy.",
    };
  for (const { text } of report.summary) log(text);
  const brake = brakeOf(findings.plan);
  for (const words of brake ? [brake.sentence, allowanceOf(brake) ?? []] : []) log(plainText(words));
  return { end: report.changes === "some" ? "planned" : "unchanged", ...basis, ...brakeIn(brake) };
}

/** Says that changes are, or may be, those of an older commit than the deployed one, as where an old job runs again. */
async function agedBy(
  preview: Preview,
  commit: string | null | undefined,
  { project, shared }: Job,
): Promise<Remark[]> {
  // A failed preview doesn't say what the deployment would change.
  const isChanged = !hasFailed(preview) && Object.keys(preview.counts ?? {}).some((op) => !QUIET.has(op));
  const later = isChanged && commit ? await laterDeployment(project, shared.repository, commit) : undefined;
  if (later === undefined) return [];
  return [
    {
      effect: "lost",
      level: "caution",
      subject: ["This commit"],
      ...(later.isUnsure
        ? {
            words:
              "may be older than {commit}, from which the stack was deployed: this clone lacks the history that shows it",
            todo: "Fetch the whole history, or preview the newest commit, unless you mean to go back.",
          }
        : {
            words:
              "is older than {commit}, from which the stack was deployed: the deployment takes back what came since",
            todo: "Preview the newest commit, unless you mean to go back.",
          }),
      values: { commit: [{ code: later.commit.slice(0, 12) }] },
      of: [],
    },
  ];
}

function previewIn(printed: string): Preview | undefined {
  try {
    return readPreview(JSON.parse(printed));
  } catch {
    // It was cut off, or nothing was printed.
    return undefined;
  }
}

/** One reason for many resources, because all of them fail with the same message. */
function whyFailed(
  { errors }: Report,
  job: Job,
  { providers }: StackState,
): Pick<JobOutcome, "reason" | "code" | "next"> {
  const [first, ...others] = [...new Map(errors.map((one) => [one.message, one])).values()];
  const { reason: why, ...code } = reasonOf(first, job, "The preview failed.");
  const reason = { ...code, reason: others.length === 0 ? why : `${why} (and ${others.length} more)` };
  // The provider refreshes with the settings of the last deployment, which has none after an import.
  const lacks = (settings: Readonly<Properties>, name: SettingName) =>
    findSetting(name, settings[`${CONFIG_NAMESPACE}:${name}`] ?? settings[name], process.env) === undefined;
  if (!providers.some((settings) => SETTING_NAMES.some((name) => lacks(settings, name)))) return reason;
  return {
    ...reason,
    next:
      "If the stack's configuration has the setting, the last deployment didn't: `pulumi up --refresh=false` records it, " +
      "because a refresh uses the settings of the last deployment.",
  };
}

/** @param error the first one of the report, if it has one */
function reasonOf(error: Report["errors"][number] | undefined, job: Job, otherwise: string): Reason {
  const { message: reason, ...code } = error ?? { message: otherwise };
  return { reason, ...code, ...(error === undefined && job.error) };
}

/** Reads what the changes would hit, as far as it can be read. */
async function findingsNow(
  preview: Preview,
  state: StackState,
  violations: readonly Remark[],
  { project, stack, log }: Job,
): Promise<Findings> {
  try {
    const limits = { stack: stack.stack, maxBuilds: MOST_BUILDS, impactTimeout: IMPACT_SECONDS };
    return await readNow(preview, state, violations, limits, project);
  } catch (error) {
    log(`The report has no impact: ${messageOf(error)}`);
    return findingsOf(planOf(preview, state), undefined, violations);
  }
}

function write(findings: Findings, { results }: Job): Report {
  const report = reportOf(findings, originOfRun());
  writeReports(findings, report, results.folder, LONGEST_COMMENT);
  return report;
}

/** With it, `--json` prints the engine's events. */
const STREAMED = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };

/** What the engine says where `--expect-no-changes` finds some, which the report says better. */
const UNEXPECTED = /^error: no changes were expected\b/;

/** Pulumi's exit code for changes that nobody expected. */
const CHANGED = 7;

/**
 * Reports how one stack differs from the service, and what in it breaks the policies. Reads only.
 *
 * @param gone gets the URNs of what the report names as gone
 */
export async function driftOfStack(job: Job, gone: Set<string>): Promise<JobOutcome> {
  await install(job);
  const state = await stateOf(job.project);
  if (state.isEmpty) {
    write(findingsOf(planOf(NO_STEPS, state)), job);
    return { end: "unchanged", reason: "Nothing is deployed, so nothing can have changed." };
  }
  const args = ["refresh", "--preview-only", "--expect-no-changes", "--parallel", "32", "--json"];
  // A preview writes no state, so PULUMI_SKIP_CHECKPOINTS would gain nothing: s3-backend.long.test.ts counts the writes.
  // Only the engine's events show outputs that changed. That something did is no error here.
  const { code, stdout } = await job.pulumi(args, {
    env: STREAMED,
    onLine: (line) => (UNEXPECTED.test(line) ? undefined : job.log(line)),
  });
  if (code !== 0 && code !== CHANGED && stdout.trim() === "")
    return { end: "failed", reason: "The refresh failed before it had anything to show.", ...job.error };
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  const found =
    lines.length < 2
      ? readPreview(JSON.parse(stdout))
      : readEventLog(lines.map((line): unknown => JSON.parse(line)));
  const { violations, errors } = await job.violations(["policy", "analyze", "--json"]);
  const preview = { ...found, diagnostics: [...found.diagnostics, ...errors] };
  const plan = planOf(preview, state);
  const report = write(findingsOf(plan, undefined, violations), job);
  for (const { urn } of vanishedIn(plan)) gone.add(urn);
  if ((code !== 0 && code !== CHANGED) || hasFailed(preview))
    return { end: "failed", ...reasonOf(report.errors[0], job, "A check failed.") };
  const broken = violations.filter(({ level }) => level === "danger").length;
  for (const { text } of report.summary) job.log(text);
  if (broken > 0)
    return { end: "changed", reason: "It breaks a mandatory policy.", next: "The report names it." };
  const isChanged = code === CHANGED && !isOfOtherStacks(preview);
  const unmanaged = unmanagedAmong(plan.outOfBand);
  if (!isChanged && unmanaged.length === 0) return { end: "unchanged" };
  const drift = visible(plainText(driftInWords(plan)));
  return {
    end: "changed",
    reason: `Something was changed outside of the program${drift.length === 0 ? "" : `: ${drift}`}.`,
    next: [
      ...(isChanged
        ? ["Change the program to match, or deploy it with `buildpipeline ci preview --all` and `ci deploy`."]
        : []),
      ...(unmanaged.length > 0
        ? [
            `Undo ${isChanged ? "what it doesn't state" : "it"} on Buildkite, or state it in the program: no deployment does.`,
          ]
        : []),
    ].join(" "),
  };
}

/** Names some resources that differ, with their properties. The report has the values. */
function driftInWords({ changes, outOfBand, steps }: Plan): Text {
  const about = (what: Text, isGone: boolean, properties: readonly string[]): Text => {
    const how = isGone ? ["deleted"] : properties;
    return how.length === 0 ? what : [...what, ` (${how.join(", ")})`];
  };
  const own = [...changes, ...unmanagedAmong(outOfBand)]
    .filter(({ pending }) => !pending)
    .map(({ kind, label, place, action, changed }) => {
      const what: Text = [`${nounOf(kind)} `, { code: label }, ...ofPlace(place)];
      const names = changed.map(({ name }) => name);
      return about(what, action === "delete", names);
    });
  const others = [...otherSteps(steps).values()].flat().map(({ op, urn, diffReasons, detailedDiff }) => {
    const what: Text = [`${typeOfUrn(urn)} `, { code: nameOfUrn(urn) }];
    return about(what, op === "delete", diffReasons ?? Object.keys(detailedDiff ?? {}));
  });
  return listed([...own, ...others], 3);
}
