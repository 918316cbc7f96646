import { randomUUID } from "node:crypto";
import { z } from "zod";
import { showTeam, submittedTeamSchema, teamSchema } from "../entities/team.js";
import { notFound, validationFailed } from "../http/errors.js";
import { type Call, listing, type Operation, operation } from "../http/operation.js";
import type { OrganizationData } from "../store/organization-data.js";
import type { TeamRecord } from "../store/records.js";
import { clearableText, requiredChoice, requiredFlag, requiredText } from "../validation/fields.js";
import { slugFor } from "../validation/slug.js";

const collection = "/v2/organizations/{org_slug}/teams";
const single = `${collection}/{team_uuid}`;
const section = "4.5";
const mostTeams = 250;

const teamBody = z.object({
  name: requiredText(),
  description: clearableText(),
  privacy: requiredChoice(["visible", "secret"]),
  is_default_team: requiredFlag(),
  default_member_role: requiredChoice(["member", "maintainer"]),
  members_can_create_pipelines: requiredFlag(),
});

type TeamBody = z.output<typeof teamBody>;

/** The document lists all six as required; published clients send those that changed. */
const teamChange = teamBody.partial();

/** Section 4.5. */
export const teamOperations: readonly Operation[] = [
  operation({
    id: "teams.list",
    method: "GET",
    path: collection,
    section,
    scope: "read_teams",
    summary: "List teams",
    query: { user_id: "Only teams that have this user as a member." },
    response: teamSchema,
    list: "pages",
    run: ({ data, view, query }) => {
      const userId = query.one("user_id")?.toLowerCase();
      const teams = data.teams.list().filter((team) => !userId || team.member_ids.includes(userId));
      return listing(teams, (team) => showTeam(view, team));
    },
  }),
  operation({
    id: "teams.get",
    method: "GET",
    path: single,
    section,
    scope: "view_teams",
    alsoScopes: ["read_teams"],
    summary: "Get a team",
    response: teamSchema,
    run: ({ data, view, params }) => showTeam(view, findTeam(data, params.team_uuid)),
  }),
  operation({
    id: "teams.create",
    method: "POST",
    path: collection,
    section,
    scope: "write_teams",
    summary: "Create a team",
    body: teamBody,
    status: 201,
    response: z.union([teamSchema, submittedTeamSchema]),
    errors: [{ status: 422, when: "validation fails" }],
    run: (call) => {
      const { data, token, now } = call;
      requireDescription(call);
      if (data.teams.size >= mostTeams) {
        throw validationFailed(`Organization can have at most ${mostTeams} teams`);
      }
      const team = data.teams.insert({
        id: randomUUID(),
        ...writable(call.body),
        slug: slugFor(call.body.name, (slug) => data.teams.find("slug", slug) !== undefined),
        member_ids: [token.user_id],
        created_at: now,
        created_by: token.user_id,
      });
      return answer(call, team);
    },
  }),
  operation({
    id: "teams.update",
    method: "PATCH",
    path: single,
    section,
    scope: "write_teams",
    summary: "Update a team",
    body: teamChange,
    response: z.union([teamSchema, submittedTeamSchema]),
    errors: [{ status: 422, when: "validation fails" }],
    run: (call) => {
      const { data, params, variations } = call;
      const team = findTeam(data, params.team_uuid);
      const body = changed(team, call);
      const renamed = variations.teamSlugOnRename === "changed" && body.name !== team.name;
      const isTaken = (slug: string) => {
        const holder = data.teams.find("slug", slug);
        return holder !== undefined && holder.id !== team.id;
      };
      const updated = data.teams.update(team.id, {
        ...writable(body),
        slug: renamed ? slugFor(body.name, isTaken) : team.slug,
      });
      return answer({ ...call, body }, updated);
    },
  }),
  operation({
    id: "teams.delete",
    method: "DELETE",
    path: single,
    section,
    scope: "write_teams",
    summary: "Delete a team",
    status: 204,
    errors: [{ status: 422, when: "it cannot be deleted" }],
    run: ({ data, params }) => {
      data.teams.delete(findTeam(data, params.team_uuid).id);
    },
  }),
];

function findTeam(data: OrganizationData, id: string): TeamRecord {
  const team = data.teams.get(id.toLowerCase());
  if (team === undefined) throw notFound("team");
  return team;
}

/** What a team is after an update: what the update leaves out stays as it is. */
function changed(team: TeamRecord, call: Call<string, z.output<typeof teamChange>>): TeamBody {
  const { body, variations } = call;
  const missing = Object.keys(teamChange.shape).find((name) => !(name in body) && name !== "description");
  if (variations.teamUpdate === "whole" && missing !== undefined) {
    throw validationFailed(`${missing} is missing`);
  }
  if (variations.teamDescriptionRequired && body.description === undefined) {
    throw validationFailed("Description can't be blank");
  }
  return {
    name: body.name ?? team.name,
    description: body.description === undefined ? team.description : body.description,
    privacy: body.privacy ?? team.privacy,
    is_default_team: body.is_default_team ?? team.is_default_team,
    default_member_role: body.default_member_role ?? team.default_member_role,
    members_can_create_pipelines: body.members_can_create_pipelines ?? team.members_can_create_pipelines,
  };
}

function requireDescription({ body, variations }: Call<string, TeamBody>): void {
  if (variations.teamDescriptionRequired && body.description === undefined) {
    throw validationFailed("Description can't be blank");
  }
}

function writable(body: TeamBody) {
  return { ...body, description: body.description ?? null };
}

/** The whole team, or only what was sent: services differ. */
function answer(call: Call<string, TeamBody>, team: TeamRecord): unknown {
  return call.variations.teamWriteResponse === "full" ? showTeam(call.view, team) : submitted(call.body);
}

function submitted(body: TeamBody): z.output<typeof submittedTeamSchema> {
  return { ...body, description: body.description ?? "" };
}
