import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { documentAt } from "../../examples/documents.js";
import { buildpipeline, settingsOf } from "../../support/command.js";
import { client, emulator, scratch, serviceForEach } from "../../support/command-service.js";
import { createCluster, createTeam } from "../organization.js";

serviceForEach();

const STEPS = `agents:
  queue: smal
steps:
  - command: make
    lable: Build
    secrets: [NPM_TOKN]
  - trigger: deplyo
  - block: Release
    allowed_teams: [platfrom]
`;

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(scratch.path(name), ".."), { recursive: true });
    writeFileSync(scratch.path(name), content);
  }
}

const check = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = settingsOf(emulator),
  input = "",
) => buildpipeline(["check", ...args], { cwd: scratch.directory, env, input });

describe("Without settings, `check` reads nothing and", () => {
  const step = "steps:\n- command: a\n ";
  const expectSaid = async (text: string, code: number, said: string) => {
    const stdout = said === "" ? "" : `-:${said}\n`;
    expect(await check(["-"], {}, text)).toMatchObject({ code, stdout });
    expect(emulator.requests).toEqual([]);
  };

  const another = (line: number) =>
    `${line}: begins another YAML document. The agent uploads each document by itself; before version 3.99, it uploaded only the first one.`;
  // The last one contains itself, which no parser ends to write out.
  test.each([
    [`${step} lable: b`, "3: steps[0].lable: is no property of a command step. Did you mean label?"],
    [
      `# steps\n---\n${step} key: a\n---\n${step} lable: b`,
      `${another(6)}\n-:9: steps[0].lable: is no property of a command step. Did you mean label?`,
    ],
    [`${step} env: {\n`, '4: is not valid YAML at line 4, column 1 (BAD_INDENT): "  env: {".'],
    [
      "steps: &s\n- group: g\n  steps: *s",
      '3: has an alias (*name) within its own anchor (&name), without end: "  steps: *s".',
    ],
  ])("ends with 1 for what Buildkite or each parser rejects: %j", (text, said) => expectSaid(text, 1, said));

  // Of equal keys, Buildkite takes the last one. The agent uploads a list of steps as well.
  test.each([
    [`${step} concurrency_group: b`, "3: steps[0].concurrency_group: has no effect without concurrency."],
    [`${step} command: b`, '3: is not valid YAML at line 3 (DUPLICATE_KEY): "  command: b".'],
    ["", "1: has no map of steps. Begin it with `steps:`."],
    ["- command: a\n- wait\n", ""],
    ["- command: a\n---\n- wait\n", another(2)],
    ['{ "steps": [{ "command": "a", "agents": { "queue": "$QUEUE" } }] }', ""],
  ])("ends with 0 for what Buildkite accepts: %j", (text, said) => expectSaid(text, 0, said));

  test("says what wasn't compared with an organization", async () => {
    write({ "pipeline.yml": STEPS });
    const { code, stdout, stderr } = await check(["pipeline.yml"], {});
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: "pipeline.yml:5: steps[0].lable: is no property of a command step. Did you mean label?\n",
    });
    expect(stderr).toMatch(
      /^Not compared with the organization: queues, cluster secrets, pipelines, teams, because without BUILDPIPELINE_ACCESS_TOKEN, .* nothing is read\.\n1 file checked: 1 remark, 1 about steps that Buildkite rejects\.\n$/,
    );
  });
});

describe("With an organization,", () => {
  let linux: string;
  beforeEach(async () => {
    linux = (await createCluster("Linux")).cluster.id;
    const mac = await createCluster("Mac", { queue: { key: "smal" } });
    await client.clusterSecrets.create(linux, { key: "NPM_TOKEN", value: "s3cret" });
    await createTeam("Platform");
    const repository = "git@github.com:acme/deploy.git";
    const place = { repository, configuration: "steps: []" };
    await client.pipelines.create({ ...place, name: "Deploy", cluster_id: linux });
    await client.pipelines.create({ ...place, name: "Mobile", cluster_id: mac.cluster.id });
    write({ "pipeline.yml": STEPS });
  });

  const IN_LINUX = [
    /^pipeline\.yml:2: agents\.queue: "smal" is no queue of the pipeline's cluster\. Did you mean "small"\?/,
    /^pipeline\.yml:5: steps\[0\]\.lable: /,
    /^pipeline\.yml:6: steps\[0\]\.secrets\[0\]: "NPM_TOKN" is no secret .* Did you mean "NPM_TOKEN"\?/,
    /^pipeline\.yml:7: steps\[1\]\.trigger: "deplyo" is the slug of no pipeline .* Did you mean "deploy"\?/,
    /^pipeline\.yml:9: steps\[2\]\.allowed_teams\[0\]: "platfrom" is no team.* Did you mean "platform"\?/,
  ];

  test.each([
    ["the name of a cluster", async () => ["--cluster", "Linux"]],
    ["the id of a cluster", async () => ["--cluster", linux]],
    ["its pipeline", async () => ["--pipeline", "deploy"]],
  ])("queues and secrets are those of the cluster, by %s", async (_, options) => {
    const { code, stdout } = await check(["pipeline.yml", ...(await options())]);
    expect(code).toBe(1);
    const lines = stdout.trimEnd().split("\n");
    expect([...lines].sort()).toEqual(IN_LINUX.map((line) => expect.stringMatching(line)));
  });

  test("another cluster has other queues", async () => {
    const { stdout } = await check(["pipeline.yml", "--pipeline", "mobile"]);
    expect(stdout).toContain('"NPM_TOKN" is no secret');
    expect(stdout).not.toContain("is no queue");
  });

  test("nothing is read that the file doesn't name, and what is in a cluster needs one", async () => {
    write({ "one.yml": "agents: { queue: small }\nsteps: [{ trigger: deploy }, { trigger: deploy }]\n" });
    expect(await check(["one.yml"])).toEqual({
      code: 0,
      stdout: "",
      stderr:
        "Not compared with the organization: queues, because each cluster has its own: give --cluster or --pipeline.\n1 file checked: 0 remarks.\n",
    });
    const read = emulator.requests.filter(({ method }) => method === "GET");
    expect(read.map(({ path }) => path.split("/").at(-1))).toEqual(["deploy"]);
  });

  test("JSON has each remark, and what wasn't compared", async () => {
    const { code, stdout } = await check(["pipeline.yml", "--json"], {
      ...settingsOf(emulator),
      GITHUB_ACTIONS: "true",
    });
    expect(code).toBe(1);
    const { remarks, notChecked } = JSON.parse(stdout);
    expect(remarks[0]).toEqual({
      file: "pipeline.yml",
      line: 5,
      place: "steps[0].lable",
      message: "steps[0].lable: is no property of a command step. Did you mean label?",
      code: "steps-undocumented",
      rejected: true,
    });
    const facts = (one: { line: number; code: string; rejected: boolean }) => [
      one.line,
      one.code,
      one.rejected,
    ];
    expect(remarks.map(facts)).toEqual([
      [5, "steps-undocumented", true],
      [7, "steps-name-nothing", true],
      [9, "steps-name-nothing", false],
    ]);
    expect(notChecked).toEqual([
      expect.stringMatching(/^Not compared with the organization: queues, cluster secrets, because/),
    ]);
  });

  test("GitHub shows each remark at its line, whatever the file contains", async () => {
    write({
      ".git/HEAD": "",
      "web/.buildkite/a.yml": 'steps:\n- command: a\n  "x\\n::error::y": b\n- block: x\n  allowed_teams: z\n',
    });
    const { stdout } = await buildpipeline(["check", ".buildkite/a.yml"], {
      cwd: scratch.path("web"),
      env: { ...settingsOf(emulator), GITHUB_ACTIONS: "true" },
    });
    const [first = "", second, ...annotations] = stdout.trimEnd().split("\n");
    expect(first).toContain(".buildkite/a.yml:3: ");
    expect(second).toContain(".buildkite/a.yml:5: ");
    expect(annotations).toEqual([
      expect.stringMatching(/^::error file=web\/\.buildkite\/a\.yml,line=3::steps\[0\]/),
      expect.stringMatching(/^::warning file=web\/\.buildkite\/a\.yml,line=5::steps\[1\]/),
    ]);
  });

  test("the guide's commands and steps do what it says", async () => {
    const blocks = documentAt("docs/guides/check-steps.md").blocks.map(({ text }) => text);
    const [command = "", printed, steps = "", hook = ""] = blocks;
    write({
      ".buildkite/pipeline.yml": "steps:\n- command: make\n  agents:\n    queue: smal\n",
      "steps.yml": steps,
    });
    const args = command.replace("storefront", "deploy").split(" ").slice(3);
    expect((await check(args)).stdout.trimEnd()).toBe(printed);
    expect(await check(["steps.yml"])).toMatchObject({ code: 0, stdout: "" });
    expect(hook).toContain("entry: npx pulumi-buildpipeline check\n");
  });

  test("an access token that may not read proves nothing", async () => {
    const accessToken = emulator.createAccessToken({ scopes: ["read_clusters"] });
    const { code, stdout, stderr } = await check(
      ["pipeline.yml", "--cluster", "Linux"],
      settingsOf({ ...emulator, url: emulator.url, organization: emulator.organization, accessToken }),
    );
    expect(code).toBe(1);
    expect(stdout).not.toMatch(/trigger|allowed_teams/);
    expect(stderr).toMatch(
      /Not compared with the organization: .*pipelines.*, because the access token lacks .*read_pipelines/,
    );
    expect(stderr).toMatch(/Not compared with the organization: .*teams.*, because .*read_teams/);
  });

  test.each([
    [["--cluster", "Linx"], 'There is no cluster "Linx", so nothing was checked. Give --cluster one'],
    [["--pipeline", "deplyo"], 'There is no pipeline "deplyo" that the access token can see'],
    [["--pipeline", "deploy", "--cluster", "Linux"], "give --cluster or --pipeline, not both"],
  ])("%s ends with 2, because what is named is obeyed", async (options, message) => {
    const { code, stdout, stderr } = await check(["pipeline.yml", ...options]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  test("a name of several clusters ends with 2 and their ids, and so do options without settings and files that aren't there", async () => {
    const { cluster } = await createCluster("Linux");
    const several = await check(["pipeline.yml", "--cluster", "Linux"]);
    expect(several.code).toBe(2);
    expect(several.stderr).toContain(cluster.id);
    expect(await check(["pipeline.yml", "--cluster", "Linux"], {})).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("accessToken is missing"),
    });
    expect(await check(["none.yml"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("none.yml cannot be read"),
    });
  });
});
