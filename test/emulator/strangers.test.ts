import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { userOfConnection } from "../../src/emulator/http/visitors.js";
import { Api } from "./api.js";

let api: Api;
beforeEach(async () => {
  api = await Api.start({ seed: false });
});
afterEach(() => api.emulator.close());

/** Sends a request as a browser would, with headers that fetch keeps to itself. */
function send(
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const outgoing = request(`${api.emulator.url}${path}`, { method, headers }, (incoming) => {
      let text = "";
      incoming.on("data", (chunk) => {
        text += chunk;
      });
      incoming.on("end", () => resolve({ status: incoming.statusCode, text }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
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
    expect(await send(path, { ...headers, authorization })).toMatchObject({
      status: 403,
      text: expect.stringContaining("message"),
    });
    expect(api.emulator.requests).toEqual([]);
  });

  test("neither writes nor fills the list of requests", async () => {
    const headers = { origin: "https://page.example", authorization: `Bearer ${api.token}` };
    expect((await send(clusters, headers, '{"name":"x"}')).status).toBe(403);
    expect(api.emulator.organizationData.clusters.size).toBe(0);
    expect(api.emulator.requests).toEqual([]);
  });
});

test.each(["127.0.0.1", "localhost", "LOCALHOST", "127.1.2.3", "[::1]"])(
  "%s is this machine, with any port, and pages of that address are its own",
  async (name) => {
    for (const host of [name, `${name}:${port()}`, `${name}:1`]) {
      const authorization = `Bearer ${api.token}`;
      expect((await send(clusters, { host, authorization })).status).toBe(200);
      expect((await send(clusters, { host, authorization, origin: `http://${host}` })).status).toBe(200);
      expect((await send("/", { host })).status).toBe(200);
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
  for (let index = 0; index < 8; index++) {
    await api.cluster({ name: `${index}`, description });
  }
  const kept = api.emulator.requests.map(({ body }) => body !== "[forgotten]");
  expect(kept).toEqual([false, false, false, true, true, true, true, true]);
  expect(api.emulator.requests.at(-1)?.body).toEqual({ name: "7", description });
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

describe("the user behind a connection", () => {
  // From proc(5): local and remote address with their ports in hexadecimal, state, and the user in the eighth column.
  const table = (...rows: readonly string[]) =>
    ["  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid", ...rows].join("\n");
  const row = (from: string, to: string, state: string, user: number) =>
    `   0: 0100007F:${from} 0100007F:${to} ${state} 00000000:00000000 00:00000000 00000000  ${user}        0 1 1`;

  test.each([
    ["the owner of the socket at the other end", [row("1F91", "1F90", "01", 1000)], [1000]],
    ["not the emulator's own end", [row("1F90", "1F91", "01", 0)], []],
    ["also when it waits for the end", [row("1F91", "1F90", "05", 1000)], [1000]],
    ["not a connection that is over", [row("1F91", "1F90", "06", 0)], []],
    ["every one that it could be", [row("1F91", "1F90", "01", 1), row("1F91", "1F90", "01", 2)], [1, 2]],
  ])("is %s", (_, rows, users) => {
    expect(userOfConnection(table(...rows), { from: 0x1f91, to: 0x1f90 })).toEqual(users);
  });
});
