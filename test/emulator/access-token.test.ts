import { describe, expect, test } from "vitest";
import { scopes } from "../../src/emulator/index.js";
import { Api } from "./api.js";

const api = Api.forEach();

describe("authentication", () => {
  test.each([undefined, "", "Bearer", "Bearer wrong", "Basic abc"])(
    "is required, and not %j",
    async (header) => {
      const headers: Record<string, string> = header === undefined ? {} : { authorization: header };
      const response = await fetch(`${api.emulator.url}/v2/organizations/acme/clusters`, { headers });
      expect(response.status).toBe(401);
      const { message } = Object(await response.json());
      expect(message).toMatch(/^Authentication required\. Please supply a valid API Access Token: http/);
    },
  );

  test("fails after the access token revoked itself", async () => {
    const spare = api.as(api.emulator.spareAccessToken);
    const shown = await spare.entity("GET", "/v2/access-token");
    expect(shown).toEqual({
      uuid: expect.any(String),
      scopes: [...scopes],
      description: null,
      created_at: expect.any(String),
      expires_at: null,
      user: { name: "Ada Archer", email: "ada@acme.example" },
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

test("An access token ends at its time", async () => {
  let now = Date.parse("2030-01-01T00:00:00Z");
  const timed = await Api.start({ clock: () => new Date(now) });
  const expiresAt = "2030-01-01T00:10:00.000Z";
  const token = timed.emulator.createAccessToken({ scopes: [], expiresAt });
  const shown = await timed.as(token).entity("GET", "/v2/access-token");
  expect(shown).toMatchObject({ created_at: "2030-01-01T00:00:00.000Z", expires_at: expiresAt });
  now += 600_000;
  expect((await timed.as(token).send("GET", "/v2/access-token")).status).toBe(401);
});

test("The read-only access token changes nothing", async () => {
  const reader = api.as(api.emulator.readOnlyAccessToken);
  expect(await reader.list("/clusters")).toEqual([]);
  const body = { message: "Your access token doesn't have the write_clusters scope" };
  expect(await reader.send("POST", "/clusters", { name: "x" })).toMatchObject({ status: 403, body });
});
