import { expect, test } from "vitest";
import { Api } from "../api.js";

let api: Api;
let now = Date.parse("2030-01-01T00:00:00Z");

async function start(limits: "off" | "real" | object): Promise<void> {
  api = await Api.start({ limits, clock: () => new Date(now) });
}

const get = () => api.send("GET", "/v2/access-token");

test("limits are off at first, and tell nothing", async () => {
  await start("off");
  const { headers } = await get();
  expect([...headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([]);
});

test("real limits let a user send 50 requests a minute", async () => {
  await start("real");
  for (let index = 0; index < 50; index++) expect((await get()).status).toBe(200);
  now += 18_500;
  const refused = await get();
  expect(refused.status).toBe(429);
  const message = expect.stringContaining("42 seconds");
  expect(refused.body).toEqual({ message, scope: "user", limit: 50, current: 51, reset: 42 });
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    "ratelimit-scope": "rest",
    "ratelimit-remaining": "149",
    "ratelimit-limit": "200",
    "ratelimit-reset": "42",
    "ratelimit-user-remaining": "0",
    "ratelimit-user-limit": "50",
    "ratelimit-user-reset": "42",
  });
  expect(refused.headers.has("retry-after")).toBe(false);
  now += 41_500;
  expect(await get()).toMatchObject({ status: 200 });
});

test("all users share the organization's limit", async () => {
  await start({ organizationPerMinute: 2 });
  const ben = api.emulator.addMember({ name: "Ben", email: "b@acme.example" });
  const colleague = api.as(api.emulator.createAccessToken({ scopes: [], userId: ben.id }));
  await get();
  expect((await colleague.send("GET", "/v2/access-token")).headers.get("ratelimit-remaining")).toBe("0");
  expect((await colleague.send("GET", "/v2/access-token")).body).toMatchObject({ scope: "rest", limit: 2 });
});

test("a request that is refused for its limit does nothing", async () => {
  await start({ userPerMinute: 1, windowSeconds: 5 });
  await api.cluster();
  expect((await api.send("POST", "/clusters", { name: "x" })).status).toBe(429);
  expect(api.emulator.organizationData.clusters.size).toBe(1);
  now += 5_000;
  expect((await api.send("POST", "/clusters", { name: "x" })).status).toBe(201);
});

test("requests without a valid access token are not counted", async () => {
  await start({ userPerMinute: 1 });
  expect((await api.as("wrong").send("GET", "/v2/access-token")).status).toBe(401);
  expect((await get()).status).toBe(200);
});

test("every answer to a caller who is known tells what is left, faults and errors among them", async () => {
  await start("real");
  const left = async (path: string) => (await api.send("GET", path)).headers.get("ratelimit-user-remaining");
  expect(await left("/v2/nothing")).toBe("49");
  expect(await left("/clusters/none")).toBe("48");
  api.emulator.fault({ action: { status: 500 } });
  api.emulator.fault({ when: "after", action: { status: 502 } });
  expect([await left("/clusters"), await left("/clusters")]).toEqual(["47", "46"]);
});

test("whose limit is used up meets no fault, until a reset", async () => {
  await start({ userPerMinute: 1 });
  const fault = api.emulator.fault({ after: 1, action: { status: 500 } });
  expect((await get()).status).toBe(200);
  expect((await get()).status).toBe(429);
  expect(fault.hits).toBe(0);
  await api.emulator.reset();
  expect((await get()).status).toBe(200);
});
