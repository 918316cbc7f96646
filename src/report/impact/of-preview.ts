import type { BuildPipelineClient } from "../../client/index.js";
import type { StateResource } from "../../inventory/stack-export.js";
import { namesIn } from "../../review/live.js";
import { type ImpactOptions, readLive } from "../../review/read.js";
import type { Managed } from "../../review/review.js";
import { knownLabelIn } from "../names.js";
import { planOf } from "../plan.js";
import type { Preview } from "../preview.js";
import { type Impact, impactOf, needsOf } from "./impact.js";
import { plannedChanges } from "./planned-changes.js";

/** Impact of a preview, and names of objects that the service returned, by their ids. */
export interface ImpactOfPreview {
  readonly impact: Impact;
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Reads what a preview's changes would hit now. A refresh changes nothing, so it hits nothing.
 *
 * @param unchanged what the stack has today; may be left out
 */
export async function readImpact(
  client: BuildPipelineClient,
  preview: Preview,
  unchanged: readonly StateResource[],
  options: ImpactOptions,
): Promise<ImpactOfPreview> {
  const { drift, resources, context, names, masking } = planOf(preview, unchanged);
  const changes = () => (drift ? [] : plannedChanges(resources, names, (text) => masking.text(text)));
  const live = await readLive(client, needsOf(changes()), options);
  const shown = namesIn(live);
  names.add(shown);
  const managed: Managed[] = [
    ...resources.flatMap(({ kind, urn, before }) =>
      before?.id === undefined || before.external === true
        ? []
        : [{ kind, urn, id: before.id, properties: { ...before.outputs, ...before.inputs } }],
    ),
    ...context,
  ].flatMap(({ kind, id, properties }) =>
    id === undefined
      ? []
      : [{ kind, id, label: masking.text(knownLabelIn(kind, properties) ?? id), properties }],
  );
  return { impact: impactOf(changes(), live, managed), names: shown };
}
