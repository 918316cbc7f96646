import { beforeEach, describe, expect, test } from "vitest";
import { scopes } from "../../src/emulator/index.js";
import { Api, team } from "./api.js";

const api = Api.forEach();
let path: string;
let ben: string;
beforeEach(async () => {
  path = `/teams/${(await api.entity("POST", "/teams", team())).id}/members`;
  ben = String(api.emulator.organizationData.users.find("name", "Ben Baker")?.id);
});

describe("a team's members", () => {
  test("begin with its creator, who maintains it", async () => {
    expect(await api.list(path)).toEqual([
      {
        user_id: expect.any(String),
        user_name: "Ada Archer",
        role: "maintainer",
        created_at: expect.any(String),
      },
    ]);
  });

  test("are added, changed and removed, also by a path that ends in a slash", async () => {
    const added = await api.entity("POST", `${path}/`, { user_id: ben, role: "member" });
    expect(added).toMatchObject({ user_id: ben, user_name: "Ben Baker", role: "member" });
    const changed = await api.entity("PATCH", `${path}/${ben}`, { role: "maintainer" });
    expect(changed).toEqual({ ...added, role: "maintainer" });
    expect(await api.entity("GET", `${path}/${ben}`)).toEqual(changed);
    expect(await api.list(`/teams?user_id=${ben}`)).toHaveLength(1);
    expect((await api.send("DELETE", `${path}/${ben}`)).status).toBe(204);
    expect((await api.send("GET", `${path}/${ben}`)).body).toEqual({ message: "No team member found" });
  });

  test.each([
    [{ role: "member" }, "User can't be blank"],
    [{ user_id: "x", role: "member" }, "User must be a UUID"],
    [{ user_id: crypto.randomUUID(), role: "member" }, "User must be a member of this organization"],
    [{ user_id: "ben" }, "Role can't be blank"],
    [{ user_id: "ben", role: "admin" }, "Role must be one of member, maintainer"],
  ])("are refused with %j", async (body, reason) => {
    const user = "user_id" in body && body.user_id === "ben" ? { user_id: ben } : {};
    const answer = await api.send("POST", path, { ...body, ...user });
    expect([answer.status, answer.body]).toEqual([422, { message: `Validation failed: ${reason}` }]);
  });

  test("are no pair twice, and a pair added again is a new one", async () => {
    const body = { user_id: ben, role: "maintainer" };
    await api.entity("POST", path, body);
    const again = await api.send("POST", path, body);
    const message = "Validation failed: User has already been added to this team";
    expect([again.status, again.body]).toEqual([422, { message }]);
    await api.send("DELETE", `${path}/${ben}`);
    expect(await api.entity("POST", path, { ...body, role: "member" })).toMatchObject({ role: "member" });
  });

  test("are changed by administrators and by the team's maintainers", async () => {
    const token = api.emulator.createAccessToken({ scopes: [...scopes], userId: ben, admin: false });
    const asBen = api.as(token);
    const refused = await asBen.send("POST", path, { user_id: ben, role: "member" });
    expect([refused.status, refused.body]).toEqual([403, { message: "Forbidden" }]);
    await api.entity("POST", path, { user_id: ben, role: "maintainer" });
    expect((await asBen.send("PATCH", `${path}/${ben}`, { role: "member" })).status).toBe(200);
    expect((await asBen.send("DELETE", `${path}/${ben}`)).status).toBe(403);
  });

  test("leave the team when they leave the organization", async () => {
    await api.entity("POST", path, { user_id: ben, role: "member" });
    api.emulator.organizationData.users.delete(ben);
    expect(await api.list(path)).toHaveLength(1);
  });
});
