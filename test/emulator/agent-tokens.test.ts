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
