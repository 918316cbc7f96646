import type { Step } from "./preview.js";

/** Steps of a refresh, and of the preview after it. */
export interface Phases {
  /** Steps of the refresh, one for each resource in state. Empty without a refresh. */
  readonly refreshed: readonly Step[];
  readonly planned: readonly Step[];
}

const OF_REFRESH = new Set(["refresh", "update", "delete"]);

/**
 * Separates the steps that the engine reports in one list. A refresh has one step for each resource: an update or a
 * deletion if it found drift. The steps of a preview follow.
 */
export function phasesOf(steps: readonly Step[]): Phases {
  if (!steps.some(({ op }) => op === "refresh")) return { refreshed: [], planned: steps };
  const seen = new Set<string>();
  const end = steps.findIndex(({ op, urn }) => {
    const again = seen.has(urn);
    seen.add(urn);
    return again || !OF_REFRESH.has(op);
  });
  return end < 0
    ? { refreshed: steps, planned: [] }
    : { refreshed: steps.slice(0, end), planned: steps.slice(end) };
}
