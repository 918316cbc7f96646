import { describe, expect, test } from "vitest";
import { Api } from "../api.js";

const api = Api.forEach({ seed: false });

describe("a fault", () => {
  test("answers 429 as the limits do", async () => {
    api.emulator.fault({ action: { status: 429 } });
    api.emulator.fault({ action: { rateLimited: { scope: "user", resetSeconds: 7 } } });
    const first = await api.send("GET", "/clusters");
    expect(first).toMatchObject({ status: 429, body: { scope: "rest", limit: 200, reset: 1 } });
    const second = await api.send("GET", "/clusters");
    expect(second).toMatchObject({ status: 429, body: { scope: "user", limit: 50, reset: 7 } });
    expect(second.headers.get("ratelimit-user-reset")).toBe("7");
    expect((await api.send("GET", "/clusters")).status).toBe(200);
  });

  test("leaves a caller without an answer, who gives up", async () => {
    const fault = api.emulator.fault({ action: "hang" });
    const headers = { authorization: `Bearer ${api.token}` };
    const url = `${api.emulator.url}/v2/access-token`;
    const caller = new AbortController();
    const asked = expect(fetch(url, { headers, signal: caller.signal })).rejects.toThrow();
    // A caller that gives up before its request arrives would leave the fault to the next one.
    await expect.poll(() => fault.hits).toBe(1);
    caller.abort();
    await asked;
    expect((await api.send("GET", "/v2/access-token")).status).toBe(200);
  });

  test("skips requests, hits as often as given, and matches by path", async () => {
    const path = /\/clusters$/g;
    const fault = api.emulator.fault({ path, after: 1, times: 2, action: { status: 500 } });
    for (const expected of [200, 500, 500, 200]) {
      expect((await api.send("GET", "/teams")).status).toBe(200);
      expect((await api.send("GET", "/clusters")).status).toBe(expected);
    }
    expect(fault.hits).toBe(2);
  });

  test("matches a path as a whole and without its query, so that it hits no other list", async () => {
    api.emulator.fault({ path: "/v2/organizations/acme/teams", action: { status: 500 } });
    expect((await api.send("GET", "/clusters")).status).toBe(200);
    expect((await api.send("GET", "/teams?page=1")).status).toBe(500);
  });

  test("ends with remove(), or with all others at a reset, so that the next test meets none", async () => {
    const fault = api.emulator.fault({ times: Number.POSITIVE_INFINITY, action: { status: 500 } });
    expect((await api.send("GET", "/teams")).status).toBe(500);
    fault.remove();
    expect((await api.send("GET", "/teams")).status).toBe(200);
    api.emulator.fault({ action: { status: 500 } });
    await api.emulator.reset();
    expect((await api.send("GET", "/teams")).status).toBe(200);
  });
});

test.each([
  { body: "<p>" },
  { status: 502, body: "<h1>Bad gateway</h1>" },
  { status: 503, body: { message: "Down" } },
])("a fault answers with %j, and its headers replace others, however they are capitalized", async (given) => {
  const headers = { "content-type": "text/html", date: "Tue, 01 Jan 2030 00:00:00 GMT", "x-reason": "test" };
  api.emulator.fault({ method: "get", action: { ...given, headers } });
  const answer = await api.send("GET", "/clusters");
  expect(answer).toMatchObject({ status: 200, ...given });
  for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value);
});

test.each([204, 205, 304])("a fault answers with the status %i, which has no body", async (status) => {
  api.emulator.fault({ operation: "clusters.list", action: { status, headers: { ETag: '"1"' } } });
  const answer = await api.send("GET", "/clusters");
  expect([answer.status, answer.headers.get("etag")]).toEqual([status, '"1"']);
  expect(api.emulator.requests[0]?.status).toBe(status);
});

describe("work that is done late", () => {
  let time = Date.parse("2030-01-01T00:00:00Z");
  const late = Api.forEach({ seed: false, clock: () => new Date(time) });

  test("is done at the first request after its time, and carries that time", async () => {
    late.emulator.fault({ action: { workAfterMs: 5_000, meanwhile: { status: 504 } } });
    expect((await late.send("POST", "/clusters", { name: "slow" })).status).toBe(504);
    time += 4_000;
    expect((await late.send("GET", "/clusters")).body).toEqual([]);
    time += 4_000;
    const done = { name: "slow", created_at: "2030-01-01T00:00:05.000Z" };
    expect((await late.send("GET", "/clusters")).body).toMatchObject([done]);
  });

  test("is done when it is asked to finish", async () => {
    late.emulator.fault({ action: { workAfterMs: 5_000, meanwhile: "drop" } });
    await expect(late.cluster({ name: "slow" })).rejects.toThrow();
    expect(late.emulator.organizationData.clusters.size).toBe(0);
    expect(late.emulator.finishLateWork()).toBe(1);
    expect(late.emulator.organizationData.clusters.size).toBe(1);
  });
});

describe("acts between two requests", () => {
  test("are done when a request arrives, before it is carried out", async () => {
    const stop = api.emulator.onRequest(({ operation }) => {
      if (operation !== "clusters.list") return;
      const created = api.emulator.perform("clusters.create", { body: { name: "of a colleague" } });
      expect(created).toMatchObject({ status: 201, body: { name: "of a colleague" } });
    });
    expect((await api.send("GET", "/clusters")).body).toHaveLength(1);
    stop();
    expect((await api.send("GET", "/clusters")).body).toHaveLength(1);
  });

  test("are refused as requests are", () => {
    const { emulator } = api;
    expect(emulator.perform("clusters.get", { params: { id: "none" } }).status).toBe(404);
    const accessToken = emulator.readOnlyAccessToken;
    expect(emulator.perform("clusters.create", { body: { name: "x" }, accessToken }).status).toBe(403);
    expect(() => emulator.perform("clusters.paint")).toThrow("There is no operation clusters.paint.");
  });
});
