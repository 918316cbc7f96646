import { inspect } from "node:util";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { BuildPipelineClient, ConfigurationError } from "../../src/client/index.js";
import { ACCESS_TOKEN, connect, json, rejection, serve } from "./service.js";

const good = { accessToken: ACCESS_TOKEN, organization: "acme", baseUrl: "https://api.example.com" };

async function problemWith(options: Record<string, unknown>): Promise<ConfigurationError> {
  const make = async () => new BuildPipelineClient({ ...good, ...options });
  const error = await rejection(make());
  if (!(error instanceof ConfigurationError)) throw error;
  return error;
}

describe("a missing setting", () => {
  test.each([
    ["accessToken", "BUILDPIPELINE_ACCESS_TOKEN"],
    ["organization", "BUILDPIPELINE_ORGANIZATION"],
    ["baseUrl", "BUILDPIPELINE_BASE_URL"],
  ])("%s: the error names it and says where to set it", async (setting, variable) => {
    for (const value of [undefined, null, "", "  "]) {
      const error = await problemWith({ [setting]: value });
      expect(error.setting).toBe(setting);
      expect(error.message).toContain(`${setting} is missing`);
      expect(error.message).toContain(variable);
      expect(error.message).toContain(`buildpipeline:${setting}`);
    }
  });
});

describe("a setting that is not given", () => {
  const environment = {
    BUILDPIPELINE_ACCESS_TOKEN: ` ${ACCESS_TOKEN}\n`,
    BUILDPIPELINE_ORGANIZATION: "acme",
  };
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test("comes from the environment", async () => {
    const service = await serve((_, response) => json(response, 200, { id: "c-1", name: "Linux" }));
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

  test("and not in the environment is named as option and variable, one that is wrong there too", () => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    expect(() => new BuildPipelineClient()).toThrow(
      /^baseUrl is missing\. Set BUILDPIPELINE_BASE_URL, .* pass baseUrl/,
    );
    vi.stubEnv("BUILDPIPELINE_BASE_URL", "ftp://example.com");
    expect(() => new BuildPipelineClient()).toThrow(
      /^baseUrl .* Set BUILDPIPELINE_BASE_URL, .* pass baseUrl/,
    );
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

  test.each(["https://example.com/acme", "acme corp", "acme/other", "..", "acme?x"])(
    "organization %j",
    async (organization) => {
      expect((await problemWith({ organization })).setting).toBe("organization");
    },
  );

  test.each([
    "api.example.com",
    "ftp://api.example.com",
    "https://user:hunter2@api.example.com",
    "https://api.example.com?x=1",
    "https://api.example.com#top",
    "http://api.example.com",
    "http://127.0.0.1.example.com",
  ])("baseUrl %j", async (baseUrl) => {
    const error = await problemWith({ baseUrl });
    expect(error.setting).toBe("baseUrl");
    expect(error.message).not.toContain("hunter2");
  });

  test.each([
    ["timeoutMs", 0],
    ["timeoutMs", 2 ** 31],
    ["maxRetries", -1],
    ["maxRetries", 1.5],
    ["concurrency", 0],
    ["maxRateLimitWaitMs", -1],
    ["userAgent", "two\nlines"],
  ])("%s %j", async (setting, value) => {
    expect((await problemWith({ [setting]: value })).setting).toBe(setting);
  });
});

describe("baseUrl", () => {
  test.each(["", "/", "/v2", "/v2/", "//"])("ends in %j: the request goes to the same place", async (end) => {
    const service = await serve((_, response) => json(response, 200, { uuid: "u", scopes: [] }));
    await connect(`${service.url}${end}`).accessToken.get();
    expect(service.seen[0]?.target).toBe("/v2/access-token");
  });

  test("may have a path, which stays in front", async () => {
    const service = await serve((_, response) => json(response, 200, { uuid: "u", scopes: [] }));
    await connect(`${service.url}/gateway/v2`).accessToken.get();
    expect(service.seen[0]?.target).toBe("/gateway/v2/access-token");
  });

  test.each(["http://localhost:1", "http://127.0.0.1:1", "http://127.9.9.9:1", "http://[::1]:1"])(
    "is plain http to this machine: %s",
    (baseUrl) => {
      expect(() => new BuildPipelineClient({ ...good, baseUrl })).not.toThrow();
    },
  );

  test("is plain http to another machine only where that is allowed", () => {
    const options = { ...good, baseUrl: "http://api.example.com", allowInsecureHttp: true };
    expect(() => new BuildPipelineClient(options)).not.toThrow();
  });
});

test("every request carries the token, the accepted type and who asks", async () => {
  const service = await serve((_, response) => json(response, 200, { uuid: "u", scopes: [] }));
  await connect(service.url, { userAgent: "tester/1" }).accessToken.get();
  expect(service.seen[0]?.headers).toMatchObject({
    authorization: `Bearer ${ACCESS_TOKEN}`,
    accept: "application/json",
    "user-agent": "tester/1",
  });
});

test("a client shows its settings to nobody", () => {
  const client = new BuildPipelineClient(good);
  expect(inspect(client, { depth: 10, showHidden: true })).not.toContain(ACCESS_TOKEN);
  expect(JSON.stringify(client)).not.toContain(ACCESS_TOKEN);
});

test("a closed client refuses calls, and may be closed again", async () => {
  const service = await serve((_, response) => json(response, 200, { uuid: "u", scopes: [] }));
  const client = connect(service.url);
  await client.close();
  await client.close();
  await expect(client.accessToken.get()).rejects.toMatchObject({
    name: "ConnectionError",
    delivered: "no",
    attempts: 1,
  });
  expect(service.seen).toHaveLength(0);
});
