import type { BuildPipelineClient } from "../../client/index.js";
import type { StateResource } from "../../inventory/stack-export.js";
import { labelIn } from "../names.js";
import { planOf } from "../plan.js";
import type { Preview } from "../preview.js";
import { plannedChanges } from "./change.js";
import { type Impact, impactOf, needsOf } from "./impact.js";
import type { Managed } from "./kind-impact.js";
import type { Live } from "./live.js";
import { type ImpactOptions, readLive } from "./read.js";

/** What a preview would hit, and names of objects that the service showed on the way, by their ids. */
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
    id === undefined ? [] : [{ kind, id, label: masking.text(labelIn(kind, properties) ?? id), properties }],
  );
  return { impact: impactOf(changes(), live, managed), names: shown };
}

function namesIn({ clusters }: Live): Map<string, string> {
  const names = new Map<string, string>();
  for (const { id, name, queues = [], agentTokens = [] } of clusters.values()) {
    names.set(id, name);
    for (const queue of queues) names.set(queue.id, queue.key);
    for (const token of agentTokens) if (token.description) names.set(token.id, token.description);
  }
  return names;
}
