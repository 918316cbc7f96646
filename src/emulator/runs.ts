import { randomBytes } from "node:crypto";
import { z } from "zod";
import { listing, reading, section } from "./http/operation.js";
import * as model from "./model/entity.js";
import { notFound } from "./model/refusals.js";
import type { OrganizationData, StoredRecord } from "./store/collection.js";
import { findSuite } from "./suites.js";

interface Place extends StoredRecord {
  readonly suite_id: string;
}

const path = ({ id, suite_id }: Place, { data }: model.View) =>
  `/suites/${data.suites.get(suite_id)?.slug}/runs/${id}`;

const fields = {
  id: model.uuid,
  branch: z.string(),
  commit_sha: z.string(),
  state: z.enum(["running", "finished"]),
  result: z.enum(["pending", "passed", "failed", "stale"]),
  url: model.analyticsUrl(path),
  web_url: model.webUrl((run: Place, view) => `/analytics${path(run, view)}`),
  created_at: model.timestamp,
};

export interface RunRecord extends model.RecordOf<typeof fields> {
  readonly suite_id: string;
  readonly build_id: string | null;
}

const run = model.entity<RunRecord>("Run", fields);

const collection = "/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/runs";

export const runs = section("runs", "suites", {
  list: listing(
    collection,
    "List the runs of a test suite, newest first",
    run,
    (call) => {
      const suite = findSuite(call, call.params.suite_slug);
      const buildId = call.query.one("build_id")?.toLowerCase();
      const runs = call.data.runs.list("suite_id", suite.id).reverse();
      return runs.filter(({ build_id }) => !buildId || build_id === buildId);
    },
    { query: { build_id: "Only runs of this build." } },
  ),
  get: reading(`${collection}/{run_id}`, "Get a run", run, (call) => {
    const suite = findSuite(call, call.params.suite_slug);
    const found = call.data.runs.get(call.params.run_id.toLowerCase());
    if (found?.suite_id !== suite.id) throw notFound("run");
    return found;
  }),
});

export function insertRun(
  data: OrganizationData,
  made: Pick<RunRecord, "suite_id" | "branch" | "created_at"> & Partial<RunRecord>,
): RunRecord {
  return data.runs.insert({
    id: crypto.randomUUID(),
    build_id: null,
    commit_sha: randomBytes(20).toString("hex"),
    state: "running",
    result: "pending",
    ...made,
  });
}

/** Test results that reach a run. */
export interface TestResults {
  passed?: number;
  failed?: number;
}
