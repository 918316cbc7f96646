import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text as read } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { cases } from "../support/cases.js";
import { Api } from "./api.js";

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const api = Api.forEach({ seed: false });

/** Sends a request as a browser would, with headers that fetch keeps to itself, to an address of this machine. */
async function send(path: string, headers: Record<string, string>, body?: string, address = "127.0.0.1") {
  const url = new URL(api.emulator.url);
  const method = body === undefined ? "GET" : "POST";
  const named = { host: url.host, ...headers };
  const outgoing = request({ host: address, port: url.port, path, method, headers: named, agent });
  outgoing.end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, "response");
  const cookie = incoming?.headers["set-cookie"]?.[0] ?? "";
  return { status: incoming?.statusCode, text: incoming ? await read(incoming) : "", cookie };
}

const clusters = "/v2/organizations/acme/clusters";
const port = () => new URL(api.emulator.url).port;

describe("a web page of others", () => {
  test.each([
    ["/", { host: "rebound.example" }],
    ["/", { host: "rebound.example:80" }],
    ["/", { host: "127.0.0.1.example" }],
    ["/", { host: "10.0.0.1" }],
    ["/openapi.json", { host: "rebound.example" }],
    ["/organizations/acme/clusters/x", { host: "rebound.example" }],
    [clusters, { host: "rebound.example" }],
    ["/", { origin: "https://page.example" }],
    ["/", { origin: "null" }],
    ["/openapi.json", { origin: "https://page.example" }],
    [clusters, { origin: "http://127.0.0.1" }],
    [clusters, { origin: "http://localhost:3000" }],
  ])("is refused at %s with %j, and leaves no trace", async (path, headers) => {
    const authorization = `Bearer ${api.token}`;
    const refused = { status: 403, text: expect.stringContaining("message") };
    for (const body of [undefined, '{"name":"x"}'])
      expect(await send(path, { ...headers, authorization }, body)).toMatchObject(refused);
    expect(api.emulator.requests).toEqual([]);
    expect(api.emulator.organizationData.clusters.size).toBe(0);
  });
});

test.each(["127.0.0.1", "localhost", "LOCALHOST", "127.1.2.3", "[::1]"])(
  "%s is this machine, with any port, and pages of that address are its own",
  async (name) => {
    for (const host of [name, `${name}:${port()}`, `${name}:1`]) {
      const authorization = `Bearer ${api.token}`;
      expect((await send(clusters, { host, authorization })).status).toBe(200);
      expect((await send(clusters, { host, authorization, origin: `http://${host}` })).status).toBe(200);
      const { pathname, search } = new URL(api.emulator.pageUrl);
      expect((await send(`${pathname}${search}`, { host })).status).toBe(200);
    }
  },
);

describe("a request without an access token", () => {
  test("is listed without its body", async () => {
    expect((await api.as("wrong").send("POST", "/clusters", { name: "x" })).status).toBe(401);
    expect(api.emulator.requests).toMatchObject([{ status: 401, body: undefined }]);
  });

  test("does not use up a fault", async () => {
    const fault = api.emulator.fault({ operation: "clusters.create", action: "drop" });
    expect((await api.as("wrong").send("POST", "/clusters", { name: "x" })).status).toBe(401);
    expect(fault.hits).toBe(0);
    await expect(api.cluster()).rejects.toThrow();
    expect(fault.hits).toBe(1);
  });

  test("meets a fault that is meant for it", async () => {
    api.emulator.fault({ anyCaller: true, action: { status: 500 } });
    expect((await api.as("wrong").send("GET", "/clusters")).status).toBe(500);
    expect((await api.as("wrong").send("GET", "/clusters")).status).toBe(401);
  });
});

test("the list of requests keeps the latest bodies, within a budget", async () => {
  const description = "x".repeat(3_000_000);
  for (let index = 0; index < 8; index++) await api.cluster({ name: `${index}`, description });
  const kept = api.emulator.requests.map(({ body }) => body !== "[forgotten]");
  expect(kept).toEqual([false, false, false, true, true, true, true, true]);
  expect(api.emulator.requests.at(-1)?.body).toEqual({ name: "7", description });
});

test("long addresses count towards that budget, also those of strangers", async () => {
  const address = `/${"x".repeat(4_000)}?${"y".repeat(11_000)}`;
  const { accessToken } = api.emulator;
  const authorization = `Bearer not-${accessToken}`;
  await Promise.all(Array.from({ length: 1_100 }, () => send(address, { authorization })));
  const sizes = api.emulator.requests.map(({ path, query }) => path.length + query.length);
  expect(sizes).toHaveLength(1_100);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(16_100_000);
  expect(api.emulator.requests.at(-1)?.path).toBe(address.slice(0, 4_001));
});

describe("a body that is nested beyond all reason", () => {
  test.each([
    ["lists", "[".repeat(200_000) + "]".repeat(200_000)],
    ["objects", `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`],
    ["a field", `{"name":"x","description":${"[".repeat(101)}${"]".repeat(101)}}`],
    ["lists that never end", "[".repeat(5_000_000)],
  ])("of %s is refused like one that is no JSON", async (_, body) => {
    const answer = await send(clusters, { authorization: `Bearer ${api.token}` }, body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({ message: expect.any(String) });
    expect(api.emulator.requests).toMatchObject([{ status: 400, body: expect.any(String) }]);
  });
});

describe("the page", () => {
  const inside = "served by the emulator on this machine";
  const key = () => new URL(api.emulator.pageUrl).searchParams.get("key") ?? "";

  const open = (address: string, path: string, headers: Record<string, string> = {}) =>
    send(path, headers, undefined, address);

  const wrongKeys = fc.oneof(
    fc.constant(undefined),
    fc.base64String(),
    fc.nat({ max: 42 }).map((length) => key().slice(0, length)),
    fc.string().map((more) => `${key()}${more}x`),
  );

  test.each(["127.0.0.1", "::ffff:127.0.0.1"])("opens over %s with its key only", async (host) => {
    const { pathname, search } = new URL(api.emulator.pageUrl);
    const opened = { status: 200, text: expect.stringContaining(inside) };
    expect(await open(host, `${pathname}${search}`)).toMatchObject(opened);
    const property = fc.asyncProperty(wrongKeys, fc.boolean(), async (wrong, inCookie) => {
      const value = encodeURIComponent(wrong ?? "");
      const headers: Record<string, string> = inCookie ? { cookie: `page-${port()}=${value}` } : {};
      const path = wrong === undefined || inCookie ? "/" : `/?key=${value}`;
      const { status, text, cookie } = await open(host, path, headers);
      expect({ status, cookie }).toEqual({ status: 403, cookie: "" });
      expect(text).toContain("pageUrl");
      expect(text).not.toContain(inside);
    });
    await fc.assert(property, { numRuns: cases(40) });
  });

  test("opens over IPv6 with its key only", async (context) => {
    const six = await startEmulator({ host: "::1" }).catch(() => context.skip());
    expect((await fetch(six.pageUrl)).status).toBe(200);
    expect((await fetch(six.url)).status).toBe(403);
    expect((await fetch(`${six.url}/?key=${key()}`)).status).toBe(403);
    await six.close();
  });

  test("opens again without the key in the browser that had it, also from an object's web address", async () => {
    const { cookie } = await open("127.0.0.1", `/?key=${key()}`);
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    const headers = { cookie: cookie.slice(0, cookie.indexOf(";")) };
    expect(await open("127.0.0.1", "/", headers)).toMatchObject({ status: 200 });
    const lead = await send("/organizations/acme/clusters/x", headers);
    expect(lead.status).toBe(302);
    expect(lead.text).not.toContain(key());
  });

  test("has an address of its own, which doesn't give the access token away", async () => {
    const other = await startEmulator({ seed: false });
    expect(other.pageUrl).not.toContain(key());
    expect(api.emulator.pageUrl).not.toContain(api.token);
    await other.close();
  });
});
