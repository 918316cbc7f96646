import { z } from "zod";
import type { TeamRecord } from "../store/records.js";
import { showUser, userSchema } from "./user.js";
import { graphqlId, optionalText, type View } from "./view.js";
import { opaqueId, timestamp, unsettable, uuid } from "./wire.js";

export const teamPrivacy = z.enum(["visible", "secret"]);
export const teamMemberRole = z.enum(["member", "maintainer"]);

/** Section 2.6. */
export const teamSchema = z
  .object({
    id: uuid,
    graphql_id: opaqueId,
    name: z.string(),
    slug: z.string(),
    description: unsettable,
    privacy: teamPrivacy,
    default: z.boolean(),
    created_at: timestamp,
    created_by: userSchema.nullable(),
    is_default_team: z.boolean().optional(),
    default_member_role: teamMemberRole.optional(),
    members_can_create_pipelines: z.boolean().optional(),
  })
  .meta({ id: "Team" });

/** The terse answer of section 4.5: the submitted properties. */
export const submittedTeamSchema = z
  .object({
    name: z.string(),
    description: z.string().nullable().optional(),
    privacy: teamPrivacy,
    is_default_team: z.boolean(),
    default_member_role: teamMemberRole,
    members_can_create_pipelines: z.boolean(),
  })
  .meta({ id: "SubmittedTeam" });

export function showTeam(view: View, team: TeamRecord): z.infer<typeof teamSchema> {
  const { is_default_team, default_member_role, members_can_create_pipelines } = team;
  return {
    id: team.id,
    graphql_id: graphqlId("Team", team.id),
    name: team.name,
    slug: team.slug,
    ...optionalText(view, "description", team.description),
    privacy: team.privacy,
    default: is_default_team,
    created_at: team.created_at,
    created_by: showUser(view, team.created_by),
    ...(view.variations.teamReturnsWritableFields
      ? { is_default_team, default_member_role, members_can_create_pipelines }
      : {}),
  };
}
