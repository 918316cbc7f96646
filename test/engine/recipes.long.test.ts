import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Project } from "./project.js";
import { follow } from "./reader.js";

const PAIRS = join(__dirname, "..", "..", "examples", "import-pairs", "pairs.js");
const PAGE = "docs/guides/recover.md";

let project: Project;
beforeEach(async () => {
  project = await Project.start();
  project.write("Pulumi.yaml", "name: ci\nruntime: nodejs\nmain: index.ts\n");
  // The recipes have the README's program in mind.
  await follow(project, "README.md", "readme");
  cpSync(PAIRS, join(project.directory, "pairs.js"));
  await project.shell("pulumi stack init production");
});

const ids = () =>
  [
    ...project.emulator.organizationData.clusters.list(),
    ...project.emulator.organizationData.queues.list(),
    ...project.emulator.organizationData.agentTokens.list(),
  ].map(({ id }) => id);
const writes = () => project.writes().length;

describe("The recipes of docs/guides/recover.md for what is lost, by the page alone", () => {
  beforeEach(async () => {
    await project.up();
  });

  test("restore a lost state from a copy", async () => {
    await project.shell("pulumi stack export --file state.json");
    await project.shell("pulumi stack rm production --force --yes && pulumi stack init production");
    const printed = await follow(project, PAGE, "restore");
    expect(printed.get("pulumi preview --refresh")).toMatch(/9 unchanged/);
  });

  test("import everything after the state is lost, and send nothing that writes", async () => {
    await project.shell("pulumi stack rm production --force --yes && pulumi stack init production");
    const before = [ids(), writes()];
    const printed = await follow(project, PAGE, "import");
    expect(printed.get("pulumi preview")).toMatch(/9 unchanged/);
    expect([ids(), writes()]).toEqual(before);
  });

  test("create the stack again after its passphrase is lost", async () => {
    const before = [ids(), writes()];
    project.remember({ PULUMI_CONFIG_PASSPHRASE: "lost" });
    const printed = await follow(project, PAGE, "passphrase");
    expect(printed.get("pulumi preview")).toMatch(/9 unchanged/);
    expect([ids(), writes()]).toEqual(before);
  });

  test("create a deleted cluster again, with its queue and another secret", async () => {
    const old = ids();
    const secret = await project.shell("pulumi stack output agentToken --show-secrets");
    const [cluster] = project.emulator.organizationData.clusters.list();
    await project.colleague.sends("PATCH", "/pipelines/shop", { cluster_id: null });
    await project.colleague.sends("DELETE", `/clusters/${cluster?.id}`);
    const printed = await follow(project, PAGE, "deleted");
    expect(printed.get("pulumi preview --refresh")).toMatch(/\+ 4 to create/);
    expect(ids()).toHaveLength(old.length);
    expect(ids().filter((id) => old.includes(id))).toEqual([]);
    expect(printed.get("pulumi stack output agentToken --show-secrets")).not.toBe(secret);
  });
});

test("A stack of @pulumiverse/buildkite moves by the page alone, without a write", async () => {
  // What that package's state has of such resources. Its provider and Buildkite's GraphQL interface aren't needed.
  const { colleague } = project;
  const made = async (path: string, body: object) => String((await colleague.sends("POST", path, body)).id);
  const cluster = await made("/clusters", { name: "Linux", emoji: ":penguin:" });
  const queue = await made(`/clusters/${cluster}/queues`, { key: "small" });
  const token = await made(`/clusters/${cluster}/tokens`, { description: "Build machines" });
  await colleague.sends("PUT", `/clusters/${cluster}`, { default_queue_id: queue });
  const pipeline = await made("/pipelines", {
    name: "Shop",
    repository: "git@github.com:acme/shop.git",
    cluster_id: cluster,
    configuration: "steps:\n  - command: make test\n    agents:\n      queue: small\n",
  });
  const nightly = { label: "Nightly", cronline: "0 3 * * *" };
  const schedule = await made("/pipelines/shop/schedules", nightly);
  const team = await made("/teams", {
    name: "Web",
    privacy: "visible",
    is_default_team: false,
    default_member_role: "member",
    members_can_create_pipelines: false,
  });
  const access = { pipeline_id: pipeline, access_level: "manage_build_and_read" };
  await colleague.sends("POST", `/teams/${team}/pipelines`, access);
  const before = [ids(), writes()];
  const urnOf = (type: string, name: string) => `urn:pulumi:production::ci::buildkite:${type}::${name}`;
  const graphQl = (type: string, uuid: string) => Buffer.from(`${type}---${uuid}`).toString("base64");
  const entry = (type: string, name: string, outputs: object, dependencies: readonly string[] = []) => ({
    urn: urnOf(type, name),
    custom: true,
    id: `graphql-${name}`,
    type: `buildkite:${type}`,
    outputs,
    dependencies,
  });
  const linux = urnOf("Cluster/cluster:Cluster", "linux");
  const shop = urnOf("Pipeline/pipeline:Pipeline", "shop");
  const web = urnOf("Team/team:Team", "web");
  const pipelineId = graphQl("Pipeline", pipeline);
  const stack = JSON.parse(await project.shell("pulumi stack export"));
  stack.deployment.resources = [
    entry("Cluster/cluster:Cluster", "linux", { uuid: cluster }),
    entry("Cluster/clusterQueue:ClusterQueue", "small", { uuid: queue, clusterUuid: cluster }, [linux]),
    entry("Cluster/clusterDefaultQueue:ClusterDefaultQueue", "linux-default", { uuid: cluster }, [linux]),
    entry("Cluster/clusterAgentToken:ClusterAgentToken", "agents", { uuid: token, clusterUuid: cluster }, [
      linux,
    ]),
    entry("Pipeline/pipeline:Pipeline", "shop", { uuid: pipeline }, [linux]),
    entry("Pipeline/schedule:Schedule", "nightly", { uuid: schedule, pipelineId }, [shop]),
    entry("Team/team:Team", "web", { uuid: team }),
    entry("Pipeline/team:Team", "web-shop", { teamId: graphQl("Team", team), pipelineId }, [shop, web]),
  ];
  project.write("old.json", JSON.stringify(stack));
  await project.shell("pulumi stack import --file old.json");

  const printed = await follow(project, "docs/guides/from-terraform.md", "pulumiverse");

  expect(printed.get("pulumi preview")).toMatch(/9 unchanged/);
  expect([ids(), writes()]).toEqual(before);
});
