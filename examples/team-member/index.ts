import { getMembersOutput, Team, TeamMember } from "pulumi-buildpipeline";

const platform = new Team("platform", { name: "Platform" });

// A user must belong to the organization. getMemberOutput({ email: "…" }) finds one.
const first = getMembersOutput().members.apply(([member]) => member?.id ?? "");

const maintainer = new TeamMember("maintainer", { teamId: platform, userId: first, role: "maintainer" });

export const name = maintainer.userName;
