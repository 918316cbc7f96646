import { z } from "zod";
import type { RunRecord, SuiteRecord } from "../store/records.js";
import { analyticsUrl, type View, webUrl } from "./view.js";
import { address, timestamp, uuid } from "./wire.js";

/** Section 2.8. */
export const runSchema = z
  .object({
    id: uuid,
    branch: z.string(),
    commit_sha: z.string(),
    state: z.enum(["running", "finished"]),
    result: z.enum(["pending", "passed", "failed", "stale"]),
    url: address,
    web_url: address,
    created_at: timestamp,
  })
  .meta({ id: "Run" });

export function showRun(view: View, suite: SuiteRecord, run: RunRecord): z.infer<typeof runSchema> {
  return {
    id: run.id,
    branch: run.branch,
    commit_sha: run.commit_sha,
    state: run.state,
    result: run.result,
    url: analyticsUrl(view, `/suites/${suite.slug}/runs/${run.id}`),
    web_url: webUrl(view, `/analytics/suites/${suite.slug}/runs/${run.id}`),
    created_at: run.created_at,
  };
}
