import type { OrganizationData } from "../store/organization-data.js";
import type { RunRecord } from "../store/records.js";

/** Test results that reach a run. */
export interface TestResults {
  passed?: number;
  failed?: number;
}

/**
 * Additional results reach a run (section 3.2): it is running again; a failing test makes it failed for good,
 * passing ones make it passed from pending.
 */
export function uploadResults(data: OrganizationData, run: RunRecord, results: TestResults): RunRecord {
  const { passed = 0, failed = 0 } = results;
  if (passed + failed === 0) return run;
  const result = run.result === "failed" || failed > 0 ? "failed" : "passed";
  return data.runs.update(run.id, { state: "running", result });
}

/** All uploads of a run are processed. Its result stays. */
export function finishRun(data: OrganizationData, run: RunRecord): RunRecord {
  return data.runs.update(run.id, { state: "finished" });
}

/** No results came within a reasonable period: a pending run becomes stale. Others stay as they are. */
export function expireRun(data: OrganizationData, run: RunRecord): RunRecord {
  return run.result === "pending" ? data.runs.update(run.id, { result: "stale" }) : run;
}
