import { existsSync, rmSync } from "node:fs";
import { settingsIn } from "../../cli/pulumi/project-folder.js";
import { readText } from "../../cli/terminal/files.js";
import type { BuildPipelineClient } from "../../client/index.js";
import { requireNoDeployment } from "../../review/ci/deployment-lock.js";
import { reviewsOf } from "../../review/ci/review-folder.js";
import { recordedQueues, resumeQueues } from "../../review/drain/pause.js";
import { placeOf } from "../../review/drain/queues.js";

/** A queue that a killed deployment of a stack left paused. */
export interface LeftPause {
  readonly queue: string;
  /** The file with its pause. */
  readonly record: string;
}

export interface LeftPauses {
  readonly paused: readonly LeftPause[];
  readonly resumed: readonly string[];
}

/** Finds pauses that deployments of a stack recorded and left, and resumes their queues if asked to. @throws if one runs */
export async function readPauses(
  project: { readonly directory: string; readonly stack: string } | undefined,
  { client, origin }: { readonly client: BuildPipelineClient; readonly origin: string },
  resumes: boolean,
): Promise<LeftPauses> {
  const paused: LeftPause[] = [];
  const resumed: string[] = [];
  const name = project && settingsIn(project.directory)?.name;
  for (const { out, record } of project && name ? reviewsOf(project.directory, name, project.stack) : []) {
    requireNoDeployment(out);
    if (!existsSync(record)) continue;
    const text = await readText(record);
    const { found, unread, isMeant } = await recordedQueues(client, origin, text);
    const left = found.filter(({ queue }) => isMeant(queue));
    const ended = await resumeQueues(client, resumes ? left : [], isMeant);
    const failed = ended.filter(({ became }) => became === "failed");
    resumed.push(...ended.flatMap((one) => (one.became === "resumed" ? [placeOf(one)] : [])));
    for (const one of resumes ? failed : left) paused.push({ queue: placeOf(one), record });
    for (const line of unread)
      paused.push({ queue: `one in line ${line} of its record, which can't be read`, record });
    if (resumes && failed.length + unread.length === 0) rmSync(record);
  }
  return { paused, resumed };
}
