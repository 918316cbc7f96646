import { writeReports } from "../report/folder.js";
import { originOfRun } from "../report/origin.js";
import { reportOf } from "../report/report.js";
import { planOf } from "../shared/plan/plan.js";
import { hasFailed, isOfOtherStacks, readPreview } from "../shared/pulumi/preview.js";
import { stateOf } from "../shared/pulumi/stack-export.js";
import { install, type Job } from "./job.js";
import type { Outcome } from "./outcome.js";
import { LONGEST_COMMENT } from "./preview.js";

/** Pulumi's exit code for changes that nobody expected. */
const CHANGED = 7;

/** Reports how one stack differs from the service, and what in it breaks the policies. Reads only. */
export async function driftOfStack(job: Job): Promise<Outcome> {
  await install(job);
  const state = await stateOf(job.project);
  const args = ["refresh", "--preview-only", "--expect-no-changes", "--parallel", "32", "--json"];
  const { code, stdout } = await job.pulumi(args);
  if (code !== 0 && code !== CHANGED && stdout.trim() === "")
    return { end: "failed", reason: job.error ?? "The refresh failed before it had anything to show." };
  const preview = readPreview(JSON.parse(stdout));
  const { violations, isBroken } = await job.violations(["policy", "analyze", "--json"]);
  const report = reportOf(planOf(preview, state), { origin: originOfRun(), violations });
  await writeReports(report, job.results.folder, LONGEST_COMMENT);
  if (isBroken || (code !== 0 && code !== CHANGED) || hasFailed(preview))
    return { end: "failed", reason: report.errors[0] ?? job.error ?? "A check failed." };
  const broken = violations.filter(({ level }) => level === "danger").length;
  for (const { text } of report.summary) job.log(text);
  if (broken > 0)
    return { end: "changed", reason: "It breaks a mandatory policy.", next: "The report names it." };
  if (code !== CHANGED || isOfOtherStacks(preview)) return { end: "unchanged" };
  return {
    end: "changed",
    reason: "Something was changed outside of the program.",
    next: "Change the program to match, or deploy it with `buildpipeline ci preview --all` and `ci deploy`.",
  };
}
