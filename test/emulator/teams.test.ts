import { describe, expect, test } from "vitest";
import { scopes } from "../../src/emulator/index.js";
import { Api, team } from "./api.js";

const api = Api.forEach({ seed: false });

describe("a team", () => {
  test("has a slug of its own, also where names are the same", async () => {
    for (const slug of ["buro-and-co", "buro-and-co-2"])
      expect(await api.entity("POST", "/teams", team({ name: "Büro & Co" }))).toMatchObject({ slug });
  });

  test("has 249 others beside it at most", async () => {
    for (let index = 0; index < 250; index++) api.emulator.perform("teams.create", { body: team() });
    expect((await api.send("POST", "/teams", team())).status).toBe(422);
  });

  test("that is secret is hidden from a token that is to see no others", async () => {
    const ben = api.emulator.addMember({ name: "Ben", email: "b@acme.example" });
    const secret = await api.entity("POST", "/teams", team({ name: "Secret", privacy: "secret" }));
    const visible = await api.entity("POST", "/teams", team({ name: "Visible" }));
    const access = { scopes: [...scopes], userId: ben.id, seesSecretTeams: false };
    const outsider = api.as(api.emulator.createAccessToken(access));
    expect((await outsider.list("/teams")).map(({ id }) => id)).toEqual([visible.id]);
    for (const method of ["GET", "PATCH", "DELETE"]) {
      expect((await outsider.send(method, `/teams/${secret.id}`)).status).toBe(404);
    }
    api.emulator.organizationData.teams.update(String(secret.id), { member_ids: [ben.id] });
    expect(await outsider.list("/teams")).toHaveLength(2);
  });
});
