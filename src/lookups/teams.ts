import type * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import type { EmbeddedUser } from "../resources/embedded-user.js";
import { type InputsOf, oneWay, text } from "./asking/arguments.js";
import { oneOf } from "./asking/one-of.js";
import { request } from "./asking/request.js";
import { entity, leftOut, same, user } from "./entity-fields.js";
import { Lookup } from "./lookup.js";

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
export interface GetTeamOutputArgs extends InputsOf<GetTeamArgs> {}

/** A team, as the service has it (the API document, section 2.6). */
export interface GetTeamResult {
  /** UUID. */
  readonly id: string;
  /** Name of the team. */
  readonly name: string;
  /** Slug of the organization the team is in. */
  readonly organization: string;
  /** The name in web addresses. */
  readonly slug?: string;
  /** What the team is for; may be empty. */
  readonly description?: string;
  /** `visible` or `secret`. */
  readonly privacy?: string;
  /** Whether users join by default: the API document's `default`. */
  readonly isDefaultTeam?: boolean;
  /** `member` or `maintainer`, where the service tells. */
  readonly defaultMemberRole?: string;
  /** Whether members can create pipelines, where the service tells. */
  readonly membersCanCreatePipelines?: boolean;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** When it was created, ISO 8601 in UTC. */
  readonly createdAt?: string;
  /** Who created it. */
  readonly createdBy?: EmbeddedUser;
}

/** Which teams. */
export interface GetTeamsArgs {
  /** Only teams that this user (UUID) is a member of. Default: all teams. */
  userId?: string | undefined;
}

/** {@link GetTeamsArgs}, where each may be an Output. */
export interface GetTeamsOutputArgs extends InputsOf<GetTeamsArgs> {}

/** The teams of an organization, or of one of its members. */
export interface GetTeamsResult {
  readonly teams: GetTeamResult[];
  /** Slug of the organization. */
  readonly organization: string;
}

const fields = entity<wire.Team, GetTeamResult>({
  id: same,
  graphql_id: same,
  name: same,
  slug: same,
  description: same,
  privacy: same,
  default: leftOut,
  is_default_team: same,
  default_member_role: same,
  members_can_create_pipelines: same,
  created_at: same,
  created_by: user,
});

function read(team: wire.Team, organization: string): GetTeamResult {
  // `default` is the documented name; some answers have the name of the writable property as well.
  return { ...fields(team), ...(team.default != null && { isDefaultTeam: team.default }), organization };
}

const teamById = request("teams.get", (client, id: string) => client.teams.get(id));
const allTeams = request("teams.list", (client, userId?: string) =>
  client.teams.list({ user_id: userId }).all(),
);

const team = new Lookup<GetTeamArgs, GetTeamResult>("getTeam", async (service, args) => {
  const { way, value } = oneWay(args, ["id", "slug", "name"]);
  const found =
    way === "id"
      ? await service.ask(teamById, value)
      : oneOf(await service.ask(allTeams), {
          nouns: "teams",
          way,
          matches: (each) => each[way] === value,
          idOf: ({ id }) => id,
          all: "getTeams()",
        });
  return read(found, service.organization);
});

const teams = new Lookup<GetTeamsArgs, GetTeamsResult>("getTeams", async (service, { userId }) => {
  const { organization } = service;
  const found = await (userId === undefined
    ? service.ask(allTeams)
    : service.ask(allTeams, text("userId", userId)));
  return { teams: found.map((each) => read(each, organization)), organization };
});

/**
 * Looks up a team by id, slug or name (the API document, section 4.5). Scope: `read_teams` (by id `view_teams` will
 * do).
 *
 * @throws LookupError if there is none, or several; the message lists their ids.
 * @example
 * ```ts
 * const platform = await getTeam({ slug: "platform" });
 * new Suite("unit", { name: "Unit tests", defaultBranch: "main", teamIds: [platform.id] });
 * ```
 */
export function getTeam(args: GetTeamArgs, opts?: pulumi.InvokeOptions): Promise<GetTeamResult> {
  return team.now(args, opts);
}

/**
 * {@link getTeam} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 * @example
 * ```ts
 * const { createdBy } = getTeamOutput({ id: platform.id });
 * ```
 */
export function getTeamOutput(
  args: GetTeamOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetTeamResult> {
  return team.output(args, opts);
}

/**
 * Lists the teams of the organization, or those of one user (the API document, section 4.5). Scope: `read_teams`.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { id } = await getOrganizationMember({ email: "ada@example.com" });
 * const { teams } = await getTeams({ userId: id });
 * ```
 */
export function getTeams(args: GetTeamsArgs = {}, opts?: pulumi.InvokeOptions): Promise<GetTeamsResult> {
  return teams.now(args, opts);
}

/**
 * {@link getTeams} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 */
export function getTeamsOutput(
  args: GetTeamsOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetTeamsResult> {
  return teams.output(args, opts);
}
