import { z } from "zod";
import { type Call, deletion, listing, newerSection, operation, reading } from "./http/operation.js";
import { choice, id } from "./model/body.js";
import * as model from "./model/entity.js";
import { notFound, validationFailed } from "./model/refusals.js";
import { findTeam, maintainedTeam, memberRoles, membershipOf, readsTeams, type TeamRecord } from "./teams.js";

const fields = {
  user_id: model.derived(model.uuid, (member: { id: string }) => member.id),
  user_name: model.derived(
    z.string(),
    (member: { id: string }, { data }) => data.users.get(member.id)?.name ?? "",
  ),
  role: z.enum(memberRoles),
  created_at: model.timestamp,
};

interface Member extends model.RecordOf<typeof fields> {
  /** The user's. */
  readonly id: string;
}

const member = model.entity<Member>("TeamMember", fields);

const collection = "/v2/organizations/{org_slug}/teams/{team_uuid}/members";
const single = `${collection}/{user_uuid}`;
const role = choice(memberRoles);

export const teamMembers = newerSection("teamMembers", "teams", {
  list: listing(
    collection,
    "List the members of a team",
    member,
    (call) => {
      const team = findTeam(call);
      return team.member_ids.map((userId) => memberOf(team, userId));
    },
    { ...readsTeams, list: "unpaged" },
  ),
  get: reading(single, "Get a member of a team", member, (call) => findMember(call).member, readsTeams),
  create: operation("POST", collection, "Add a member of the organization to a team", {
    body: z.object({ user_id: id, role }),
    response: member,
    run: (call) => {
      const { body, data, now } = call;
      const team = maintainedTeam(call);
      if (!data.users.get(body.user_id)?.member) {
        throw validationFailed("User must be a member of this organization");
      }
      if (team.member_ids.includes(body.user_id)) {
        throw validationFailed("User has already been added to this team");
      }
      return changed(call, team, body.user_id, { role: body.role, created_at: now });
    },
  }),
  update: operation("PATCH", single, "Change the role of a team's member", {
    body: z.object({ role }),
    response: member,
    run: (call) => {
      const { team, member } = findMember(call, maintainedTeam(call));
      return changed(call, team, member.id, { ...membershipOf(team, member.id), role: call.body.role });
    },
  }),
  delete: deletion(single, "Remove a member from a team", "the member cannot be removed", (call) => {
    const { team, member } = findMember(call, maintainedTeam(call));
    const member_ids = team.member_ids.filter((userId) => userId !== member.id);
    const { [member.id]: _, ...memberships } = team.memberships ?? {};
    return call.data.teams.update(team.id, { member_ids, memberships });
  }),
});

function memberOf(team: TeamRecord, userId: string): Member {
  return { id: userId, ...membershipOf(team, userId) };
}

function findMember(call: Call<"team_uuid" | "user_uuid">, team = findTeam(call)) {
  const userId = call.params.user_uuid.toLowerCase();
  if (!team.member_ids.includes(userId)) throw notFound("team member");
  return { team, member: memberOf(team, userId) };
}

function changed(
  { data }: Call,
  team: TeamRecord,
  userId: string,
  membership: ReturnType<typeof membershipOf>,
): Member {
  const member_ids = [...new Set([...team.member_ids, userId])];
  const memberships = { ...team.memberships, [userId]: membership };
  return memberOf(data.teams.update(team.id, { member_ids, memberships }), userId);
}
