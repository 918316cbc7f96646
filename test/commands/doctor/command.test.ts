import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Check } from "../../../src/commands/doctor/check.js";
import { diagnose, PATIENCE } from "../../../src/commands/doctor/diagnosis.js";
import { platformCheck } from "../../../src/commands/doctor/versions.js";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { json, serve } from "../../client/service.js";
import { buildpipeline, buildpipelineProcess, settingsOf } from "../../support/command.js";
import { emulator, restart, scratch, serviceForEach } from "../../support/command-service.js";
import { writeCommand } from "../../support/commands-on-path.js";
import { CERTIFICATE, startProxy, TLS } from "../../support/proxy.js";

serviceForEach();

/** Its response has the headers that doctor looks at. */
const LAST_REQUEST = { operation: "pipelineTemplates.list" };

/** Commands find a Pulumi CLI of a version, or none. */
function withCli(version: string | undefined): Record<string, string> {
  const bin = scratch.path(`bin ${version}`);
  mkdirSync(bin, { recursive: true });
  if (version !== undefined) writeCommand(bin, "pulumi", `echo v${version}`);
  return { PATH: bin };
}

async function doctor(env = settingsOf(emulator), ...args: readonly string[]) {
  // Tries again without waiting.
  const clock = { now: Date.now, sleep: async () => undefined };
  const surroundings = { env: { ...withCli("3.259.0"), ...env }, clock };
  const { code, stdout, stderr } = await buildpipeline(["doctor", "--json", ...args], surroundings);
  const said: { ok: boolean; checks: Check[] } = JSON.parse(stdout);
  const one = (name: string) => said.checks.find((check) => check.name === name);
  return { code, stdout, stderr, ...said, one };
}

test.each([
  ["linux", []],
  ["darwin", ["pulumi-buildpipeline is untested on macOS."]],
  ["win32", ["pulumi-buildpipeline is untested on Windows."]],
])("doctor says on %s whether this package was tested there", (platform, messages) => {
  expect(platformCheck(platform).map(({ message }) => message)).toEqual(messages);
});

describe("buildpipeline doctor", () => {
  test("finds nothing where all is well, with three requests that read", async () => {
    await restart({ limits: "real" });
    const { ok, code, checks, one, stderr } = await doctor();
    expect(checks.filter(({ status }) => status !== "ok")).toEqual([]);
    expect([ok, code, stderr]).toEqual([true, 0, ""]);
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
    const sent = emulator.requests.map(({ operation }) => operation);
    expect(sent).toEqual(["accessToken.get", "clusters.list", "pipelineTemplates.list"]);
    expect(one("organization")?.message).toContain("acme");
    expect(one("limits")?.message).toContain("user: 47 of 50 requests left");
    expect(one("node")?.message).toContain(process.versions.node);
    expect(one("sdk")?.message).toContain(">=3.216.0 <4");
    expect(one("cli")?.message).toContain("3.259.0");
  });

  test("says what the access token may do with each kind, and what to do", async () => {
    const accessToken = emulator.createAccessToken({ scopes: ["read_clusters", "write_suites"] });
    const env = settingsOf(emulator, accessToken);
    const { code, checks } = await doctor(env);
    const scopes = checks.filter(({ name }) => name.startsWith("scopes."));
    const namesIn = (messages: readonly { message: string }[]) =>
      messages.map(({ message }) => message.split(":")[0]).sort();
    // Types that the API got later need a stack that has one, or --only.
    const early = [...kinds.values()]
      .filter(({ requires }) => requires !== "newer API")
      .map(({ name }) => name);
    expect(namesIn(scopes)).toEqual(early.sort());
    const whole = await doctor(env, "--only", ...kinds.keys());
    expect(namesIn(whole.checks.filter(({ name }) => name.startsWith("scopes.")))).toEqual(
      [...kinds.keys()].sort(),
    );
    const of = (kind: string) => scopes.find(({ message }) => message.startsWith(`${kind}:`));
    expect(of("Queue")).toMatchObject({ status: "problem", message: expect.stringContaining("not written") });
    expect(of("Queue")?.action).toMatch(/write_clusters.*--except Queue.*--read-only/);
    expect(of("Team")?.action).toMatch(/read_teams or view_teams, write_teams/);
    expect(of("Suite")?.action).toMatch(/^Add read_suites to/);
    expect(code).toBe(1);
    expect((await doctor(env, "--read-only", "--only", "Queue", "Cluster")).code).toBe(0);
  });

  test("tells a plan without templates, which keeps nobody from deploying the rest", async () => {
    await restart({ variations: { enterprisePlan: false } });
    const { code, one } = await doctor();
    const action = expect.stringContaining("Enterprise");
    expect(one("templates")).toMatchObject({ status: "warning", action });
    expect(code).toBe(0);
  });

  test("tells limits that are nearly met", async () => {
    await restart({ limits: "real" });
    const headers = { authorization: `Bearer ${emulator.accessToken}` };
    for (let index = 0; index < 42; index++) await fetch(`${emulator.url}/v2/access-token`, { headers });
    const { code, one } = await doctor();
    const message = expect.stringContaining("user: 5 of 50");
    expect(one("limits")).toMatchObject({ status: "warning", message });
    expect(code).toBe(0);
  });

  test("warns of agent tokens that expire within 14 days, with one request for each of ten clusters", async () => {
    const perform = (operation: "clusters.create" | "agentTokens.create", body: object, params = {}) =>
      String(Reflect.get(Object(emulator.perform(operation, { params, body }).body), "id"));
    const now = Date.now();
    const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString();
    const tokenIn = (cluster_id: string, description: string, days?: number) => {
      const id = perform("agentTokens.create", { description }, { cluster_id });
      if (days !== undefined) emulator.organizationData.agentTokens.update(id, { expires_at: inDays(days) });
    };
    const clusters = Array.from({ length: 11 }, (_, index) =>
      perform("clusters.create", { name: `${index}` }),
    );
    const [first = "", second = ""] = clusters;
    tokenIn(first, "forever");
    tokenIn(first, "later", 15);
    expect((await doctor()).one("agentTokens")).toBeUndefined();
    tokenIn(first, "soon", 13);
    tokenIn(second, "over", -1);
    emulator.clearRequests();
    const { code, one } = await doctor();
    expect(one("agentTokens")).toMatchObject({
      status: "warning",
      message: `Agent token "soon" expires on ${inDays(13).slice(0, 10)}. Agent token "over" expired on ${inDays(-1).slice(0, 10)}.`,
      action: expect.stringContaining("Rotate"),
    });
    expect(code).toBe(0);
    const lists = emulator.requests.filter(({ operation }) => operation === "agentTokens.list");
    expect([lists.length, emulator.requests.length]).toEqual([10, 13]);
    emulator.clearRequests();
    expect((await doctor(undefined, "--only", "Queue")).one("agentTokens")).toBeUndefined();
    emulator.fault({ operation: "agentTokens.list", times: 10, action: { status: 403 } });
    expect((await doctor()).one("agentTokens")).toMatchObject({ status: "skipped" });
  });

  test.each([
    [31, undefined],
    [29, "expires"],
  ])("warns of its own access token that ends in %i days, and fails on nothing", async (days, word) => {
    const expires_at = new Date(Date.now() + days * 86_400_000).toISOString();
    const { accessTokens } = emulator.organizationData;
    for (const { id } of accessTokens.list()) accessTokens.update(id, { expires_at });
    const { code, one } = await doctor();
    expect(code).toBe(0);
    expect(one("accessExpiry")).toEqual(
      word && {
        name: "accessExpiry",
        status: "warning",
        message: `The API access token ${word} on ${expires_at.slice(0, 10)}.`,
        action: expect.stringContaining("npx pulumi-buildpipeline docs secrets#rotate-the-api-access-token"),
      },
    );
  });

  test.each([
    [-3600, "ahead of"],
    [3600, "behind"],
    [5, undefined],
  ])("compares the clock with a service that is %i s off", async (seconds, message) => {
    const date = new Date(Date.now() + seconds * 1000).toUTCString();
    emulator.fault({ ...LAST_REQUEST, action: { body: [], headers: { Date: date } } });
    const { one } = await doctor();
    if (message === undefined) expect(one("clock")).toMatchObject({ status: "ok" });
    else expect(one("clock")).toMatchObject({ status: "warning", message: expect.stringContaining(message) });
  });

  test.each([
    [401, "is mistyped, revoked, expired"],
    [403, "from which addresses"],
    [404, "Check baseUrl"],
    [500, "try again later"],
  ])("says what to do about a %i for its first question", async (status, advice) => {
    emulator.fault({ operation: "accessToken.get", times: 10, action: { status } });
    const { code, one } = await doctor();
    expect(code).toBe(1);
    expect(one("access")).toMatchObject({ status: "problem", action: expect.stringContaining(advice) });
  });

  test("tells every setting that is missing, and how to set it", async () => {
    const { code, checks } = await doctor({});
    const problems = checks.filter(({ status }) => status === "problem");
    const names = ["settings.accessToken", "settings.organization", "settings.baseUrl"];
    expect(problems.map(({ name }) => name)).toEqual(names);
    expect(problems[0]?.action).toContain("--secret buildpipeline:accessToken");
    expect(problems[2]?.action).toContain("BUILDPIPELINE_BASE_URL");
    expect(code).toBe(1);
  });

  test.each([
    ["an address that is none", { BUILDPIPELINE_BASE_URL: "here" }, "settings", /Correct/g],
    ["an address that is not safe", { BUILDPIPELINE_BASE_URL: "http://example.com" }, "settings", /Correct/g],
    ["a refused access token", { BUILDPIPELINE_ACCESS_TOKEN: "refused-token" }, "access", /mistyped/g],
    ["a missing organization", { BUILDPIPELINE_ORGANIZATION: "nowhere" }, "organization", /\bCheck\b/g],
    ["a missing service", { BUILDPIPELINE_BASE_URL: "http://127.0.0.1:1" }, "connection", /baseUrl/g],
  ])("tells %s, and gives its advice once", async (_, env, name, advice) => {
    const { code, one, stdout, stderr } = await doctor({ ...settingsOf(emulator), ...env });
    const check = one(name);
    expect(check).toMatchObject({ status: "problem", action: expect.any(String) });
    expect(`${check?.message} ${check?.action}`.match(advice)).toHaveLength(1);
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain(emulator.accessToken);
    expect(stdout + stderr).not.toContain("refused-token");
  });

  test("gives up on a service that never responds, and says so while it waits", async () => {
    emulator.fault({ times: Infinity, action: "hang" });
    for (const [name, value] of Object.entries({ ...settingsOf(emulator), ...withCli("3.259.0") }))
      vi.stubEnv(name, value);
    const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      stderr.mockRestore();
    });

    const checks = await diagnose({ readOnly: false }, { ...PATIENCE, timeoutMs: 250 });

    expect(checks.find(({ name }) => name === "connection")).toMatchObject({
      status: "problem",
      message: "GET /v2/access-token had no response within 0.25 s, 2 times",
      action: expect.stringContaining("Check baseUrl"),
    });
    expect(stderr.mock.calls).toEqual([["No response to GET /v2/access-token. Trying again.\n"]]);
    expect(emulator.requests).toHaveLength(2);
    // The longest wait for one response. Without a response to the first request, doctor sends no other.
    expect(PATIENCE.timeoutMs * (1 + PATIENCE.maxRetries)).toBeLessThanOrEqual(20_000);
  });

  test("shows no password of an address that has one", async () => {
    const env = { ...settingsOf(emulator), BUILDPIPELINE_BASE_URL: "https://ada:hunter2/@ci.example.com" };
    const { one, stdout, stderr } = await doctor(env);
    expect(one("settings.baseUrl")?.message).toMatch(/: https:\/\/\[redacted\]@ci\.example\.com$/);
    expect(stdout + stderr).not.toContain("hunter2");
  });

  test("tells the end of a limit's window, also where a gateway reports it as a date", async () => {
    const end = Math.ceil(Date.now() / 1000) + 30;
    const headers = { "ratelimit-remaining": "4", "ratelimit-limit": "200", "ratelimit-reset": String(end) };
    emulator.fault({ ...LAST_REQUEST, action: { body: [], headers } });
    const { one } = await doctor();
    expect(one("limits")?.message).toMatch(/^organization: 4 of 200 requests left, full again in [123]\d s$/);

    const { "ratelimit-reset": _, ...others } = headers;
    emulator.fault({ ...LAST_REQUEST, action: { body: [], headers: others } });
    const unknown = await doctor();
    expect(unknown.one("limits")?.message).toBe("organization: 4 of 200 requests left");
  });

  test.each(["bun", "{ name: bun }"])("warns of `runtime: %s`, with what works there", async (runtime) => {
    writeFileSync(scratch.path("Pulumi.yaml"), `name: ci\nruntime: ${runtime}\n`);
    const { stdout } = await buildpipeline(["doctor", "--json"], {
      cwd: scratch.directory,
      env: { ...withCli("3.259.0"), ...settingsOf(emulator) },
    });
    const warned = JSON.parse(stdout).checks.filter(({ name }: Check) => name === "runtime");
    expect(warned).toEqual([
      {
        name: "runtime",
        status: "warning",
        message: expect.stringContaining("(pulumi#22040)"),
        action: expect.stringContaining("use `runtime: nodejs`, or import from"),
      },
    ]);
  });

  test("tells a mistyped setting of the stack, although the environment has the right one", async () => {
    writeFileSync(scratch.path("Pulumi.yaml"), "name: ci\nruntime: nodejs\n");
    const configuration = {
      "buildpipeline:organisation": { value: "acme" },
      "buildpipeline:zone": { value: "b" },
      "other:organisation": { value: "c" },
    };
    const script = `case "$1" in config) echo '${JSON.stringify(configuration)}' ;; *) echo v3.259.0 ;; esac`;
    writeCommand(scratch.path("bin"), "pulumi", script);
    const { stdout } = await buildpipeline(["doctor", "--json"], {
      cwd: scratch.directory,
      env: { ...settingsOf(emulator), PATH: scratch.path("bin") },
    });
    const { checks }: { checks: Check[] } = JSON.parse(stdout);
    const warnings = checks.filter((one) => one.name.startsWith("settings.") && one.status === "warning");
    expect(warnings).toEqual([
      {
        name: "settings.organisation",
        status: "warning",
        message: "buildpipeline:organisation in the stack's configuration has no effect",
        action:
          "Set buildpipeline:organization instead, and run `pulumi config rm buildpipeline:organisation`.",
      },
      expect.objectContaining({
        name: "settings.zone",
        action: expect.stringContaining("The settings are "),
      }),
    ]);
  });

  describe("in a repository of several projects", () => {
    beforeEach(() => {
      write({
        "repository/.git/HEAD": "",
        "repository/package.json": PACKAGE_THAT_USES_IT.replace("{", '{ "workspaces": ["*"], '),
        ...installation("repository", "0.2.0"),
        "repository/queues/Pulumi.yaml": "name: queues\nruntime: nodejs\n",
        "repository/queues/package.json": PACKAGE_THAT_USES_IT,
        "repository/site/package.json": "{}",
        "home/plugins/resource-buildpipeline-v0.1.0/PulumiPlugin.yaml": "",
        "home/plugins/resource-buildpipeline-v0.2.0/PulumiPlugin.yaml": "",
      });
    });
    const PACKAGE_THAT_USES_IT = JSON.stringify({ dependencies: { "pulumi-buildpipeline": "*" } });
    const installation = (folder: string, version: string) => ({
      [`${folder}/node_modules/pulumi-buildpipeline/package.json`]: JSON.stringify({ version }),
    });
    const project = (name: string, runtime: string, more: string) => ({
      [`repository/${name}/Pulumi.yaml`]: `name: ${name}\nruntime: ${runtime}\n${more}`,
    });
    const OLD_SOURCE = "{ source: buildpipeline, version: 0.1.0 }";
    const packages = (text: string) => `packages:\n  buildpipeline: ${text}\n`;
    const plugins = (text: string) => `plugins:\n  providers:\n    - { name: buildpipeline, ${text} }\n`;

    function write(files: Readonly<Record<string, string>>): void {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(scratch.path(path)), { recursive: true });
        writeFileSync(scratch.path(path), text);
      }
    }
    async function versions(): Promise<Check | undefined> {
      const { stdout } = await buildpipeline(["doctor", "--json"], {
        cwd: scratch.path("repository/queues"),
        env: { ...withCli("3.259.0"), PULUMI_HOME: scratch.path("home") },
      });
      return JSON.parse(stdout).checks.find(({ name }: Check) => name === "versions");
    }

    test("one version is no problem, also if an older plugin is installed", async () => {
      write({
        ...project("yaml", "yaml", packages("")),
        ...project("go", "go", packages("{ source: buildpipeline, version: 0.2.0 }")),
      });
      expect(await versions()).toEqual({
        name: "versions",
        status: "ok",
        message: expect.stringMatching(/\/repository uses pulumi-buildpipeline 0\.2\.0 only$/),
      });
    });

    test.each<[string, Record<string, string>, string]>([
      ["a workspace's own installation", installation("repository/queues", "0.1.0"), "queues/package.json"],
      ["a version in Pulumi.yaml", project("go", "go", packages("buildpipeline@0.1.0")), "go/Pulumi.yaml"],
      ["a source with a version", project("python", "python", packages(OLD_SOURCE)), "python/Pulumi.yaml"],
      [
        "the folder of an npm package",
        {
          ...project("yaml", "yaml", packages("./node_modules/pulumi-buildpipeline/plugin")),
          ...installation("repository/yaml", "0.1.0"),
        },
        "yaml/Pulumi.yaml",
      ],
      ["a plugin with a version", project("mac", "nodejs", plugins("version: 0.1.0")), "mac/Pulumi.yaml"],
      [
        "an SDK that nobody generated again",
        {
          ...project("python", "python", packages("../node_modules/pulumi-buildpipeline/plugin")),
          "repository/python/sdks/buildpipeline/pulumi_buildpipeline/pulumi-plugin.json":
            '{ "resource": true, "name": "buildpipeline", "version": "0.1.0" }',
        },
        "python/sdks",
      ],
    ])("%s of another version is named, with the command for all projects", async (_, files, place) => {
      write(files);
      const check = await versions();
      expect(check).toMatchObject({
        status: "warning",
        message: expect.stringMatching(
          /repository uses several versions of pulumi-buildpipeline: 0\.2\.0 by package\.json.*; 0\.1\.0 by /,
        ),
        action: expect.stringContaining(
          "npm install pulumi-buildpipeline@0.2.0 --workspaces --include-workspace-root",
        ),
      });
      expect(check?.message).toMatch(new RegExp(`0\\.1\\.0 by ${place}\\.$`));
    });

    test("an installed plugin of other versions only is named", async () => {
      write({ ...installation("repository", "0.3.0"), "repository/package.json": PACKAGE_THAT_USES_IT });
      expect(await versions()).toMatchObject({
        message: expect.stringMatching(
          /0\.3\.0 by package\.json, queues\/package\.json; 0\.2\.0 by Pulumi's plugins\.$/,
        ),
        action: expect.stringContaining("`npm install pulumi-buildpipeline@0.3.0` in each folder"),
      });
    });

    test("a project whose settings can't be read keeps it from being compared", async () => {
      write({ "repository/broken/Pulumi.yaml": "name: [" });
      const message = expect.stringContaining("broken/Pulumi.yaml");
      expect(await versions()).toMatchObject({ status: "skipped", message });
    });
  });

  test("tells a missing CLI, and one that is too old for imports", async () => {
    const settings = settingsOf(emulator);
    const without = await doctor({ ...settings, ...withCli(undefined) });
    const action = expect.stringContaining("install");
    expect(without.one("cli")).toMatchObject({ status: "problem", action });
    const old = await doctor({ ...settings, ...withCli("3.200.1") });
    expect(old.one("cli")).toMatchObject({ status: "warning", action: expect.stringContaining("3.254.0") });
    expect(old.code).toBe(0);
  });

  test("behind a company's proxy reaches the service with NODE_EXTRA_CA_CERTS, and names the proxy", async () => {
    const token = { uuid: "u-1", scopes: ["read_clusters", "write_clusters"] };
    const service = await serve(
      ({ path }, response) => json(response, 200, path === "/v2/access-token" ? token : []),
      TLS,
    );
    const proxy = await startProxy({ to: service.url, credentials: "ann:hunter2" });
    const env = {
      ...withCli("3.259.0"),
      ...settingsOf({ ...emulator, url: "https://service.test" }),
      https_proxy: `ann:hunter2@${proxy.host}`,
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
    };
    const { stdout, stderr } = await buildpipelineProcess(["doctor"], { env });
    expect(stdout).toContain(`✓ Requests go through the proxy http://${proxy.host}.`);
    expect(stdout).toContain("✓ acme exists, and the access token can read it.");
    expect(stdout + stderr).not.toContain("hunter2");
    expect(new Set(proxy.seen)).toEqual(new Set(["CONNECT service.test:443"]));
  });

  test("warns of clusters that a token can make and not delete, because it can't see the secrets in them", async () => {
    const scopes = ["read_clusters", "write_clusters"];
    const accessToken = emulator.createAccessToken({ scopes });
    const env = { ...withCli("3.259.0"), ...settingsOf(emulator, accessToken) };
    const { one, code } = await doctor(env, "--only", "Cluster");
    const action = expect.stringMatching(/^Add read_secrets_details to the token/);
    expect(one("scopes.Cluster")).toMatchObject({ status: "warning", action });
    expect(code).toBe(0);
    expect((await doctor(env, "--only", "Cluster", "--read-only")).one("scopes.Cluster")?.status).toBe("ok");
    const whole = emulator.createAccessToken({ scopes: [...scopes, "read_secrets_details"] });
    const { one: then } = await doctor({ ...env, ...settingsOf(emulator, whole) }, "--only", "Cluster");
    expect(then("scopes.Cluster")?.status).toBe("ok");
  });

  test("says the same to people, with what to do below each line", async () => {
    const accessToken = emulator.createAccessToken({ scopes: ["read_clusters"] });
    const env = { ...withCli("3.259.0"), ...settingsOf(emulator, accessToken) };
    const { stdout, code } = await buildpipeline(["doctor", "--only", "Queue"], { env });
    const queue = "✗ Queue: can be read, and not written with this access token";
    expect(stdout).toContain(`${queue}\n    → Add write_clusters`);
    expect(code).toBe(1);
    const several = await buildpipeline(["doctor", "--only", "Queue", "AgentToken", "Team"], { env });
    expect(several.stdout).toMatch(
      /✗ Queue, AgentToken: can be read, .*\n {4}→ Add write_clusters to the token, skip them with --except Queue AgentToken, /,
    );
    expect(several.stdout).toMatch(/✗ Team: cannot be read /);
  });
});
