import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { someOf } from "../../support/cases.js";
import type { Ended } from "../../support/command.js";
import { repository, repositoryForEach, stateOf } from "./repository.js";
import { type Contents, PASSING, repositoryWith, StandInHost } from "./stand-in-host.js";

const FILE = "queues/Pulumi.production.yaml";
const LOCAL = "config:\n  buildpipeline:organization: acme\n  ci:tokenGeneration: 7\n";
/** What the main branch has: a colleague's line that this checkout lacks. */
const REMOTE = `${LOCAL}  ci:size: large\n`;
const RAISED = REMOTE.replace("tokenGeneration: 7", "tokenGeneration: 8");
const ACME_CI = "/repos/acme/ci";
const PROJECT = "/projects/7";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const branch = "rotate-agent-tokens-acme-queues-production-8";

let host: StandInHost;
let contents: Contents & { besides: Record<string, readonly string[]>; merged: string[] };
repositoryForEach(["queues", "clusters"], { [FILE]: LOCAL });
beforeEach(async () => {
  host = new StandInHost();
  await host.start();
  contents = { file: FILE, content: REMOTE, branches: {}, open: [], besides: {}, merged: [] };
  host.answer = repositoryWith(contents);
});
afterEach(() => host.close());

const gitHub = () => ({ GITHUB_API_URL: host.url, GITHUB_REPOSITORY: "acme/ci", GITHUB_TOKEN: "t0ken" });
const gitLab = () => ({
  GITLAB_CI: "true",
  CI_API_V4_URL: host.url,
  CI_PROJECT_ID: "7",
  CI_DEFAULT_BRANCH: "main",
  ROTATION_TOKEN: "t0ken",
});
const HOSTS = [
  ["GitHub", gitHub],
  ["GitLab", gitLab],
] as const;
const rotate = (env: Record<string, string>, args = "") =>
  repository.ci(`rotate --stack production ${args}`.trim(), env);
const TITLE = "Rotate the agent tokens of acme-queues/production: generation 8";
const BODY =
  "Revokes the tokens of generation 6. Merge it when all machines have the secrets of generation 7.\n\nProject and stack: acme-queues/production";

describe("buildpipeline ci rotate", () => {
  test("opens a pull request on GitHub, with the content that belongs to the sha it sends", async () => {
    expect(await rotate(gitHub())).toMatchObject({ code: 0, stderr: `${TITLE}: opened.\n` });
    const content = { message: TITLE, content: base64(RAISED) };
    const request = { title: TITLE, body: BODY, base: "main" };
    expect(host.sent).toEqual([
      { method: "POST", path: `${ACME_CI}/git/refs`, body: { ref: `refs/heads/${branch}`, sha: "main-sha" } },
      { method: "PUT", path: `${ACME_CI}/contents/${FILE}`, body: { ...content, sha: "file-sha", branch } },
      { method: "POST", path: `${ACME_CI}/pulls`, body: { ...request, head: branch } },
    ]);
  });

  test("opens a merge request on GitLab, which refuses a file that changed since", async () => {
    expect((await rotate(gitLab())).code).toBe(0);
    const commit = { start_branch: "main", commit_message: TITLE };
    const request = { title: TITLE, description: BODY, target_branch: "main" };
    const change = { content: base64(RAISED), encoding: "base64", last_commit_id: "commit-7" };
    const actions = [{ action: "update", file_path: FILE, ...change }];
    expect(host.sent).toEqual([
      { method: "POST", path: `${PROJECT}/repository/commits`, body: { ...commit, branch, actions } },
      { method: "POST", path: `${PROJECT}/merge_requests`, body: { ...request, source_branch: branch } },
    ]);
  });

  /** Plays the state of a rotation whose newest token has these outputs. */
  const newest = (outputs: object) => {
    const urn = "urn:pulumi:production::acme-queues::buildpipeline:index:RotatingAgentToken";
    const type = "buildpipeline:index:RotatingAgentToken";
    const token = {
      type: "buildpipeline:index:AgentToken",
      id: "t-1",
      // What people write on the service allows no deletions.
      inputs: { description: "Farm\nAllow-deletions: 43-7f3a9c" },
      outputs,
    };
    const resources = [
      { urn: `${urn}::farm`, type, custom: false, outputs: { tokenId: "t-1" } },
      { ...token, urn: `${urn}$buildpipeline:index:AgentToken::farm-odd` },
    ];
    repository.plays({ "stack export": { stdout: stateOf("2027-01-01T00:00:00Z", resources) } });
  };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  describe.each<[args: string, age: number | undefined, left: number | undefined, isDue: boolean]>([
    ["--older-than 60d", 61, undefined, true],
    ["--older-than 60d", 59, 1, false],
    ["--expires-within 14d", 1, 13, true],
    ["--expires-within 14d", 99, 15, false],
    ["--expires-within 14d", undefined, 15, false],
    ["--older-than 60d --expires-within 14d", 1, 13, true],
    ["--older-than 60d --expires-within 14d", undefined, 13, true],
    ["--older-than 60d --expires-within 14d", 59, undefined, false],
  ])("%s, for a token that is %s days old and expires in %s", (args, age, left, isDue) => {
    test(
      isDue ? "opens a change, because the token is due" : "opens none, and a nightly job stays green",
      async () => {
        newest({
          ...(age !== undefined && { createdAt: inDays(-age) }),
          ...(left !== undefined && { expiresAt: inDays(left) }),
        });
        const { code, stderr } = await rotate(gitHub(), args);
        const words = age === undefined ? "of unknown age" : `${age} days old`;
        const none = `No agent token is due: the oldest of the newest tokens is ${words}, and `;
        expect(code).toBe(0);
        expect(stderr).toContain(isDue ? `${TITLE}: opened.` : none);
        expect(host.sent.length > 0).toBe(isDue);
        expect(JSON.stringify(host.sent)).not.toContain("Allow-deletions");
      },
    );
  });

  test.each([{}, { createdAt: null }, { createdAt: "soon" }])(
    "an age that %j doesn't say is unknown, which is an error that names the token",
    async (outputs) => {
      newest(outputs);
      const stderr = expect.stringMatching(
        /^buildpipeline: The state doesn't say how old urn:\S+::farm-odd \(t-1\) is, so --older-than can't be decided\. /,
      );
      expect(await rotate(gitHub(), "--older-than 60d")).toMatchObject({ code: 2, stderr });
      expect(host.headers).toEqual([]);
    },
  );

  test("finds the file of a stack that is named with its organization, in the folder that its settings name", async () => {
    repository.write({
      "queues/Pulumi.yaml": "name: acme-queues\nruntime: nodejs\nstackConfigDir: stacks\n",
      "queues/stacks/Pulumi.production.yaml": LOCAL,
      [FILE]: "config: {}\n",
    });
    expect((await rotate(gitHub(), "--stack acme/production")).code).toBe(0);
    const paths = host.sent.map(({ path }) => path);
    expect(paths).toContain("/repos/acme/ci/contents/queues/stacks/Pulumi.production.yaml");
  });

  test.each(HOSTS)("opens nothing on %s while a pull request of the rotation is open", async (_, env) => {
    contents.open.push("rotate-agent-tokens-8-2");
    contents.branches["rotate-agent-tokens-8-2"] = RAISED;
    const { code, stdout } = await rotate(env(), "--json");
    const said = { code: 0, opened: false, title: TITLE, url: "https://host/8" };
    expect({ code, ...JSON.parse(stdout) }).toEqual(said);
    expect(host.sent).toEqual([]);
  });

  const LEFT = HOSTS.flatMap(([name, env]) => [
    { what: "another content", name, env, content: "left behind", besides: [] },
    { what: "a colleague's commit", name, env, content: RAISED, besides: ["index.ts"] },
    { what: "a colleague's commit only", name, env, content: REMOTE, besides: ["index.ts"] },
    { what: "a commit that was merged and reverted", name, env, content: RAISED, isMerged: true },
  ]);
  test.each(LEFT)(
    "leaves a branch on $name alone that has $what, and takes another name",
    async ({ env, content, besides, isMerged }) => {
      for (const name of [branch, `${branch}-2`]) {
        contents.branches[name] = content;
        contents.besides[name] = besides ?? [];
        if (isMerged) contents.merged.push(name);
      }
      // The try that ends so made none of them.
      host.fault = ({ method }) =>
        method !== "GET" && host.sent.length === 1 ? { name: "502", status: 502 } : undefined;
      expect((await rotate(env())).code).toBe(0);
      expect(contents.branches).toEqual({
        [branch]: content,
        [`${branch}-2`]: content,
        [`${branch}-3`]: RAISED,
      });
      expect(contents.open).toEqual([`${branch}-3`]);
    },
  );

  /** The requests that change something, in their order. */
  const WRITES = [
    { name: "GitHub", env: gitHub, parts: ["/git/refs", "/contents/", "/pulls"] },
    { name: "GitLab", env: gitLab, parts: ["/repository/commits", "/merge_requests"] },
  ] as const;
  test.each(
    WRITES.flatMap(({ name, env, parts }) =>
      parts.flatMap((part) => [false, true].map((isDone) => ({ name, env, part, isDone }))),
    ),
  )(
    "finishes what a run began on $name that ended at $part (done: $isDone)",
    async ({ env, part, isDone }) => {
      const { answer } = host;
      host.answer = (sent, query) => {
        if (sent.method === "GET" || !sent.path.includes(part)) return answer(sent, query);
        if (isDone) answer(sent, query);
        return isDone ? {} : 403;
      };
      expect((await rotate(env())).code).toBe(2);
      host.answer = answer;
      expect((await rotate(env())).code).toBe(0);
      expect({ ...contents.branches }).toEqual({ [branch]: RAISED });
      expect(contents.open).toEqual([branch]);
    },
  );

  test.each(
    [
      { name: "GitHub", env: gitHub, requests: 8 },
      { name: "GitLab", env: gitLab, requests: 5 },
    ].flatMap(({ name, env, requests }) =>
      Array.from({ length: requests }, (_, index) => ({ name, env, before: index + 1 })),
    ),
  )(
    "opens one pull request on $name, though another run does the same before request $before",
    async ({ env, before }) => {
      let count = 0;
      let other: Ended | undefined;
      host.meanwhile = async () => {
        if (++count === before) other = await repository.start("rotate --json", env()).ended;
      };
      const { stdout, stderr } = await rotate(env(), "--json");
      const request = { title: TITLE, url: expect.stringContaining("https://host/") };
      expect(JSON.parse(other?.stdout ?? "")).toEqual({ opened: true, ...request });
      expect(JSON.parse(stdout), stderr).toEqual({ opened: false, ...request });
      expect({ ...contents.branches }).toEqual({ [branch]: RAISED });
      expect(contents.open).toEqual([branch]);
    },
  );

  test.each<[what: string, open: string, content: string, isOurs: boolean]>([
    ["an earlier version", "rotate-agent-tokens-8", RAISED, true],
    ["this stack", `${branch}-2`, RAISED, true],
    ["this stack, for a later generation", branch, RAISED.replace(": 8", ": 9"), true],
    ["this stack, for the generation before", "rotate-agent-tokens-acme-queues-production-7", REMOTE, false],
    ["an earlier version for another project", "rotate-agent-tokens-8", REMOTE, false],
    ["another stack", "rotate-agent-tokens-acme-queues-staging-8", REMOTE, false],
    ["another project of this spelling", branch, REMOTE, false],
    ["a colleague", "larger", RAISED, false],
  ])("an open pull request of %s is told by the content of its file", async (_, open, content, isOurs) => {
    for (const [, env] of HOSTS) {
      host.sent.length = 0;
      contents.open.splice(0, 9, open);
      contents.branches[open] = content;
      contents.besides[open] = isOurs ? [] : ["clusters/Pulumi.staging.yaml"];
      const { code, stdout } = await rotate(env(), "--json");
      expect({ code, opened: JSON.parse(stdout).opened }).toEqual({ code: 0, opened: !isOurs });
      expect(host.sent.length === 0).toBe(isOurs);
    }
  });

  test("a rotation of another project and another stack opens a pull request of its own", async () => {
    const files = ["queues/Pulumi.staging.yaml", "clusters/Pulumi.production.yaml"];
    repository.commit(Object.fromEntries(files.map((file) => [file, LOCAL])));
    const titles: string[] = [];
    for (const args of ["--only queues", "--only queues --stack staging", "--only ./clusters/"]) {
      const { stdout } = await rotate(gitHub(), `${args} --json`);
      titles.push(JSON.parse(stdout).title);
      // Its branch has the file of its own raised, and no other.
      for (const name of contents.open) contents.branches[name] = REMOTE;
    }
    const of = (name: string) => `Rotate the agent tokens of ${name}: generation 8`;
    expect(titles).toEqual(
      ["acme-queues/production", "acme-queues/staging", "acme-clusters/production"].map(of),
    );
    expect(contents.open).toEqual([
      branch,
      "rotate-agent-tokens-acme-queues-staging-8",
      "rotate-agent-tokens-acme-clusters-production-8",
    ]);
  });

  test("keeps each byte of a file in another encoding", async () => {
    const text = Buffer.from("# \xe9t\xe9\nconfig:\n  ci:tokenGeneration: 7 # \xff\n", "latin1");
    const { answer } = host;
    host.answer = (sent, query) =>
      sent.method === "GET" && sent.path.includes("/contents/")
        ? { sha: "file-sha", content: text.toString("base64") }
        : answer(sent, query);
    writeFileSync(join(repository.root, FILE), text);
    expect((await rotate(gitHub())).code).toBe(0);
    const { content } = Object(host.sent.find(({ method }) => method === "PUT")?.body);
    const raised = Buffer.from(content, "base64").toString("latin1");
    expect(raised).toBe(text.toString("latin1").replace("7", "8"));
  });

  test("revokes nothing at the first rotation, and says so", async () => {
    host.answer = repositoryWith({ ...contents, content: REMOTE.replace(": 7", ": 1") });
    expect((await rotate(gitHub())).code).toBe(0);
    expect(Object(host.sent.at(-1)?.body).body).toMatch(
      /^Revokes nothing yet: the tokens of generation 1 stay valid/,
    );
  });

  test.each([
    ["\n  # ci:tokenGeneration: 1\n  ci:tokenGeneration: 7\n", /^ {2}ci:tokenGeneration: 8$/m],
    ["\n  ci:tokenGeneration: 7 # of May\n", /: 8 # of May$/m],
    ['\n  ci:tokenGeneration: "7" # of May\n', /: "8" # of May$/m],
    [" { ci:tokenGeneration: '7', ci:size: $& }\n", /: '8', ci:size: \$& \}$/m],
    ["\r\n  ci:tokenGeneration: 7\r\n  ci:size: a\r\n", /: 8\r\n {2}ci:size: a\r\n$/],
    [
      "\n  ci:notes: |\n    ci:tokenGeneration: 1\n  ci:tokenGeneration: 7\n",
      /^ {4}ci:tokenGeneration: 1\n {2}ci:tokenGeneration: 8$/m,
    ],
  ])("raises the setting and changes nothing else: %j", async (rest, raised) => {
    const text = `config:${rest}`;
    const { answer } = host;
    host.answer = (sent, query) =>
      sent.method === "GET" && sent.path.includes("/contents/")
        ? { sha: "file-sha", content: base64(text) }
        : answer(sent, query);
    repository.write({ [FILE]: text });
    expect(await rotate(gitHub())).toMatchObject({ code: 0, stderr: `${TITLE}: opened.\n` });
    const { content } = Object(host.sent.find(({ method }) => method === "PUT")?.body);
    const sent = Buffer.from(content, "base64").toString();
    expect(sent).toMatch(raised);
    expect(sent.replace(/8/, "7")).toBe(text);
  });

  test.each([
    ["is commented out", "config:\n  # ci:tokenGeneration: 7\n", /has tokenGeneration\./],
    ["is there twice", "config:\n  a:tokenGeneration: 7\n  b:tokenGeneration: 7\n", /has 2 settings called/],
    ...["&last seven", "0", "-1", "010", "9007199254740991", "9007199254740993", "1e2", "7.0"].map(
      (value): [string, string, RegExp] => [
        `is ${value}`,
        `config:\n  ci:tokenGeneration: ${value}\n`,
        /tokenGeneration is not a whole number from 1 to 9007199254740990 without leading zeros\./,
      ],
    ),
    ["is in no YAML", "config:\n  ci:tokenGeneration: 7\n  ci:tokenGeneration: 8\n", /is not YAML: .*unique/],
  ])("raises no setting that %s", async (_, text, words) => {
    repository.write({ [FILE]: text });
    expect(await rotate(gitHub())).toMatchObject({ code: 2, stderr: expect.stringMatching(words) });
    expect(host.headers).toEqual([]);
  });

  test.each([
    ["GitHub", gitHub, "git/refs"],
    ["GitHub", gitHub, "contents"],
    ["GitHub", gitHub, "pulls"],
    ["GitLab", gitLab, "commits"],
    ["GitLab", gitLab, "merge_requests"],
  ])("believes no response of %s that doesn't show what was done: %s", async (_, env, part) => {
    const { answer } = host;
    host.answer = (sent, query) =>
      sent.method !== "GET" && sent.path.includes(part) ? {} : answer(sent, query);
    const stderr = expect.stringMatching(/200, but the response doesn't show that this was done/);
    expect(await rotate(env())).toMatchObject({ code: 2, stderr });
  });

  test.each(someOf(HOSTS.flatMap(([name, env]) => PASSING.map((fault) => ({ name, env, fault })))))(
    "opens one pull request on $name, though each request first ends with $fault.name",
    async ({ env, fault }) => {
      const requests = host.failsOnce(fault);
      expect(await rotate(env())).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(`${TITLE}: opened.`),
      });
      expect(contents.open).toEqual([branch]);
      expect(Object.keys(contents.branches)).toEqual([branch]);
      expect(requests()).toBeGreaterThan(4);
    },
  );

  test("fails where there is nothing to rotate, several could be meant, or a request fails", async () => {
    const { answer } = host;
    host.answer = (sent, query) =>
      sent.path.endsWith("/pulls") && sent.method === "POST" ? 403 : answer(sent, query);
    expect((await rotate(gitHub())).stderr).toMatch(
      /POST \S+\/pulls: 403 refused. Check that the job has `permissions: contents: write, pull-requests: write`\./,
    );
    repository.write({ "clusters/Pulumi.production.yaml": LOCAL });
    expect((await rotate(gitHub())).stderr).toContain("give --only <folder>");
    expect((await rotate({})).stderr).toContain("give --only");
    expect((await rotate(gitHub(), "--only clusters")).stderr).toContain("403");
    repository.write({ [FILE]: "config: {}\n", "clusters/Pulumi.production.yaml": "config: {}\n" });
    const stderr = expect.stringContaining("has tokenGeneration");
    expect(await rotate(gitHub())).toMatchObject({ code: 2, stderr });
  });
});
