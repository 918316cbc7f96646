import { readPreview } from "../../cli/pulumi/preview.js";
import { stateOf } from "../../cli/pulumi/stack-export.js";
import { stackName } from "../../cli/terminal/terminal.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { allowanceOf, type Brake, brakeOf } from "../plan/brake.js";
import { planOf } from "../plan/plan.js";
import { plainText } from "../plan/text.js";
import { isShallow, messagesOf } from "../projects/changes.js";
import type { Job } from "./job.js";
import { failure, type JobOutcome, succeeded } from "./outcome.js";

/** Returns how stacks end before any of them is deployed. If one plan deletes too much, nothing is sent for any stack. */
export async function brakedAmong(
  jobs: readonly Job[],
  given: readonly string[],
): Promise<ReadonlyMap<Job, JobOutcome>> {
  const ends = new Map<Job, JobOutcome>();
  for (const job of jobs) {
    const end = await endOf(job, given).catch((error) => failure(error, job.shared.interrupted));
    if (end !== undefined) ends.set(job, end);
  }
  const [braked] = [...ends].flatMap(([{ stack }, { end }]) => (end === "refused" ? stackName(stack) : []));
  for (const job of braked === undefined ? [] : jobs)
    if (!ends.has(job))
      ends.set(job, {
        end: "refused",
        reason: `The plan of ${braked} is not allowed, so no plan of this command is deployed.`,
      });
  return ends;
}

async function endOf({ results, stack, project, shared }: Job, given: readonly string[]) {
  if (stack.affected === null || !results.has("plan") || !results.has("preview")) return undefined;
  const planned = await results.outcome();
  if (planned === undefined || !succeeded(planned)) return undefined;
  const preview = readPreview(JSON.parse(await results.read("preview")));
  const shown = planOf(preview);
  const brake = brakeOf(shown.gaps.length === 0 ? shown : planOf(preview, await stateOf(project)));
  if (brake === undefined) return undefined;
  const messages = planned.commit ? await messagesOf(shared.repository, planned.commit, project) : "";
  // A host's squash makes a list of the messages.
  const written = [...messages.matchAll(/^[ \t]*(?:[*-][ \t]+)?Allow-deletions:[ \t]*(\S+)[ \t]*$/gim)].map(
    ([, key = ""]) => key,
  );
  if ([...given, ...written].some(brake.allows)) return undefined;
  const lack = (await isShallow(shared.repository))
    ? " This clone is shallow: messages of commits that it lacks allow nothing."
    : "";
  return braked(brake, lack);
}

function braked(brake: Brake, lack: string): JobOutcome {
  return {
    end: "refused",
    ...brakeIn(brake),
    reason: visible(plainText(brake.sentence)),
    next: `Nothing was deployed. ${plainText(allowanceOf(brake) ?? [])}${lack}`,
  };
}

/** What a plan's outcome says of its brake. */
export function brakeIn(brake: Brake | undefined): Pick<JobOutcome, "code" | "key"> {
  return brake === undefined ? {} : { code: "brake", ...(brake.key !== undefined && { key: brake.key }) };
}
