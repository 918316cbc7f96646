import type { Step } from "./preview.js";

/** Steps of a refresh, and what is to be done after it. */
export interface Phases {
  /** What the service has now, one step for each resource of the state; empty where nothing was refreshed. */
  readonly refreshed: readonly Step[];
  readonly planned: readonly Step[];
}

const OF_REFRESH = new Set(["refresh", "update", "delete"]);

/**
 * Takes apart what the engine tells in one list: a refresh has one step for each resource, called an update or a
 * deletion where something was done by hand, and the steps of a preview follow it.
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
