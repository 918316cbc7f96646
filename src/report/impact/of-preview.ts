import type { BuildPipelineClient } from "../../client/index.js";
import { namesIn } from "../../review/live.js";
import { type ImpactOptions, readLive } from "../../review/read.js";
import { deployed, type Plan, planOf } from "../plan.js";
import type { Preview } from "../preview.js";
import type { StackState } from "../stack-state.js";
import { type Impact, impactOf, needsOf } from "./impact.js";

/** A plan with names from the service, and its impact. */
export interface PlanWithImpact {
  readonly plan: Plan;
  readonly impact: Impact;
}

/** Reads what a deployment would hit now. A refresh changes nothing, so only what is pending hits something. */
export async function readImpact(
  client: BuildPipelineClient,
  preview: Preview,
  state: StackState | undefined,
  options: ImpactOptions,
): Promise<PlanWithImpact> {
  const live = await readLive(client, needsOf(deployed(planOf(preview, state))), options);
  const plan = planOf(preview, state, namesIn(live));
  return { plan, impact: impactOf(deployed(plan), live, plan.managed) };
}
