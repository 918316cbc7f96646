import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isWhole } from "../support/cases.js";
import { buildpipeline, settingsOf } from "../support/command.js";
import { client, emulator, restart, scratch, serviceForEach } from "../support/command-service.js";
import { stackExport } from "../support/recording.js";
import { putting } from "../support/unexpected-values.js";
import { adopt, namesIn, problems, programs, read } from "./adopt/adopting.js";
import { createCluster, createTeam } from "./organization.js";

serviceForEach();

const STEPS = "steps:\n  - command: make test\n";

/** One object of each kind that the API got later, and what they are in. */
async function organization() {
  // Only the seeded organization has members.
  await restart({ seed: true });
  const { cluster } = await createCluster("Linux");
  const team = await createTeam("Platform");
  const suite = await client.suites.create({ name: "Tests", default_branch: "main" });
  const pipeline = await client.pipelines.create({
    name: "Web shop",
    repository: "git@example.com:acme/storefront.git",
    configuration: STEPS,
    cluster_id: cluster.id,
    slug: "shop",
  });
  const schedule = await client.pipelineSchedules.create(pipeline.slug, {
    label: "Nightly",
    cronline: "@daily",
    env: { FULL: "true" },
  });
  const [member] = await client.members.list().all();
  const userId = member?.id ?? "";
  const there = await client.teamMembers.list(team.id).all();
  if (!there.some(({ user_id }) => user_id === userId))
    await client.teamMembers.create(team.id, { user_id: userId, role: "member" });
  await client.teamPipelines.create(team.id, { pipeline_id: pipeline.id, access_level: "read_only" });
  await client.teamSuites.create(team.id, { suite_id: suite.id, access_level: ["read"] });
  await client.clusterMaintainers.create(cluster.id, { team: team.id });
  const secret = await client.clusterSecrets.create(cluster.id, { key: "DEPLOY_KEY", value: "hunter2" });
  return { cluster, team, suite, pipeline, schedule, userId, member, secret };
}

const run = (command: string, ...args: readonly string[]) =>
  buildpipeline([command, ...args], { env: settingsOf(emulator) });

const sent = () => emulator.requests.map(({ operation }) => operation);

describe("buildpipeline adopt", () => {
  test("writes pipelines with their steps, cluster and slug, their schedules, and who has access", async () => {
    const { userId, member } = await organization();
    const { code, stdout, stderr } = await adopt("--json");
    expect(code, stderr).toBe(0);
    expect(namesIn({ stdout })).toEqual(expect.arrayContaining(["web-shop", "web-shop-nightly"]));
    expect(stderr).toContain("Not read: ClusterSecret, because the API doesn't return its values.");
    expect(read("pipelines/web-shop.yml")).toBe(STEPS);
    const { "pipelines.ts": pipelines = "", "teams.ts": teams = "", ...others } = programs();
    expect(pipelines).toContain('configuration: readFileSync("pipelines/web-shop.yml", "utf8"),');
    expect(pipelines).toContain("clusterId: linux,");
    expect(pipelines).toContain('slug: "shop",');
    expect(pipelines).toContain("pipelineId: webShop,");
    expect(pipelines).toContain('env: { FULL: "true" },');
    expect(teams).toContain("userId: adaArcher,");
    expect(others["users.ts"]).toContain(`export const adaArcher = "${userId}"; // "${member?.name}"`);
    expect(others["team-pipelines.ts"]).toContain("pipelineId: webShop,");
    expect(others["team-suites.ts"]).toContain("suiteId: tests,");
    expect(others["cluster-maintainers.ts"]).toContain('("linux-platform", {');
    expect(others["cluster-maintainers.ts"]).toContain("teamId: platform");
    expect(problems()).toEqual([]);
  });

  test.each([
    ["typescript", "clusters/linux.ts", 'value: new Config().requireSecret("linux-deploy-key-value")'],
    ["python", "__main__.py", 'value=pulumi.Config().require_secret("linux-deploy-key-value")'],
    ["go", "main.go", 'config.New(ctx, "").RequireSecret("linux-deploy-key-value")'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of Pulumi's YAML
    ["yaml", "Main.yaml", "value: ${linux-deploy-key-value}"],
  ])(
    "in %s takes the values of secrets from the configuration, if asked for them",
    async (language, file, code) => {
      await organization();
      const only = ["--only", "Cluster", "ClusterSecret"];
      const { stderr } = await adopt("--language", language, ...only);
      expect(read(file)).toContain(code);
      expect(stderr).toContain("pulumi config set --secret linux-deploy-key-value");
      expect(stderr).not.toContain("--expect-no-changes");
      expect(read("import.json")).not.toContain("hunter2");
    },
  );

  test("leaves out a pipeline with visual steps, and says what to do", async () => {
    await organization();
    emulator.fault({ operation: "pipelines.list", action: { change: putting(["configuration"], null) } });
    const { code, stderr } = await adopt("--only", "Pipeline");
    expect(code).toBe(1);
    expect(stderr).toContain("The pipeline has visual steps, which can't be declared.");
  });

  test("writes the project of a cluster with its pipelines", async () => {
    await organization();
    const { code, stderr } = await adopt("--split", "cluster");
    expect(code, stderr).toBe(0);
    expect(read("linux/pipelines.ts")).toContain("clusterId: linux,");
    expect(read("organization/team-pipelines.ts")).toMatch(/pipelineId: "[0-9a-f-]{36}"/);
    expect(problems()).toEqual([]);
  });

  test("by resource type reads the cluster of a pipeline from its project's stack", async () => {
    await organization();
    const { code, stderr } = await adopt("--split", "kind", "--only", "Cluster", "Pipeline");
    expect(code, stderr).toBe(0);
    expect(read("pipelines/pipelines.ts")).toContain('clusterIn("ci-clusters", "linux")');
  });
});

describe("A read that the token or the number of requests forbids", () => {
  test("is left out of adopt with its scope, and fails if --only names the resource type", async () => {
    const { team } = await organization();
    const scopes = ["read_clusters", "read_teams", "read_suites", "read_pipeline_templates"];
    const env = { ...settingsOf(emulator, emulator.createAccessToken({ scopes })), PATH: "" };
    const adoptWithout = (...args: readonly string[]) =>
      buildpipeline(["adopt", scratch.path("ci"), "--dry-run", "--diff", ...args], { env });
    const { code, stderr } = await adoptWithout("--except", "Suite", "--only", "Team", "Pipeline");
    expect([code, stderr]).toEqual([2, expect.stringContaining("lacks read_pipelines")]);
    const rest = await adoptWithout();
    expect(rest.code, rest.stderr).toBe(0);
    expect(rest.stderr).toContain("Not read: Pipeline, because the access token lacks read_pipelines.");
    expect(rest.stdout).toContain(`teamId: ${team.slug}`);
  });

  test.runIf(isWhole)("is a list in each of more than 200 pipelines, unless --only asks for it", async () => {
    await restart({});
    for (let number = 0; number < 201; number++)
      await client.pipelines.create({
        name: `Service ${number}`,
        repository: "git@example.com:acme/service.git",
        configuration: STEPS,
        cluster_id: null,
      });
    emulator.clearRequests();
    const { stderr } = await adopt("--dry-run", "--json");
    expect(stderr).toContain(
      "Not read: PipelineSchedule, because there are 201 pipelines, each with a list of them.",
    );
    expect(sent()).not.toContain("pipelineSchedules.list");
    emulator.clearRequests();
    const asked = await adopt("--dry-run", "--json", "--only", "PipelineSchedule");
    // Lists have what the kind needs of each pipeline, so that none is read by itself.
    expect(new Set(sent())).toEqual(new Set(["pipelines.list", "pipelineSchedules.list"]));
    expect(asked.stderr).toContain(
      "The lists in 201 pipelines need 201 requests or more: about 5 minutes at 50",
    );
  });

  test.each([
    ["unmanaged", "PipelineSchedule", "pipelineSchedules.list", "about 5 minutes"],
    ["unmanaged", "TeamPipeline", "teamPipelines.list", "about 2 minutes"],
    ["graph", "PipelineSchedule", "pipelineSchedules.list", "about 5 minutes"],
    ["graph", "TeamPipeline", "teamPipelines.list", "about 2 minutes"],
  ])(
    "is none in %s without --only, and with --only %s its requests and minutes are said first",
    async (command, kind, list, minutes) => {
      await restart({});
      await createTeam("Web");
      const pipelines = { name: "Web", repository: "git@example.com:acme/web.git", configuration: STEPS };
      await client.pipelines.create({ ...pipelines, cluster_id: null });
      const { organizationData: data } = emulator;
      for (const { id: _, slug, ...one } of data.pipelines.list())
        for (let number = 0; number < 200; number++)
          data.pipelines.insert({ ...one, id: crypto.randomUUID(), slug: `${slug}-${number}` });
      for (const { id: _, ...one } of data.teams.list())
        for (let number = 0; number < 60; number++)
          data.teams.insert({
            ...one,
            id: crypto.randomUUID(),
            name: `Team ${number}`,
            slug: `team-${number}`,
          });
      const state = scratch.path("state.json");
      writeFileSync(state, stackExport());
      const stack = command === "unmanaged" ? ["--stack-export", state] : [];
      emulator.clearRequests();
      for (const less of [[], ["--except", kind]])
        expect((await run(command, ...stack, ...less)).code).toBeLessThan(2);
      expect(sent().filter((operation) => operation === list)).toEqual([]);
      const { stderr } = await run(command, ...stack, "--only", kind);
      const places = sent().filter((operation) => operation === list).length;
      expect(places).toBe(kind === "TeamPipeline" ? data.teams.size : data.pipelines.size);
      expect(stderr).toContain(`need ${places} requests or more: ${minutes} at 50`);
    },
  );
});

describe("A service without the newer API", () => {
  const lacks = "The service lacks";

  test("is adopted, with a line that says what it lacks", async () => {
    await restart({ variations: { newerApi: false } });
    await createCluster("Linux");
    const { code, stderr } = await adopt();
    expect(code, stderr).toBe(0);
    expect(stderr.split(lacks)).toHaveLength(2);
    expect(stderr).toMatch(
      /The service lacks .*pipelines.*: it answers 404 to their lists\. None were read\./,
    );
  });

  test("is drawn, with a line that says what it lacks", async () => {
    await restart({ variations: { newerApi: false } });
    await createCluster("Linux");
    const { code, stderr } = await run("graph", "--json");
    expect(code, stderr).toBe(0);
    expect(stderr.split(lacks)).toHaveLength(2);
  });

  test("is a warning of doctor, if a resource type is asked for", async () => {
    await restart({ variations: { newerApi: false } });
    const { stdout } = await run("doctor", "--json", "--only", "Pipeline");
    expect(stdout).toContain("The service lacks pipelines: it answers 404 to their list.");
  });
});

test("unmanaged reads a resource type that the API got later if --only names it, and otherwise says that it didn't", async () => {
  const { team, userId } = await organization();
  const state = scratch.path("state.json");
  writeFileSync(state, stackExport());
  emulator.clearRequests();
  const { stderr } = await run("unmanaged", "--stack-export", state);
  expect(stderr).toContain("Not read, because the stack has none (--only reads them): ");
  expect(sent().filter((one) => /^(pipelines|team[A-Z]|cluster[A-Z])/.test(one ?? ""))).toEqual([]);
  const asked = await run("unmanaged", "--stack-export", state, "--only", "TeamMember", "--json");
  expect(JSON.parse(asked.stdout).unmanaged).toMatchObject([
    { id: `${team.id}/${userId}`, import: `${team.id}/${userId}` },
  ]);
});

test("graph draws pipelines in their cluster, and members of a team if it is asked for them", async () => {
  const { member } = await organization();
  const { clusters } = JSON.parse((await run("graph", "--json")).stdout);
  expect(clusters).toMatchObject([{ name: "Linux", pipelines: [{ name: "Web shop" }] }]);
  const asked = await run("graph", "--json", "--only", "TeamMember");
  expect(JSON.parse(asked.stdout).teams).toMatchObject([
    { name: "Platform", teamMembers: [{ name: member?.name }] },
  ]);
});

test("a pipeline whose steps are nested without end keeps nobody from the others", async () => {
  const { cluster } = await createCluster("Linux");
  const nested = `${"[".repeat(150)}${"]".repeat(150)}`;
  for (const [name, configuration] of Object.entries({
    Shop: STEPS,
    Nested: `steps: [{ command: x, env: { A: ${nested} } }]\n`,
  })) {
    const repository = "git@example.com:acme/shop.git";
    await client.pipelines.create({ name, repository, configuration, cluster_id: cluster.id });
  }
  const graph = await run("graph");
  expect(graph).toMatchObject({ code: 0, stdout: expect.stringContaining("Shop") });
  writeFileSync(scratch.path("export.json"), stackExport());
  const state = scratch.path("export.json");
  const unmanaged = await run("unmanaged", "--json", "--only", "Pipeline", "--stack-export", state);
  expect(JSON.parse(unmanaged.stdout).unmanaged).toMatchObject([{ name: "Shop" }, { name: "Nested" }]);
  const adopted = await adopt("--json", "--only", "Pipeline");
  expect(namesIn(adopted)).toEqual(expect.arrayContaining(["shop", "nested"]));
  expect(read("pipelines/nested.yml")).toContain(nested);
});
