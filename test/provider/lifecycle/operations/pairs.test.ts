import { beforeEach, describe, expect, test } from "vitest";
import { colleague, colleagueForEach, emulator, written } from "../../../support/colleague.js";
import { BACKENDS, ResourceOfProgram } from "../../../support/program.js";

colleagueForEach({ seed: true });
let teamId: string;
let userId: string;

beforeEach(async () => {
  teamId = await colleague.makesTeam("Platform");
  const creators = (await colleague.list(`/teams/${teamId}/members`)).map((one) => one.user_id);
  const members = await colleague.list("/members");
  userId = String(members.find(({ id }) => !creators.includes(id))?.id);
  emulator.clearRequests();
});

const members = () => `/teams/${teamId}/members`;
const pair = () => ({ teamId, userId });

/** Removes the user and adds the user again, which gives the pair another time of creation. */
async function readded(role: "member" | "maintainer" = "member") {
  await colleague.sends("DELETE", `${members()}/${userId}`);
  await colleague.sends("POST", members(), { user_id: userId, role });
  makeLater(role);
  emulator.clearRequests();
}

function makeLater(role: "member" | "maintainer" = "member"): void {
  const { teams } = emulator.organizationData;
  const memberships = teams.get(teamId)?.memberships;
  teams.update(teamId, {
    memberships: { ...memberships, [userId]: { role, created_at: "2031-05-01T10:00:00.000Z" } },
  });
}

describe.each(BACKENDS)("A member of a team, by the backend %s,", (backend) => {
  const member = () => new ResourceOfProgram(backend, emulator, "TeamMember");

  test("that exists already is an error with its role and its import, because nobody may be taken over", async () => {
    await colleague.sends("POST", members(), { user_id: userId, role: "maintainer" });
    await expect(member().up(pair())).rejects.toThrow(
      new RegExp(`role "maintainer".*import: ".*${teamId}/${userId}"`, "s"),
    );
    expect(written()).toEqual(["teamMembers.create"]);
  });

  test("that was removed and added again is recorded by a refresh, with a line", async () => {
    const made = await member().up(pair());
    await readded("maintainer");
    const it = member();
    expect(await it.refresh(made)).toMatchObject({
      inputs: { role: "maintainer" },
      outs: { createdAt: "2031-05-01T10:00:00.000Z" },
    });
    expect(it.said.join()).toContain("removed and added again");
  });

  test("that was added again right before an update has what the update sent, and a line names that", async () => {
    const made = await member().up(pair());
    const remove = emulator.onRequest(({ operation }) => {
      if (operation !== "teamMembers.update") return;
      remove();
      makeLater();
    });
    const it = member();
    const { outs } = await it.up({ ...pair(), role: "maintainer" }, made);
    expect(outs).toMatchObject({ role: "maintainer", createdAt: "2031-05-01T10:00:00.000Z" });
    expect(it.said.join()).toMatch(
      /removed and added again during its update.*it has role as the program says/s,
    );
  });

  test("that was added again is not deleted by a stack that knows the one before", async () => {
    const made = await member().up(pair());
    await readded();
    const it = member();
    await it.destroy(made);
    expect(written()).toEqual([]);
    expect(it.said.join()).toContain("only removed from state");
    expect((await colleague.list(members())).map((one) => one.user_id)).toContain(userId);
  });

  test("is missing after somebody removed it, and with its team", async () => {
    const made = await member().up(pair());
    await colleague.sends("DELETE", `${members()}/${userId}`);
    expect(await member().refresh(made)).toBeUndefined();
    await colleague.sends("DELETE", `/teams/${teamId}`);
    expect(await member().refresh(made)).toBeUndefined();
  });

  test("stays in state if another access token can't see its team, which may be hidden from that token", async () => {
    const made = await member().up(pair());
    const { __tokenId, ...outs } = made.outs;
    await colleague.sends("DELETE", `/teams/${teamId}`);
    const it = member();
    expect(
      await it.refresh({ ...made, outs: { ...outs, __tokenId: "0190f1c4-0000-4000-8000-000000000001" } }),
    ).toBeDefined();
    expect(__tokenId).toEqual(expect.any(String));
    expect(it.said.join()).toContain("stays in state");
  });

  test("whose creation got no response is found by the user and the time", async () => {
    emulator.fault({ operation: "teamMembers.create", when: "after", action: "drop" });
    const made = await member().up(pair());
    expect(made.id).toBe(`${teamId}/${userId}`);
    expect(written().length).toBeLessThanOrEqual(2);
  });

  test("is refused for a user that the program names by something else than a UUID", async () => {
    await expect(member().up({ teamId, userId: "ada@example.com" })).rejects.toThrow("is not a UUID");
    await expect(member().up({ ...pair(), role: "owner" })).rejects.toThrow(
      'expected "member" or "maintainer"',
    );
    expect(written()).toEqual([]);
  });
});

describe.each(BACKENDS)("A team's access to a suite, by the backend %s,", (backend) => {
  const access = () => new ResourceOfProgram(backend, emulator, "TeamSuite");
  let suiteId: string;
  beforeEach(async () => {
    suiteId = await colleague.makes("/suites", { name: "Unit", default_branch: "main" });
    emulator.clearRequests();
  });
  const levels = (...accessLevel: string[]) => ({ teamId, suiteId, accessLevel });

  test("has levels in any order, and changes in place", async () => {
    const made = await access().up(levels("edit", "read"));
    expect(made.id).toBe(`${teamId}/${suiteId}`);
    expect((await access().preview(levels("read", "edit"), made)).changes).toBe(
      // Pulumi's engine compares the inputs of the dynamic provider.
      false,
    );
    const read = await access().refresh(made);
    expect(read?.inputs).toMatchObject({ accessLevel: ["edit", "read"] });
    const changed = await access().up(levels("read"), made);
    await access().destroy(changed);
    expect(written()).toEqual(["teamSuites.create", "teamSuites.update", "teamSuites.delete"]);
  });

  test("to edit alone is a warning, because Buildkite's pages leave it open", async () => {
    const it = access();
    const { provider } = await it.preview(levels("edit"));
    expect(provider.messages.join()).toContain('lacks "read"');
  });
});
