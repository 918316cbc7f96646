import * as z from "zod";
import { entity, flag, identifier, text } from "./entity.js";
import { type User, userSchema } from "./user.js";

/** A team of an organization (section 2.6). */
export interface Team {
  /** UUID. */
  id: string;
  name: string;
  /** Opaque id of the service's GraphQL interface. */
  graphql_id?: string | null;
  /** The name in web addresses. */
  slug?: string | null;
  /** May be empty. */
  description?: string | null;
  /** `visible` or `secret`. */
  privacy?: string | null;
  /** Whether new members of the organization join by default. */
  default?: boolean | null;
  /** ISO 8601, UTC. */
  created_at?: string | null;
  created_by?: User | null;
  /** As written; whether the service returns it is open. */
  is_default_team?: boolean | null;
  /** `member` or `maintainer`, as written; whether the service returns it is open. */
  default_member_role?: string | null;
  /** As written; whether the service returns it is open. */
  members_can_create_pipelines?: boolean | null;
}

/**
 * What creating or updating a team answers (section 4.5): the whole team, or nothing but the properties that were
 * submitted. Then `id` is missing, and the team is found by listing.
 */
export interface TeamWriteResult extends Partial<Team> {}

const described = {
  graphql_id: text,
  slug: text,
  description: text,
  privacy: text,
  default: flag,
  created_at: text,
  created_by: userSchema.nullable(),
  is_default_team: flag,
  default_member_role: text,
  members_can_create_pipelines: flag,
};

export const teamSchema: z.ZodType<Team> = entity<Team>({ id: identifier, name: identifier }, described);

export const teamWriteResultSchema: z.ZodType<TeamWriteResult> = entity<TeamWriteResult>(
  {},
  { ...described, id: identifier, name: z.string() },
);
