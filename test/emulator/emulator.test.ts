import { describe, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { Api } from "./api.js";

const api = Api.forEach();

describe("an emulator", () => {
  test("has an address without a slash at its end, on this machine only", async () => {
    expect(api.emulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    for (const host of ["0.0.0.0", "::", "example.com", "192.0.2.1"]) {
      await expect(startEmulator({ host })).rejects.toThrow(/loopback/);
    }
  });

  test.each(["", "Acme", "a b", "-a", "a/b"])("refuses the slug %j", async (organization) => {
    await expect(startEmulator({ organization })).rejects.toThrow(/organization must be/);
  });

  test("leaves the process's own fetch classes alone", async () => {
    expect((await fetch("data:,")).constructor === Response).toBe(true);
  });

  test("answers nothing once it is closed", async () => {
    const other = await Api.start();
    await other.emulator.close();
    await expect(other.send("GET", "/clusters")).rejects.toThrow();
    expect(() => other.emulator.organizationData.clusters.delete("x")).not.toThrow();
    expect(() => other.emulator.addMember({ name: "x", email: "x" })).toThrow(/closed/);
  });
});

describe("behind the API's back", () => {
  test("every field can be changed, and everything deleted", async () => {
    const { id } = await api.cluster();
    const { clusters } = api.emulator.organizationData;
    clusters.update(String(id), { description: "by hand", emoji: "" });
    expect(await api.entity("GET", `/clusters/${id}`)).toMatchObject({ description: "by hand", emoji: "" });
    expect(clusters.delete(String(id))).toBe(true);
    expect((await api.send("GET", `/clusters/${id}`)).status).toBe(404);
    expect(clusters.delete(String(id))).toBe(false);
  });

  test("a cluster's agents are disconnected when it goes", async () => {
    const { id } = await api.cluster();
    const queue = await api.queue(id);
    const agent = api.emulator.connectAgent({ queueId: String(queue.id) });
    expect((await api.send("DELETE", `/clusters/${id}`)).status).toBe(204);
    const left = await api.entity("GET", `/agents/${agent.id}`);
    expect(left).toMatchObject({ connection_state: "disconnected" });
  });

  test("what is missing is an error", () => {
    const { emulator } = api;
    const nowhere = "00000000-0000-4000-8000-000000000000";
    expect(() => emulator.moveBuild(nowhere, "passed")).toThrow(/no build/);
    expect(() => emulator.moveBuild({ pipeline: "x", number: 1 }, "passed")).toThrow(/no pipeline x/);
    expect(() => emulator.moveJob(nowhere, "passed")).toThrow(/no job/);
    expect(() => emulator.finishRun(nowhere)).toThrow(/no run/);
    expect(() => emulator.createRun("x")).toThrow(/no suite x/);
    expect(() => emulator.disconnectAgent(nowhere)).toThrow(/no agent/);
    expect(() => emulator.revokeAccessToken("x")).toThrow(/no access token/);
    expect(() => emulator.createPipeline({ slug: "storefront" })).toThrow(/already/);
  });
});

describe("the state", () => {
  test("is that of a new organization after a reset, with the same access tokens", async () => {
    const before = await api.list("/builds");
    await api.cluster();
    await api.entity("PUT", "/pipelines/storefront/builds/5/cancel");
    await api.as(api.emulator.spareAccessToken).send("DELETE", "/v2/access-token");
    await api.emulator.reset();
    expect(api.emulator.requests).toEqual([]);
    expect(await api.list("/clusters")).toEqual([]);
    const after = await api.list("/builds");
    expect(after.map(({ id, state }) => [id, state])).toEqual(before.map(({ id, state }) => [id, state]));
    expect((await api.as(api.emulator.spareAccessToken).send("GET", "/v2/access-token")).status).toBe(200);
  });

  test("is empty after a reset where it was empty at first", async () => {
    const other = await Api.start({ seed: false });
    await other.entity("POST", "/suites", { name: "x", default_branch: "main" });
    await other.emulator.reset();
    expect([await other.list("/suites"), await other.list("/builds")]).toEqual([[], []]);
  });
});

describe("the list of requests", () => {
  test("tells what was asked and answered", async () => {
    await api.send("POST", "/clusters?x=1", { name: "x" });
    await api.send("GET", "/v2/nothing");
    expect(api.emulator.requests).toEqual([
      {
        id: 1,
        at: expect.any(String),
        method: "POST",
        path: "/v2/organizations/acme/clusters",
        query: "x=1",
        body: { name: "x" },
        status: 201,
        operation: "clusters.create",
      },
      expect.objectContaining({
        id: 2,
        path: "/v2/nothing",
        status: 404,
        operation: undefined,
        body: undefined,
      }),
    ]);
    api.emulator.clearRequests();
    expect(api.emulator.requests).toEqual([]);
  });

  test("has no credentials in it", async () => {
    await api.send("POST", "/clusters", { name: "x", nested: [{ access_token: "hush", password: "hush" }] });
    await api.send("POST", "/suites", { name: "x", default_branch: "main", show_api_token: true });
    const observed = JSON.stringify(api.emulator.requests);
    expect(observed).not.toContain("hush");
    expect(observed).not.toContain(api.token);
    expect(observed).toContain('"show_api_token":true');
  });
});

describe("requests of real clients", () => {
  const raw = (method: string, path: string, init: RequestInit = {}) =>
    fetch(`${api.emulator.url}/v2/organizations/acme${path}`, {
      method,
      ...init,
      headers: { authorization: `bearer ${api.token}`, ...init.headers },
    });

  test("may have no body, and no content type", async () => {
    expect((await raw("PUT", "/pipelines/storefront/builds/1/rebuild")).status).toBe(200);
    expect((await raw("POST", "/clusters", { body: Buffer.from('{"name":"x"}') })).status).toBe(201);
    expect((await raw("POST", "/clusters", { body: "null" })).status).toBe(422);
  });

  test("are refused when their body is no JSON, or too large", async () => {
    expect((await raw("POST", "/clusters", { body: "{" })).status).toBe(400);
    expect((await raw("POST", "/clusters", { body: "x".repeat(10_000_001) })).status).toBe(413);
  });

  test.each(["PUT", "PATCH"])("change by %s what they send, and nothing else", async (method) => {
    const { id } = await api.cluster({ name: "Linux", description: "old", color: "#fff" });
    const queue = await api.queue(id);
    const token = { description: "x", allowed_ip_addresses: "10.0.0.0/8" };
    const { id: tokenId } = await api.entity("POST", `/clusters/${id}/tokens`, token);
    const rows: [path: string, change: object, others: object][] = [
      ["", { description: "new" }, { name: "Linux", color: "#fff" }],
      [`/queues/${queue.id}`, { description: "new" }, { key: "default" }],
      [`/tokens/${tokenId}`, { description: "new" }, { allowed_ip_addresses: "10.0.0.0/8" }],
      [`/tokens/${tokenId}`, { allowed_ip_addresses: "192.0.2.7" }, { description: "new" }],
    ];
    for (const [path, change, others] of rows) {
      const changed = { ...change, ...others };
      expect(await api.entity(method, `/clusters/${id}${path}`, change)).toMatchObject(changed);
      expect(await api.entity("GET", `/clusters/${id}${path}`)).toMatchObject(changed);
    }
  });
});
