import { describe, expect, test } from "vitest";
import type { TeamArgs } from "../../src/index.js";
import { Team, throughEither } from "./doors.js";
import { lifecycle } from "./lifecycle.js";
import { TestStack } from "./stack.js";

const body = {
  name: "Platform",
  description: "Owns the machines",
  privacy: "visible",
  is_default_team: true,
  default_member_role: "maintainer",
  members_can_create_pipelines: true,
};

lifecycle<TeamArgs>({
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
});

describe(throughEither("A service that answers a team's writes with the submitted body only"), () => {
  const stack = TestStack.forAll({ variations: { teamWriteResponse: "submitted" } });

  test("has its team found by listing, and all six properties sent each time", async () => {
    const program = (description: string) => async () => {
      const team = new Team("it", { name: "Platform", description });
      return { slug: team.slug };
    };
    expect((await stack.up(program("one"))).outputs.slug).toBe("platform");
    stack.emulator.clearRequests();
    await stack.up(program("two"));
    const update = stack.emulator.requests.find(({ method }) => method !== "GET");
    expect(update?.body).toEqual({
      name: "Platform",
      description: "two",
      privacy: "visible",
      is_default_team: false,
      default_member_role: "member",
      members_can_create_pipelines: false,
    });
    await stack.refresh({ expectNoChanges: true });
    await stack.up(undefined, { expectNoChanges: true });
  });
});
