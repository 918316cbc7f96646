import { getOrganizationMembers, Team, TeamMember } from "pulumi-buildpipeline";

const platform = new Team("platform", { name: "Platform" });

// A user must belong to the organization. getOrganizationMember({ email: "…" }) finds one.
const newest = getOrganizationMembers().then(
  ({ organizationMembers }) => organizationMembers.at(-1)?.id ?? "",
);

const maintainer = new TeamMember("maintainer", { teamId: platform, userId: newest, role: "maintainer" });

export const name = maintainer.userName;
