import type { BuildPipelineClient } from "../client/index.js";
import type { StateResource } from "../inventory/stack-export.js";
import { type DrainOptions, type DrainResult, drain } from "./drain.js";
import { untilInterrupted } from "./interruption.js";
import { requireUnmanaged } from "./managed.js";
import { type ResumedQueue, resumeDrained } from "./pause.js";
import { type FoundQueue, findQueues } from "./queue-name.js";

/** The queues to drain or to resume. */
export interface NamedQueues {
  /** Their keys, `cluster/key` or UUIDs. */
  readonly names: readonly string[];
  /** UUIDs of the queues of a preview. A deployment that failed midway may have deleted some of these. */
  readonly ofPreview: readonly string[];
  /** Called for each queue of the preview that no longer exists. */
  readonly onGone: (name: string) => void;
}

interface DrainByNameOptions extends Omit<DrainOptions, "interrupted"> {
  /** The resources of the stack that may manage pausing. */
  readonly managed: readonly StateResource[];
}

/**
 * Pauses queues and waits until no job runs in them, or until Ctrl-C.
 *
 * @throws before anything is sent, if a queue doesn't exist or a stack manages its pausing
 */
export async function drainByName(
  client: BuildPipelineClient,
  queues: NamedQueues,
  { managed, ...options }: DrainByNameOptions,
): Promise<DrainResult> {
  const found = await find(client, queues);
  requireUnmanaged(found, managed);
  return untilInterrupted((interrupted) => drain(client, found, { ...options, interrupted }));
}

/**
 * Resumes queues that earlier drains paused.
 *
 * @throws before anything is sent, if a queue doesn't exist
 */
export async function resumeByName(
  client: BuildPipelineClient,
  queues: NamedQueues,
): Promise<ResumedQueue[]> {
  return resumeDrained(client, await find(client, queues));
}

async function find(
  client: BuildPipelineClient,
  { names, ofPreview, onGone }: NamedQueues,
): Promise<readonly FoundQueue[]> {
  const { found, gone } = await findQueues(client, names, ofPreview);
  for (const name of gone) onGone(name);
  return found;
}
