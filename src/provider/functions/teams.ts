import { readComplete } from "../../client/api/list.js";
import type * as api from "../../client/index.js";
import { Team } from "../resources/team.js";
import { id, type OutputArguments } from "./invoke/arguments.js";
import { getFunction, outputForm } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a team by exactly one of `id`, `slug` and `name`. */
export interface GetTeamArgs {
  /** UUID. */
  id?: string | undefined;
  /** Name in web addresses. */
  slug?: string | undefined;
  /** Exact name. The function fails if several teams have this name. */
  name?: string | undefined;
}

/** {@link GetTeamArgs}, each of which may be an Output. */
export interface GetTeamOutputArgs extends OutputArguments<GetTeamArgs> {}

/** A team, as the API returns it. */
export interface GetTeamResult extends KindResult<Team, api.Team> {}

/** Filters for a list of teams. */
export interface GetTeamsArgs {
  /** UUID of a user, to list only teams that the user is a member of. Default: all teams. */
  userId?: string | undefined;
}

/** The teams of an organization, or of one of its members. */
export interface GetTeamsResult extends InOrganization {
  /** In the order of the API. */
  readonly teams: GetTeamResult[];
}

const functions = functionsOf<GetTeamResult>(Team.kind);
const ofUser = (client: api.BuildPipelineClient, user: string) =>
  readComplete(client.teams.list({ user_id: user }), { noun: "team", idOf: Team.kind.identify });

/**
 * Looks up a team by id, slug or name. Scope: `read_teams`. To look a team up
 * by id, `view_teams` is sufficient.
 * @throws LookupError if no object matches, or several do; the message lists their ids.
 * @example
 * ```ts
 * const platform = await getTeam({ slug: "platform" });
 * new Suite("unit", { name: "Unit tests", defaultBranch: "main", teamIds: [platform.id] });
 * ```
 */
export const getTeam = functions.one<GetTeamArgs>(["id", "slug", "name"]);

/**
 * {@link getTeam} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { createdBy } = getTeamOutput({ id: platform.id });
 */
export const getTeamOutput = outputForm<GetTeamOutputArgs, GetTeamResult>("getTeam");

/**
 * Lists the teams of the organization, or only the teams of one user. Scope: `read_teams`.
 * @example
 * ```ts
 * const { id } = await getOrganizationMember({ email: "ada@example.com" });
 * const { teams } = await getTeams({ userId: id });
 * ```
 */
export const getTeams = getFunction<GetTeamsArgs | undefined, GetTeamsResult>(
  "getTeams",
  async (api, { userId }) => {
    const found = await (userId === undefined ? functions.list(api) : api.get(ofUser, id("userId", userId)));
    return { teams: found.map((each) => functions.read(api, each)), organization: api.organization };
  },
  Team.kind.name,
);
