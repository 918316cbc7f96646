import type * as api from "../client/index.js";
import { Team } from "../resources/team.js";
import { id, type OutputArguments } from "./invoke/arguments.js";
import { getFunction } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization } from "./results/fields.js";
import { type KindResult, kindReader } from "./results/kind-result.js";

/** Which team: give one of the three. */
export interface GetTeamArgs {
  /** UUID. */
  id?: string | undefined;
  /** The name in web addresses. */
  slug?: string | undefined;
  /** Name, exactly. An error if several teams have it. */
  name?: string | undefined;
}

/** {@link GetTeamArgs}, where each may be an Output. */
export interface GetTeamOutputArgs extends OutputArguments<GetTeamArgs> {}

/** A team, as the service has it. */
export interface GetTeamResult extends KindResult<Team, api.Team> {}

/** Which teams. */
export interface GetTeamsArgs {
  /** Only teams that this user (UUID) is a member of. Default: all teams. */
  userId?: string | undefined;
}

/** {@link GetTeamsArgs}, where each may be an Output. */
export interface GetTeamsOutputArgs extends OutputArguments<GetTeamsArgs> {}

/** The teams of an organization, or of one of its members. */
export interface GetTeamsResult extends InOrganization {
  /** In the order of the service. */
  readonly teams: GetTeamResult[];
}

const read = kindReader<typeof Team.kind, GetTeamResult>(Team.kind);
const functions = functionsOf(Team.kind, read);
const team = functions.one<GetTeamArgs, GetTeamOutputArgs>(["id", "slug", "name"]);
const ofUser = (client: api.BuildPipelineClient, user: string) => client.teams.list({ user_id: user }).all();

const teams = getFunction<GetTeamsArgs | undefined, GetTeamsOutputArgs | undefined, GetTeamsResult>(
  "getTeams",
  async (api, { userId }) => {
    const { organization } = api;
    const found = await (userId === undefined ? functions.list(api) : api.get(ofUser, id("userId", userId)));
    return { teams: found.map((each) => read(each, { organization })), organization };
  },
  Team.kind.name,
);

export default [team, teams];

/**
 * Looks up a team by id, slug or name. Scope: `read_teams` (by id `view_teams` will
 * do).
 *
 * @throws LookupError if there is none, or several; the message lists their ids.
 * @example
 * ```ts
 * const platform = await getTeam({ slug: "platform" });
 * new Suite("unit", { name: "Unit tests", defaultBranch: "main", teamIds: [platform.id] });
 * ```
 */
export const getTeam = team.plain;

/**
 * {@link getTeam} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is.
 * @example
 * ```ts
 * const { createdBy } = getTeamOutput({ id: platform.id });
 * ```
 */
export const getTeamOutput = team.output;

/**
 * Lists the teams of the organization, or those of one user. Scope: `read_teams`.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { id } = await getOrganizationMember({ email: "ada@example.com" });
 * const { teams } = await getTeams({ userId: id });
 * ```
 */
export const getTeams = teams.plain;

/** {@link getTeams} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is. */
export const getTeamsOutput = teams.output;
