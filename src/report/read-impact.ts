import type { BuildPipelineClient } from "../client/index.js";
import type { StackState } from "../inventory/stack-export.js";
import type { Change } from "../review/change.js";
import { namesIn } from "../review/live.js";
import { type ImpactOptions, readLive, readQueues, readTemplates } from "../review/read.js";
import { type Impact, impactOf, needsOf } from "./impact.js";
import { deployed, type Plan, planOf } from "./plan.js";
import type { Preview } from "./preview.js";
import { type LiveReferences, lostKeys, removedKeys } from "./queue-references.js";

/** A plan with names from the service, and its impact. */
export interface PlanWithImpact {
  readonly plan: Plan;
  readonly impact: Impact;
  readonly references: LiveReferences;
}

/** Reads which jobs and agents a deployment would affect now. A refresh itself affects none; only pending deletions do. */
export async function readImpact(
  client: BuildPipelineClient,
  preview: Preview,
  state: StackState | undefined,
  options: ImpactOptions,
): Promise<PlanWithImpact> {
  const shown = planOf(preview, state);
  const references = await readReferences(client, deployed(shown), shown, options);
  const live = await readLive(client, needsOf(deployed(shown)), options);
  const plan = planOf(preview, state, namesIn(live));
  return { plan, references, impact: impactOf(deployed(plan), live, plan.managed) };
}

/** Reads templates only if a queue's key is removed, and queues only if a template names a key that the stack doesn't have. */
async function readReferences(
  client: BuildPipelineClient,
  changes: readonly Change[],
  { managed }: Plan,
  options: ImpactOptions,
): Promise<LiveReferences> {
  const templates = removedKeys(changes).size > 0 ? await readTemplates(client, options) : [];
  const isLost = lostKeys(changes, managed, { templates, queues: undefined }).length > 0;
  return { templates, queues: isLost ? await readQueues(client, options) : undefined };
}
