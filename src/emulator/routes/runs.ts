import { runSchema, showRun } from "../entities/run.js";
import { notFound } from "../http/errors.js";
import { listing, type Operation, operation } from "../http/operation.js";
import { findSuite } from "./suites.js";

const collection = "/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/runs";
const section = "4.7";

/** Section 4.7. */
export const runOperations: readonly Operation[] = [
  operation({
    id: "runs.list",
    method: "GET",
    path: collection,
    section,
    scope: "read_suites",
    summary: "List the runs of a test suite, newest first",
    query: { build_id: "Only runs of this build." },
    response: runSchema,
    list: "pages",
    run: ({ data, view, params, query }) => {
      const suite = findSuite(data, params.suite_slug);
      const buildId = query.one("build_id")?.toLowerCase();
      const runs = data.runs
        .list("suite_id", suite.id)
        .filter((run) => !buildId || run.build_id === buildId)
        .reverse();
      return listing(runs, (run) => showRun(view, suite, run));
    },
  }),
  operation({
    id: "runs.get",
    method: "GET",
    path: `${collection}/{run_id}`,
    section,
    scope: "read_suites",
    summary: "Get a run",
    response: runSchema,
    run: ({ data, view, params }) => {
      const suite = findSuite(data, params.suite_slug);
      const run = data.runs.get(params.run_id.toLowerCase());
      if (run?.suite_id !== suite.id) throw notFound("run");
      return showRun(view, suite, run);
    },
  }),
];
