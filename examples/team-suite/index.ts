import { Suite, Team, TeamSuite } from "pulumi-buildpipeline";

const platform = new Team("platform", { name: "Platform" });
const unit = new Suite("unit", { name: "Unit tests", defaultBranch: "main" });

const access = new TeamSuite("platform-unit", {
  teamId: platform,
  suiteId: unit,
  accessLevel: ["read", "edit"],
});

export const accessId = access.id;
