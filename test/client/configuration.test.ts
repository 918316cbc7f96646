import { inspect } from "node:util";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { BuildPipelineClient, ConfigurationError } from "../../src/client/index.js";
import { ACCESS_TOKEN, answer, CLUSTER, connect, rejection, serve, start } from "./service.js";

const good = { accessToken: ACCESS_TOKEN, organization: "acme", baseUrl: "https://api.example.com" };

const scopes = answer(200, { uuid: "u", scopes: [] });

async function problemWith(options: Record<string, unknown>): Promise<ConfigurationError> {
  const make = async () => new BuildPipelineClient({ ...good, ...options });
  const error = await rejection(make());
  if (!(error instanceof ConfigurationError)) throw error;
  return error;
}

test.each([
  ["accessToken", "BUILDPIPELINE_ACCESS_TOKEN"],
  ["organization", "BUILDPIPELINE_ORGANIZATION"],
  ["baseUrl", "BUILDPIPELINE_BASE_URL"],
])("where %s is missing, the error names it and says where to set it", async (setting, variable) => {
  for (const value of [undefined, null, "", "  "]) {
    const error = await problemWith({ [setting]: value });
    expect(error.setting).toBe(setting);
    const ways = [`Set ${variable}`, `buildpipeline:${setting}`, `pass ${setting}`];
    for (const words of [`${setting} is missing`, ...ways]) expect(error.message).toContain(words);
  }
});

describe("a setting that is not given", () => {
  const environment = {
    BUILDPIPELINE_ACCESS_TOKEN: ` ${ACCESS_TOKEN}\n`,
    BUILDPIPELINE_ORGANIZATION: "acme",
  };
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test("comes from the environment, without the blanks and the /v2 that people copy along", async () => {
    const service = await serve(answer(200, CLUSTER));
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    vi.stubEnv("BUILDPIPELINE_BASE_URL", `${service.url}/v2/`);
    const client = new BuildPipelineClient();
    onTestFinished(() => client.close());
    await client.clusters.get("c-1");
    expect(service.seen[0]).toMatchObject({
      path: "/v2/organizations/acme/clusters/c-1",
      headers: { authorization: `Bearer ${ACCESS_TOKEN}` },
    });
    expect(new BuildPipelineClient({ organization: "other" }).organization).toBe("other");
  });

  test("and is wrong in the environment is named as option and variable", () => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    vi.stubEnv("BUILDPIPELINE_BASE_URL", "ftp://example.com");
    const said = /^baseUrl .* Set BUILDPIPELINE_BASE_URL, .* pass baseUrl/;
    expect(() => new BuildPipelineClient()).toThrow(said);
  });
});

describe("a malformed setting", () => {
  test.each([
    ["accessToken", "Bearer secret-value"],
    ["accessToken", "secret-value\n"],
    ["accessToken", "sécret-value"],
    ["accessToken", 12345678],
  ])("%s is refused without being quoted: %j", async (setting, value) => {
    const error = await problemWith({ [setting]: value });
    expect(error.setting).toBe(setting);
    expect(inspect(error)).not.toContain("secret-value");
    expect(inspect(error)).not.toContain("12345678");
  });

  const slugs = ["https://example.com/acme", "acme corp", "acme/other", "..", "acme?x"];
  const addresses = [
    "api.example.com",
    "ftp://api.example.com",
    "https://user:hunter2@api.example.com",
    "https://api.example.com?x=1",
    "https://api.example.com#top",
    "http://api.example.com",
    "http://127.0.0.1.example.com",
  ];
  test.each<[string, unknown]>([
    ...slugs.map((slug): [string, string] => ["organization", slug]),
    ...addresses.map((address): [string, string] => ["baseUrl", address]),
    ["timeoutMs", 0],
    ["timeoutMs", 2 ** 31],
    ["maxRetries", -1],
    ["maxRetries", 1.5],
    ["concurrency", 0],
    ["maxRateLimitWaitMs", -1],
    ["userAgent", "two\nlines"],
  ])("%s %j", async (setting, value) => {
    const error = await problemWith({ [setting]: value });
    expect(error.setting).toBe(setting);
    expect(error.message).not.toContain("hunter2");
  });
});

describe("baseUrl", () => {
  test.each([
    ...["", "/", "/v2", "/v2/", "//"].map((end) => [end, "/v2/access-token"] as const),
    ["/gateway/v2", "/gateway/v2/access-token"] as const,
  ])("that ends in %j leads to %s", async (end, target) => {
    const { url, seen } = await serve(scopes);
    await connect(`${url}${end}`).accessToken.get();
    expect(seen).toMatchObject([{ target }]);
  });

  test.each([
    ...["localhost", "127.0.0.1", "127.9.9.9", "[::1]"].map((host) => [`http://${host}:1`, false] as const),
    ["http://api.example.com", true] as const,
  ])("is plain http: %s, allowed to another machine: %s", (baseUrl, allowInsecureHttp) => {
    expect(() => new BuildPipelineClient({ ...good, baseUrl, allowInsecureHttp })).not.toThrow();
  });
});

test("every request carries the access token, the accepted type and the user agent, by which Buildkite knows who asks", async () => {
  const { client, seen } = await start(scopes, { userAgent: "tester/1" });
  await client.accessToken.get();
  const authorization = `Bearer ${ACCESS_TOKEN}`;
  const headers = { authorization, accept: "application/json", "user-agent": "tester/1" };
  expect(seen).toMatchObject([{ headers }]);
});

test("a printed client doesn't show its access token, because programs log their objects", () => {
  const client = new BuildPipelineClient(good);
  expect(inspect(client, { depth: 10, showHidden: true })).not.toContain(ACCESS_TOKEN);
  expect(JSON.stringify(client)).not.toContain(ACCESS_TOKEN);
});

test("a closed client refuses calls, and may be closed again", async () => {
  const { client, seen } = await start(scopes);
  await client.close();
  await client.close();
  const refusal = { name: "ConnectionError", delivered: "no", attempts: 1 };
  await expect(client.accessToken.get()).rejects.toMatchObject(refusal);
  expect(seen).toEqual([]);
});
