import { z } from "zod";
import { type Call, deletion, listing, newerSection, operation, reading } from "./http/operation.js";
import { id } from "./model/body.js";
import * as model from "./model/entity.js";
import { found, validationFailed } from "./model/refusals.js";
import type { Variations } from "./model/variations.js";
import type { StoredRecord } from "./store/collection.js";
import { findTeam, maintainedTeam, readsTeams } from "./teams.js";

const levels = ["read", "edit"] as const;

const fields = {
  suite_id: model.uuid,
  suite_url: model.analyticsUrl((pair: { suite_id: string }, { data }) => {
    return `/suites/${data.suites.get(pair.suite_id)?.slug}`;
  }),
  access_level: z.array(z.enum(levels)),
  created_at: model.timestamp,
};

/** A team's access to a suite. Its id is never shown: paths have the suite's. */
export interface TeamSuiteRecord extends model.RecordOf<typeof fields>, StoredRecord {
  readonly team_id: string;
}

const pair = model.entity<TeamSuiteRecord>("TeamSuite", fields);

const collection = "/v2/organizations/{org_slug}/teams/{team_uuid}/suites";
const single = `${collection}/{suite_uuid}`;
const access_level = z
  .array(z.enum(levels, { error: "must have read and edit only" }), { error: "must be an array" })
  .nonempty({ error: "can't be blank" });

export const teamSuites = newerSection("teamSuites", "teams", {
  list: listing(
    collection,
    "List the suites of a team",
    pair,
    (call) => call.data.teamSuites.list("team_id", findTeam(call).id),
    { ...readsTeams, list: "unpaged" },
  ),
  get: reading(single, "Get a team's access to a suite", pair, findPair, readsTeams),
  create: operation("POST", collection, "Give a team access to a suite", {
    body: z.object({ suite_id: id, access_level }),
    response: pair,
    errors: { 422: "validation fails, or the team has the suite" },
    run: (call) => {
      const { body, data, now, variations } = call;
      const { id: team_id } = maintainedTeam(call);
      checkLevel(body.access_level, variations);
      if (data.suites.get(body.suite_id) === undefined) {
        throw validationFailed("Suite must be a suite of this organization");
      }
      if (data.teamSuites.list("team_id", team_id).some(({ suite_id }) => suite_id === body.suite_id)) {
        throw validationFailed("Suite has already been added to this team");
      }
      return data.teamSuites.insert({ id: crypto.randomUUID(), created_at: now, team_id, ...body });
    },
  }),
  update: operation("PATCH", single, "Change a team's access to a suite", {
    body: z.object({ access_level }),
    response: pair,
    run: (call) => {
      const { body, data, variations } = call;
      maintainedTeam(call);
      const { id } = findPair(call);
      checkLevel(body.access_level, variations);
      return data.teamSuites.update(id, body);
    },
  }),
  delete: deletion(single, "Take a suite from a team", "the suite cannot be taken", (call) => {
    maintainedTeam(call);
    return call.data.teamSuites.delete(findPair(call).id);
  }),
});

function checkLevel(level: readonly string[], { suiteEditAlone }: Variations): void {
  if (suiteEditAlone === "refused" && !level.includes("read")) {
    throw validationFailed("Access level must include read");
  }
}

function findPair(call: Call<"team_uuid" | "suite_uuid">): TeamSuiteRecord {
  const pairs = call.data.teamSuites.list("team_id", findTeam(call).id);
  const wanted = call.params.suite_uuid.toLowerCase();
  return found(
    pairs.find(({ suite_id }) => suite_id === wanted),
    "team suite",
  );
}
