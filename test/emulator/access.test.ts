import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { emulatorOperations, scopes } from "../../src/emulator/index.js";
import { Api } from "./api.js";

let api: Api;
beforeEach(async () => {
  api = await Api.start();
});
afterEach(() => api.emulator.close());

/** An operation's path with something that fits in each placeholder. */
function concrete(path: string): string {
  return path
    .replace("{org_slug}", "acme")
    .replace("{pipeline_slug}", "storefront")
    .replace("{suite_slug}", "storefront-tests")
    .replace("{number}", "1")
    .replaceAll(/\{\w+\}/g, "00000000-0000-4000-8000-000000000000");
}

describe("authentication", () => {
  test.each([undefined, "", "Bearer", "Bearer wrong", "Basic abc"])(
    "is required, and not %j",
    async (header) => {
      const response = await fetch(`${api.emulator.url}/v2/organizations/acme/clusters`, {
        headers: header === undefined ? {} : { authorization: header },
      });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({
        message: expect.stringMatching(
          /^Authentication required\. Please supply a valid API Access Token: http/,
        ),
      });
    },
  );

  test("fails after the access token revoked itself", async () => {
    const spare = api.as(api.emulator.spareAccessToken);
    expect(await spare.entity("GET", "/v2/access-token")).toEqual({
      uuid: expect.any(String),
      scopes: [...scopes],
    });
    expect((await spare.send("DELETE", "/v2/access-token")).status).toBe(204);
    expect((await spare.send("GET", "/v2/access-token")).status).toBe(401);
    expect((await api.send("GET", "/v2/access-token")).status).toBe(200);
  });

  test("fails after somebody revoked the access token", async () => {
    const token = api.emulator.createAccessToken({ scopes: ["read_clusters"] });
    expect((await api.as(token).send("GET", "/clusters")).status).toBe(200);
    api.emulator.revokeAccessToken(token);
    expect((await api.as(token).send("GET", "/clusters")).status).toBe(401);
  });
});

describe("scopes", () => {
  test.each(emulatorOperations.filter(({ scope }) => scope !== null))(
    "$id needs $scope",
    async (operation) => {
      const others = scopes.filter((scope) => scope !== operation.scope && scope !== "read_teams");
      const without = api.as(api.emulator.createAccessToken({ scopes: others }));
      const refused = await without.send(operation.method, concrete(operation.path));
      expect(refused.status).toBe(403);
      expect(refused.body).toEqual({
        message: expect.stringMatching(/^Your access token doesn't have the \w+ scope$/),
      });
      const only = api.as(api.emulator.createAccessToken({ scopes: [operation.scope ?? ""] }));
      expect((await only.send(operation.method, concrete(operation.path))).status).not.toBe(403);
    },
  );

  test("of the read-only token change nothing", async () => {
    const reader = api.as(api.emulator.readOnlyAccessToken);
    expect(await reader.list("/clusters")).toEqual([]);
    expect(await reader.send("POST", "/clusters", { name: "x" })).toMatchObject({
      status: 403,
      body: { message: "Your access token doesn't have the write_clusters scope" },
    });
  });

  test.each([
    ["either", ["read_teams", "view_teams"]],
    ["read_teams", ["read_teams"]],
    ["view_teams", ["view_teams"]],
  ] as const)("that read a single team: %s", async (teamScope, accepted) => {
    const other = await Api.start({ variations: { teamScope } });
    for (const scope of ["read_teams", "view_teams"] as const) {
      const reader = other.as(other.emulator.createAccessToken({ scopes: [scope] }));
      const { status } = await reader.send("GET", "/teams/00000000-0000-4000-8000-000000000000");
      expect([scope, status]).toEqual([scope, accepted.some((name) => name === scope) ? 404 : 403]);
    }
    await other.emulator.close();
  });

  test("that are missing can look like something missing", async () => {
    const other = await Api.start({ variations: { missingScope: 404 } });
    const reader = other.as(other.emulator.createAccessToken({ scopes: [] }));
    expect((await reader.send("GET", "/clusters")).status).toBe(404);
    await other.emulator.close();
  });
});

describe("the organization", () => {
  test("is the only one", async () => {
    const [organization] = await api.list("/v2/organizations");
    expect(organization).toMatchObject({ slug: "acme", name: "Acme" });
    expect(await api.entity("GET", "/v2/organizations/acme")).toEqual(organization);
  });

  test.each(emulatorOperations.filter(({ path }) => path.includes("{org_slug}")))(
    "of $id is not found under another name",
    async ({ method, path }) => {
      const answer = await api.send(method, concrete(path.replace("{org_slug}", "other")));
      expect(answer).toMatchObject({ status: 404, body: { message: "No organization found" } });
    },
  );

  test("has members", async () => {
    const members = await api.list("/members");
    expect(members).toEqual([
      { id: expect.any(String), name: "Ada Archer", email: "ada@acme.example" },
      { id: expect.any(String), name: "Ben Baker", email: "ben@acme.example" },
    ]);
    expect(await api.entity("GET", `/members/${members[1]?.id}`)).toEqual(members[1]);
    expect((await api.send("GET", "/members/nobody")).status).toBe(404);
  });

  test("starts with nothing in it when it is not seeded, but for its access tokens", async () => {
    const other = await Api.start({ seed: false, organization: "new-org" });
    for (const path of [
      "/agents",
      "/members",
      "/builds",
      "/suites",
      "/clusters",
      "/teams",
      "/pipeline-templates",
    ]) {
      expect(await other.list(path)).toEqual([]);
    }
    expect((await other.send("GET", "/pipelines/storefront/builds")).status).toBe(404);
    expect(await other.entity("GET", "/v2/organizations/new-org")).toMatchObject({ name: "New Org" });
    await other.emulator.close();
  });
});
