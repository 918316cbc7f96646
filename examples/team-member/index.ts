import * as pulumi from "@pulumi/pulumi";
import { Team, TeamMember } from "pulumi-buildpipeline";

const config = new pulumi.Config();
const platform = new Team("platform", { name: "Platform" });

// Or look the person up: getOrganizationMemberOutput({ email: "ada@example.com" }).id
const ada = new TeamMember("ada", {
  teamId: platform,
  userId: config.require("ada"),
  role: "maintainer",
});

export const membershipId = ada.id;
