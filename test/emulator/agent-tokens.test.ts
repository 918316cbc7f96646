import { beforeEach, describe, expect, test } from "vitest";
import { Api } from "./api.js";

const api = Api.forEach({ seed: false });
let tokens: string;
beforeEach(async () => {
  tokens = `/clusters/${(await api.cluster()).id}/tokens`;
});

describe("an agent token", () => {
  test.each([
    ["10.0.0.0/8 192.0.2.7", "10.0.0.0/8 192.0.2.7"],
    ["", null],
    [null, null],
    [undefined, null],
  ])("takes the addresses %j", async (allowed_ip_addresses, expected) => {
    const created = await api.entity("POST", tokens, { description: "x", allowed_ip_addresses });
    expect(created.allowed_ip_addresses).toBe(expected);
  });

  test("has 24 addresses at most", async () => {
    const addresses = (count: number) =>
      Array.from({ length: count }, (_, index) => `10.0.0.${index}`).join(" ");
    const body = { description: "x", allowed_ip_addresses: addresses(24) };
    const path = `${tokens}/${(await api.entity("POST", tokens, body)).id}`;
    expect((await api.send("PUT", path, { allowed_ip_addresses: addresses(25) })).status).toBe(422);
    expect((await api.entity("GET", path)).allowed_ip_addresses).toBe(addresses(24));
  });

  test("shows when it expires, which only its creation sets", async () => {
    const lasting = await api.entity("POST", tokens, { description: "x" });
    expect(lasting).not.toHaveProperty("expires_at");
    const body = { description: "x", expires_at: "2131-01-01T01:00:00+01:00" };
    const created = await api.entity("POST", tokens, body);
    const expires_at = "2131-01-01T00:00:00.000Z";
    expect(created).toMatchObject({ expires_at });
    const updated = await api.entity("PUT", `${tokens}/${created.id}`, { expires_at: null });
    expect(updated).toMatchObject({ expires_at });
  });

  test.each([
    [null, "can't be blank"],
    ["tomorrow", "must be an ISO 8601 time"],
    ["2020-01-01T00:00:00Z", "must be at least 10 minutes from now"],
    [new Date(Date.now() + 540_000).toISOString(), "must be at least 10 minutes from now"],
  ])("is refused with the end %j", async (expires_at, reason) => {
    const answer = await api.send("POST", tokens, { description: "x", expires_at });
    const message = `Validation failed: Expires at ${reason}`;
    expect([answer.status, answer.body]).toEqual([422, { message }]);
  });
});
