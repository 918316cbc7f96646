import type * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import { type InputsOf, oneWay } from "./asking/arguments.js";
import { oneOf } from "./asking/one-of.js";
import { request } from "./asking/request.js";
import { entity, same } from "./entity-fields.js";
import { Lookup } from "./lookup.js";

/** Which member of the organization: give one of the three. */
export interface GetOrganizationMemberArgs {
  /** UUID of the user. */
  id?: string | undefined;
  /** Address, upper and lower case alike. */
  email?: string | undefined;
  /** Name, exactly. An error if several members have it. */
  name?: string | undefined;
}

/** {@link GetOrganizationMemberArgs}, where each may be an Output. */
export interface GetOrganizationMemberOutputArgs extends InputsOf<GetOrganizationMemberArgs> {}

/** A member of an organization (the API document, section 2.14). */
export interface GetOrganizationMemberResult {
  /** UUID of the user. */
  readonly id: string;
  /** Slug of the organization. */
  readonly organization: string;
  /** Name of the user. */
  readonly name?: string;
  /** Address of the user. */
  readonly email?: string;
}

/** Takes no arguments. */
export type GetOrganizationMembersArgs = Record<string, never>;

/** Takes no arguments. */
export type GetOrganizationMembersOutputArgs = Record<string, never>;

/** The members of an organization. */
export interface GetOrganizationMembersResult {
  readonly organizationMembers: GetOrganizationMemberResult[];
  /** Slug of the organization. */
  readonly organization: string;
}

const read = entity<wire.Member, GetOrganizationMemberResult>({ id: same, name: same, email: same });

const memberById = request("members.get", (client, id: string) => client.members.get(id));
const allMembers = request("members.list", (client) => client.members.list().all());

const organizationMember = new Lookup<GetOrganizationMemberArgs, GetOrganizationMemberResult>(
  "getOrganizationMember",
  async (service, args) => {
    const { way, value } = oneWay(args, ["id", "email", "name"]);
    const found =
      way === "id"
        ? await service.ask(memberById, value)
        : oneOf(await service.ask(allMembers), {
            nouns: "members",
            way,
            matches: ({ name, email }) =>
              way === "name" ? name === value : email?.toLowerCase() === value.toLowerCase(),
            idOf: ({ id }) => id,
            all: "getOrganizationMembers()",
          });
    return { ...read(found), organization: service.organization };
  },
);

const organizationMembers = new Lookup<GetOrganizationMembersArgs, GetOrganizationMembersResult>(
  "getOrganizationMembers",
  async (service) => {
    const { organization } = service;
    const found = await service.ask(allMembers);
    return { organizationMembers: found.map((each) => ({ ...read(each), organization })), organization };
  },
);

/**
 * Looks up a member of the organization by id, email or name (the API document, section 4.9). Scope:
 * `read_organizations`.
 *
 * @throws LookupError if there is none, or several; the message lists their ids.
 * @example
 * ```ts
 * const { id } = await getOrganizationMember({ email: "ada@example.com" });
 * const { teams } = await getTeams({ userId: id });
 * ```
 */
export function getOrganizationMember(
  args: GetOrganizationMemberArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetOrganizationMemberResult> {
  return organizationMember.now(args, opts);
}

/**
 * {@link getOrganizationMember} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 */
export function getOrganizationMemberOutput(
  args: GetOrganizationMemberOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetOrganizationMemberResult> {
  return organizationMember.output(args, opts);
}

/**
 * Lists the members of the organization (the API document, section 4.9). Scope: `read_organizations`.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { organizationMembers } = await getOrganizationMembers();
 * ```
 */
export function getOrganizationMembers(
  args: GetOrganizationMembersArgs = {},
  opts?: pulumi.InvokeOptions,
): Promise<GetOrganizationMembersResult> {
  return organizationMembers.now(args, opts);
}

/**
 * {@link getOrganizationMembers} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 */
export function getOrganizationMembersOutput(
  args: GetOrganizationMembersOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetOrganizationMembersResult> {
  return organizationMembers.output(args, opts);
}
