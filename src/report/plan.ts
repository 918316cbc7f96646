import type { StateResource } from "../inventory/stack-export.js";
import type { Properties } from "../protocol/encoded-values.js";
import type { DrawnResource } from "../topology/of-resources.js";
import { drawn } from "./changes.js";
import { Masking } from "./masking.js";
import { Names } from "./names.js";
import type { Preview, Step } from "./preview.js";
import { phasesOf } from "./refresh.js";
import { type Stepped, steppedResources } from "./stepped.js";

/** A preview, with its resources put together. */
export interface Plan {
  readonly masking: Masking;
  /** It shows what a refresh found, and nothing that is going to be done. */
  readonly drift: boolean;
  readonly steps: readonly Step[];
  readonly resources: readonly Stepped[];
  /** Resources of the stack that stay as they are, as far as they are known. */
  readonly context: readonly (DrawnResource | StateResource)[];
  readonly names: Names;
}

/** @param unchanged what the stack has today; may be left out */
export function planOf(preview: Preview, unchanged: readonly StateResource[] = []): Plan {
  const masking = new Masking(preview);
  const { refreshed, planned } = phasesOf(preview.steps);
  const drift = refreshed.length > 0 && planned.length === 0;
  const steps = drift ? refreshed : planned;
  const resources = steppedResources(steps);
  const stepped = new Set(resources.map(({ urn }) => urn));
  const seen = steppedResources(refreshed).map((resource) =>
    masked(drawn({ ...resource, action: undefined }), masking),
  );
  const known = seen.length > 0 ? seen : unchanged.filter(({ pendingDeletion }) => !pendingDeletion);
  const context = known.filter(({ urn }) => !stepped.has(urn));
  return { masking, drift, steps, resources, context, names: new Names(resources, context, masking) };
}

/** Labels go onto the drawing; other properties stay as they are. */
export function masked<Resource extends { properties: Readonly<Properties> }>(
  resource: Resource,
  masking: Masking,
): Resource {
  const entries = Object.entries(resource.properties);
  const properties = entries.map(([name, value]) => [
    name,
    typeof value === "string" ? masking.text(value) : value,
  ]);
  return { ...resource, properties: Object.fromEntries(properties) };
}
