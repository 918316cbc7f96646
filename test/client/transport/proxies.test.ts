import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BuildPipelineClient, outcomeOf } from "../../../src/client/index.js";
import { proxyFor } from "../../../src/client/transport/proxy.js";
import { startProxy, TLS } from "../../support/proxy.js";
import { ACCESS_TOKEN, answer, CLUSTER, connect, create, get, json, rejection, serve } from "../service.js";

const PATH = "/v2/organizations/acme/clusters";
const PASSWORD = "hunter2/&secret";
const CREDENTIALS = `ann:${encodeURIComponent(PASSWORD)}`;
/** Only the proxy finds this host. */
const SERVICE = "https://service.test";

beforeEach(() => {
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"])
    for (const spelling of [name, name.toLowerCase()]) vi.stubEnv(spelling, undefined);
  const known = getCACertificates();
  setDefaultCACertificates([...known, TLS.cert]);
  return () => setDefaultCACertificates(known);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A service behind a proxy, which the environment names. */
async function behind(
  behavior: Omit<Parameters<typeof startProxy>[0], "to"> = {},
  respond = answer(200, CLUSTER),
) {
  const offered = new Set<string>();
  const ALPNCallback = ({ protocols }: { protocols: string[] }) => {
    for (const protocol of protocols) offered.add(protocol);
    return "http/1.1";
  };
  const service = await serve(respond, { ...TLS, ALPNCallback });
  const proxy = await startProxy({ to: service.url, ...behavior });
  vi.stubEnv("HTTPS_PROXY", proxy.url.replace("//", `//${CREDENTIALS}@`));
  return { service, proxy, offered };
}

describe("behind a company's proxy, where some tools went around it", () => {
  test("each request goes through a tunnel, with the password for the proxy alone", async () => {
    const { service, proxy, offered } = await behind({ credentials: `ann:${PASSWORD}` });
    const client = connect(SERVICE);
    expect(await get(client)).toEqual(CLUSTER);
    await create(client);
    // With HTTP/2, a request that was refused could have been sent.
    expect([...offered]).toEqual(["http/1.1"]);
    expect(proxy.seen[0]).toBe("CONNECT service.test:443");
    expect(service.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${PATH}/c-1`,
      `POST ${PATH}`,
    ]);
    for (const { headers } of service.seen) {
      expect(headers.authorization).toBe(`Bearer ${ACCESS_TOKEN}`);
      expect(headers).not.toHaveProperty("proxy-authorization");
    }
  });

  test("a connection that was idle for a second is closed, so that no creation uses it", async () => {
    const closed = Promise.withResolvers<void>();
    const sockets = new Set<unknown>();
    const { proxy } = await behind({ credentials: `ann:${PASSWORD}` }, (_, response) => {
      sockets.add(response.socket);
      response.socket?.once("close", closed.resolve);
      json(response, 201, CLUSTER, { connection: "keep-alive", "keep-alive": "timeout=600" });
    });
    const client = connect(SERVICE);
    await create(client);
    await closed.promise;
    await create(client);
    expect(sockets.size).toBe(2);
    expect(proxy.seen).toEqual(Array(2).fill("CONNECT service.test:443"));
  });

  test("plain http, where it is allowed, goes to the proxy as it is", async () => {
    const service = await serve(answer(200, CLUSTER));
    const proxy = await startProxy({ to: service.url });
    vi.stubEnv("HTTP_PROXY", proxy.url);
    await get(connect("http://service.test", { allowInsecureHttp: true }));
    expect(proxy.seen).toEqual([`GET http://service.test${PATH}/c-1`]);
    expect(service.seen).toHaveLength(1);
  });

  test("the emulator on this machine is reached without it", async () => {
    const { url, seen } = await serve(answer(200, CLUSTER));
    for (const name of ["HTTPS_PROXY", "HTTP_PROXY"]) vi.stubEnv(name, "http://proxy.invalid:3128");
    expect(await get(connect(url))).toEqual(CLUSTER);
    expect(seen).toHaveLength(1);
  });

  test("a client can be closed", async () => {
    await behind();
    const client = connect(SERVICE);
    await get(client);
    await client.close();
    expect(await rejection(get(client))).toMatchObject({ name: "ConnectionError", delivered: "no" });
  });
});

describe("a proxy that refuses", () => {
  test.each([
    [407, 1, "needs a user and a password"],
    [403, 1, "responded with 403"],
    [502, 5, "responded with 502"],
    ["close" as const, 5, "the proxy closed the connection"],
  ])("a POST with %s: it was surely not sent, in %i tries", async (refusal, attempts, words) => {
    const { service, proxy } = await behind({ refusal });
    const error = await rejection(create(connect(SERVICE)));
    expect(error).toMatchObject({
      name: "ConnectionError",
      attempts,
      message: expect.stringContaining(words),
    });
    expect(error).toMatchObject({ message: expect.stringContaining(`the proxy`) });
    const asksForPassword = Object(error).message.includes("write them into HTTPS_PROXY");
    expect(asksForPassword).toBe(refusal === 407);
    expect(outcomeOf(error)).toBe("not sent");
    expect(proxy.seen).toHaveLength(attempts);
    expect(service.seen).toEqual([]);
  });

  test("a POST in plain http with 407: it was surely not sent, too", async () => {
    const service = await serve(answer(201, CLUSTER));
    const proxy = await startProxy({ to: service.url, credentials: "ann:other" });
    vi.stubEnv("HTTP_PROXY", proxy.url);
    const error = await rejection(create(connect("http://service.test", { allowInsecureHttp: true })));
    const message = expect.stringContaining("needs a user and a password");
    expect(error).toMatchObject({ name: "ConnectionError", attempts: 1, message });
    expect(outcomeOf(error)).toBe("not sent");
    expect(service.seen).toEqual([]);
  });

  test.each([
    ["wrong", { credentials: "ann:other" }],
    ["right, and the service can't be reached", { refusal: 502 }],
  ])("shows its password nowhere when that is %s", async (_, behavior) => {
    const { proxy } = await behind(behavior);
    const client = connect(SERVICE);
    const error = await rejection(get(client));
    expect(error).toMatchObject({ message: expect.stringContaining(`the proxy http://${proxy.host} `) });
    const shown = inspect([error, client], { depth: 10, showHidden: true }) + JSON.stringify(error);
    const sent = Buffer.from(`ann:${PASSWORD}`).toString("base64");
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), sent]) expect(shown).not.toContain(secret);
  });

  test("connections is named, without its password", async () => {
    const { proxy } = await behind();
    await proxy.stop();
    const error = await rejection(create(connect(SERVICE, { maxRetries: 0 })));
    const message = expect.stringContaining(`(through the proxy http://${proxy.host})`);
    expect(error).toMatchObject({ systemCode: "ECONNREFUSED", message });
    expect(error).toMatchObject({ message: expect.not.stringContaining("hunter2") });
    expect(outcomeOf(error)).toBe("not sent");
  });
});

test("a certificate that is not trusted is an error through a tunnel as well, and nothing is sent", async () => {
  setDefaultCACertificates(getCACertificates("bundled"));
  const { service } = await behind();
  const error = await rejection(create(connect(SERVICE)));
  expect(error).toMatchObject({
    systemCode: expect.stringContaining("SELF_SIGNED"),
    attempts: 1,
    delivered: "no",
  });
  expect(service.seen).toEqual([]);
});

test.each([
  "http://",
  "ftp://proxy:21",
  "socks5://proxy:1080",
  "http://ann:100%@proxy:3128",
  "http://ann:hunter2@:80",
])("a variable that is no proxy's address is named, and not quoted: %s", (value) => {
  vi.stubEnv("https_proxy", value);
  const make = () =>
    new BuildPipelineClient({ accessToken: ACCESS_TOKEN, organization: "acme", baseUrl: SERVICE });
  expect(make).toThrow(/^HTTPS_PROXY is not .* NO_PROXY/);
  expect(make).toThrow(expect.objectContaining({ message: expect.not.stringContaining("hunter2") }));
});

describe("the variables are read as other tools read them", () => {
  const proxy = "http://proxy.example.com:3128";
  const both = { HTTPS_PROXY: proxy, HTTP_PROXY: "http://other:1" };
  const exempt = (NO_PROXY: string) => ({ HTTPS_PROXY: proxy, NO_PROXY });
  const through = proxy.slice("http://".length);

  test.each<[string, Record<string, string>, string | undefined]>([
    ["https://api.example.com", both, through],
    ["http://api.example.com", both, "other:1"],
    ["https://api.example.com", { HTTP_PROXY: proxy }, undefined],
    ["https://api.example.com", { https_proxy: proxy, HTTPS_PROXY: "http://other:1" }, through],
    ["https://api.example.com", { https_proxy: " ", HTTPS_PROXY: proxy }, through],
    ["https://api.example.com", { HTTPS_PROXY: through }, through],
    ["https://localhost", both, undefined],
    ["https://127.0.0.9", both, undefined],
    ["https://[::1]", both, undefined],
    ["https://api.example.com", exempt("*"), undefined],
    ["https://api.example.com", exempt("other.com, API.Example.com"), undefined],
    ["https://api.example.com", exempt("other.com example.com."), undefined],
    ["https://api.example.com.", exempt(".example.com"), undefined],
    ["https://example.com", exempt(".example.com"), undefined],
    ["https://api.example.com", exempt("*.example.com"), undefined],
    ["https://example.com", exempt("*.example.com"), through],
    ["https://badexample.com", exempt("example.com"), through],
    ["https://api.example.com", exempt("api.example.com:443"), undefined],
    ["https://api.example.com", exempt("api.example.com:8443"), through],
    ["https://api.example.com:8443", exempt("*:8443"), undefined],
    ["https://[2001:db8::1]", exempt("::1,2001:db8::1"), undefined],
    ["https://[2001:db8::1]:8443", exempt("[2001:db8::1]:8443"), undefined],
    ["https://[2001:db8::1]", exempt("[2001:db8::1]:8443"), through],
    ["https://[2001:db8::2]", exempt("2001:db8::1"), through],
    ["https://api.example.com", exempt(" , "), through],
    ["https://api.example.com", { https_proxy: proxy, no_proxy: "api.example.com" }, undefined],
  ])("%s with %j", (address, environment, expected) => {
    expect(proxyFor(new URL(address), environment)?.url.host).toBe(expected);
  });
});
