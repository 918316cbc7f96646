import { Team } from "pulumi-buildpipeline";

// Everybody who joins the organization is in this one.
const everyone = new Team("everyone", {
  name: "Everyone",
  description: "All members",
  isDefaultTeam: true,
});

// Product teams create their own pipelines. The first names go into URNs: they stay when a team is renamed.
const products = { storefront: "Storefront", payments: "Payments", search: "Search" };
const productTeams = Object.entries(products).map(
  ([key, name]) => new Team(key, { name, description: `Owns ${key}`, membersCanCreatePipelines: true }),
);

// Seen by its members only.
new Team("security", { name: "Security", privacy: "secret", defaultMemberRole: "maintainer" });

export const slugs = [everyone, ...productTeams].map((team) => team.slug);
