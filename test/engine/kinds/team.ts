import type { TeamArgs } from "../../../src/index.js";
import type { KindCase } from "./kind-case.js";

const body = {
  name: "Platform",
  description: "Owns the machines",
  privacy: "visible",
  is_default_team: true,
  default_member_role: "maintainer",
  members_can_create_pipelines: true,
};

export const teamCase: KindCase<TeamArgs> = {
  kind: "Team",
  declare: (classes, name, args, opts) => new classes.Team(name, args, opts),
  get: (classes, name, id) => classes.Team.get(name, id),
  args: () => ({
    name: "Platform",
    description: "Owns the machines",
    privacy: "visible",
    isDefaultTeam: true,
    defaultMemberRole: "maintainer",
    membersCanCreatePipelines: true,
  }),
  another: (args, name) => ({ ...args, name: `${args.name} ${name}` }),
  onService: () => ({
    name: "Platform",
    description: "Owns the machines",
    privacy: "visible",
    default: true,
  }),
  changes: () => ({
    name: [{ to: "Platforms", expect: "update", onService: { name: "Platforms" } }],
    description: [{ to: undefined, expect: "update" }],
    privacy: [{ to: "secret", expect: "update", onService: { privacy: "secret" } }],
    isDefaultTeam: [{ to: false, expect: "update", onService: { default: false } }],
    defaultMemberRole: [{ to: "member", expect: "update" }],
    membersCanCreatePipelines: [{ to: undefined, expect: "update" }],
  }),
  drifts: [
    {
      of: ["name", "description", "privacy", "isDefaultTeam"],
      body: { ...body, name: "By hand", description: "by hand", privacy: "secret", is_default_team: false },
    },
  ],
  path: (_, id) => `/teams/${id}`,
  list: () => "/teams",
  updateMethod: "PATCH",
  importName: (_, team) => String(team.slug),
  byHand: async (colleague) => {
    await colleague.sends("POST", "/teams", body);
    const team = (await colleague.list("/teams")).find(({ name }) => name === body.name);
    if (team === undefined) throw new Error("the team is not listed");
    return team;
  },
  mismatch: { privacy: "secret" },
};
