import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../../src/emulator/index.js";
import { Colleague } from "../../../support/colleague.js";
import { BACKENDS, ResourceOfProgram } from "../../../support/program.js";

let emulator: Emulator;
let colleague: Colleague;
let teamId: string;
let userId: string;

beforeEach(async () => {
  emulator = await startEmulator();
  colleague = new Colleague(emulator);
  const team = await colleague.sends("POST", "/teams", {
    ...{ name: "Platform", description: "", privacy: "visible", is_default_team: false },
    ...{ default_member_role: "member", members_can_create_pipelines: false },
  });
  teamId = String(team.id);
  const creators = (await colleague.list(`/teams/${teamId}/members`)).map((one) => one.user_id);
  const members = await colleague.list("/members");
  userId = String(members.find(({ id }) => !creators.includes(id))?.id);
  emulator.clearRequests();
});
afterEach(() => emulator.close());

const members = () => `/teams/${teamId}/members`;
const pair = () => ({ teamId, userId });
const writes = () =>
  emulator.requests.filter(({ method }) => method !== "GET").map(({ operation }) => operation);

/** Removes the user and adds the user again, which gives the pair another time of creation. */
async function readded(role: "member" | "maintainer" = "member") {
  await colleague.sends("DELETE", `${members()}/${userId}`);
  await colleague.sends("POST", members(), { user_id: userId, role });
  const { teams } = emulator.organizationData;
  const memberships = teams.get(teamId)?.memberships;
  teams.update(teamId, {
    memberships: { ...memberships, [userId]: { role, created_at: "2031-05-01T10:00:00.000Z" } },
  });
  emulator.clearRequests();
}

describe.each(BACKENDS)("A member of a team, by the backend %s,", (backend) => {
  const member = () => new ResourceOfProgram(backend, emulator, "TeamMember");

  test("is created with the default role, and its id names the team and the user", async () => {
    const made = await member().up(pair());
    expect(made).toMatchObject({ id: `${teamId}/${userId}`, outs: { ...pair(), role: "member" } });
    expect((await member().preview(pair(), made)).changes).toBe(false);
    expect(await member().refresh(made)).toMatchObject({ id: made.id, inputs: { role: "member" } });
  });

  test("changes its role in place, and is removed by its own request", async () => {
    const made = await member().up(pair());
    const changed = await member().up({ ...pair(), role: "maintainer" }, made);
    expect(changed.outs).toMatchObject({ role: "maintainer" });
    await member().destroy(changed);
    expect(writes()).toEqual(["teamMembers.create", "teamMembers.update", "teamMembers.delete"]);
    expect((await colleague.list(members())).map((one) => one.user_id)).not.toContain(userId);
  });

  test("that exists already is an error with its role and its import, because nobody may be taken over", async () => {
    await colleague.sends("POST", members(), { user_id: userId, role: "maintainer" });
    await expect(member().up(pair())).rejects.toThrow(
      new RegExp(`role "maintainer".*import: ".*${teamId}/${userId}"`, "s"),
    );
    expect(writes()).toEqual(["teamMembers.create"]);
  });

  test("is imported by the name of the team and the email of the user", async () => {
    await colleague.sends("POST", members(), { user_id: userId, role: "maintainer" });
    const { email } = await colleague.sends("GET", `/members/${userId}`);
    emulator.clearRequests();
    if (backend === "plugin") {
      const read = await member().refresh({ id: `Platform/${email}`, inputs: {}, outs: {} });
      expect(read).toMatchObject({ id: `${teamId}/${userId}`, inputs: { role: "maintainer" } });
    } else {
      const made = await member().up({ ...pair(), role: "maintainer", import: `Platform/${email}` });
      expect(made.id).toBe(`${teamId}/${userId}`);
    }
    expect(writes()).toEqual([]);
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

  test("that was added again is not deleted by a stack that knows the one before", async () => {
    const made = await member().up(pair());
    await readded();
    const it = member();
    await it.destroy(made);
    expect(writes()).toEqual([]);
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
    expect(writes().length).toBeLessThanOrEqual(2);
  });

  test("is refused for a user that the program names by something else than a UUID", async () => {
    await expect(member().up({ teamId, userId: "ada@example.com" })).rejects.toThrow("is not a UUID");
    await expect(member().up({ ...pair(), role: "owner" })).rejects.toThrow(
      'expected "member" or "maintainer"',
    );
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
