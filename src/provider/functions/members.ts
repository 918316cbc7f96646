import { readComplete } from "../../client/api/list.js";
import type * as api from "../../client/index.js";
import type { NoArguments } from "./invoke/arguments.js";
import { findOne } from "./invoke/find-one.js";
import { getFunction } from "./invoke/function.js";
import { type MemberResult, readMemberResult } from "./results/entities.generated.js";
import type { InOrganization } from "./results/result-fields.js";

/** Identifies a member of the organization by exactly one of `id`, `email` and `name`. */
export interface GetOrganizationMemberArgs {
  /** UUID of the user. */
  id?: string | undefined;
  /** Email address. Upper and lower case are equal. */
  email?: string | undefined;
  /** Exact name. The function fails if several members have this name. */
  name?: string | undefined;
}

/** A member of an organization. */
export interface GetOrganizationMemberResult extends MemberResult, InOrganization {}

export type { NoArguments as GetOrganizationMembersArgs };

/** The members of an organization. */
export interface GetOrganizationMembersResult extends InOrganization {
  /** In the order of the API. */
  readonly organizationMembers: GetOrganizationMemberResult[];
}

const byId = (client: api.BuildPipelineClient, id: string) => client.members.get(id);
const list = (client: api.BuildPipelineClient) =>
  readComplete(client.members.list(), { noun: "member", idOf: ({ id }) => id });

/**
 * Looks up a member of the organization by id, email or name. Scope: `read_organizations`.
 * @throws LookupError if no object matches, or several do; the message lists their ids.
 * @example
 * ```ts
 * const { id } = await getOrganizationMember({ email: "ada@example.com" });
 * const { teams } = await getTeams({ userId: id });
 * ```
 */
export const getOrganizationMember = getFunction<GetOrganizationMemberArgs, GetOrganizationMemberResult>(
  "getOrganizationMember",
  async ({ get, organization }, args) => {
    const found = await findOne(args, ["id", "email", "name"], {
      get: (id) => get(byId, id),
      list: () => get(list),
      nouns: "members",
      all: "getOrganizationMembers()",
      idOf: ({ id }) => id,
      matches: ({ name, email }, argument, value) =>
        argument === "name" ? name === value : email?.toLowerCase() === value.toLowerCase(),
    });
    return { ...readMemberResult(found), organization };
  },
);

/**
 * Lists the members of the organization. Scope: `read_organizations`.
 * @example const { organizationMembers } = await getOrganizationMembers();
 */
export const getOrganizationMembers = getFunction<NoArguments | undefined, GetOrganizationMembersResult>(
  "getOrganizationMembers",
  async ({ get, organization }) => {
    const found = await get(list);
    return {
      organizationMembers: found.map((each) => ({ ...readMemberResult(each), organization })),
      organization,
    };
  },
);
