import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeAwkwardOrganization, SMALL } from "../../support/awkward-organization.js";
import { isWhole } from "../../support/cases.js";
import { CHECKOUT } from "../../support/checkout.js";
import { client, emulator, scratch, serviceForEach } from "../../support/command-service.js";
import { exported, stackExport } from "../../support/recording.js";
import { createCluster } from "../organization.js";
import { adopt, adoptWith, namesIn, problems, programs, read, refusal, remarks, write } from "./adopting.js";

serviceForEach();

const folders = () =>
  readdirSync(scratch.path("ci"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** Resources that wait to be imported. */
const importsOf = (folder: string): { type: string; id: string; name: string }[] =>
  JSON.parse(read(join(folder, "import.json"))).resources;

/** Their names by project. */
const imports = () =>
  Object.fromEntries(folders().map((folder) => [folder, importsOf(folder).map(({ name }) => name)]));

async function organization() {
  const { cluster: linux } = await createCluster("Linux");
  await createCluster("Mac");
  await client.suites.create({ name: "Unit", default_branch: "main" });
  await client.pipelineTemplates.create({ name: "Service", configuration: "steps: []" });
  return linux;
}

const inCluster = (name: string) =>
  ["", "-small", "-default-queue", "-build-machines"].map((end) => `${name}${end}`);

describe("buildpipeline adopt --split", () => {
  test("cluster: a project for each cluster with what is in it, and one for the rest", async () => {
    await organization();
    const stderr = await remarks("--split", "cluster");
    expect(imports()).toEqual({
      linux: inCluster("linux"),
      mac: inCluster("mac"),
      organization: ["service", "unit"],
    });
    expect(read("mac/Pulumi.yaml")).toMatch(/^name: ci-mac\n/);
    expect(read("mac/index.ts")).toMatch(/^(?:\/\/.*\n)+\nimport "\.\/clusters\/mac";\n$/);
    expect(JSON.parse(read("package.json"))).toMatchObject({ private: true, workspaces: ["*"] });
    expect(stderr).toContain("10 resources in ");
    expect(stderr).toContain(
      '  for p in linux mac organization; do (cd "$p" && pulumi stack init production && ' +
        "pulumi import --file import.json --generate-code=false --protect=false --yes) || break; done\n",
    );
    expect(stderr).toContain('(cd "$p" && pulumi up --yes)');
    expect(problems()).toEqual([]);
  });

  test("imports nothing a second time that was moved to another of the projects", async () => {
    await organization();
    await adopt("--split", "cluster");
    const states = importsOf("linux").map(({ type, id }) => exported(type.split(":")[2] ?? "", id));
    writeFileSync(scratch.path("linux.json"), stackExport(...states.slice(0, -1)));
    writeFileSync(scratch.path("mac.json"), stackExport(...states.slice(-1)));
    writeFileSync(scratch.path("organization.json"), stackExport());
    await client.queues.create(states[0]?.id ?? "", { key: "large" });
    const list = `echo '[{ "name": "production" }]'`;
    const exporting = 'cat "$(basename "$OLDPWD").json"';
    const { code, stderr } = await adoptWith({ list, export: exporting }, "--split", "cluster");
    expect({ code }, stderr).toEqual({ code: 0 });
    expect(imports()).toMatchObject({ linux: [expect.stringMatching(/-large$/)], mac: inCluster("mac") });
  });

  test("kind: a project for each resource type, whose clusters others read by stack references", async () => {
    await organization();
    const stderr = await remarks("--split", "kind");
    expect(imports()).toEqual({
      "agent-tokens": ["linux-build-machines", "mac-build-machines"],
      clusters: ["linux", "mac"],
      "pipeline-templates": ["service"],
      queues: ["linux-small", "linux-default-queue", "mac-small", "mac-default-queue"],
      suites: ["unit"],
    });
    expect(read("queues/Pulumi.yaml")).toMatch(/^buildpipeline:\n {2}reads:\n {4}- ci-clusters\n/m);
    expect(read("suites/Pulumi.yaml")).not.toContain("buildpipeline:\n");
    expect(read("clusters/outputs.ts")).toBe(`import { linux } from "./clusters/linux";
import { mac } from "./clusters/mac";

/** Ids of clusters, for the stacks of other projects. */
export const clusterIds = {
  linux: linux.id,
  mac: mac.id,
};
`);
    expect(read("clusters/index.ts")).toMatch(/\nexport \* from "\.\/outputs";\n$/);
    expect(
      read("queues/clusters/mac.ts"),
    ).toBe(`import { ClusterDefaultQueue, Queue } from "pulumi-buildpipeline";
import { clusterIn } from "../stacks";

/** The id of a cluster that another project declares. */
const clusterId = clusterIn("ci-clusters", "mac");

export const small = new Queue("mac-small", {
  clusterId,
  key: "small",
  retryAgentAffinity: "prefer-warmest",
});

new ClusterDefaultQueue("mac-default-queue", { clusterId, queueId: small.id });
`);
    expect(stderr).toContain('  for p in clusters; do (cd "$p" && pulumi up --yes) || break; done\n');
    // The stack that others read is imported before them.
    expect(stderr).toMatch(/for p in clusters .*queues.*; do \(cd "\$p" && pulumi stack init/);
    expect(problems()).toEqual([]);
  });

  test("a selection for each team, the first that matches, and the rest by another rule", async () => {
    await organization();
    const rules = ["secrets=AgentToken", "mobile=Mac*", "mobile=Suite:unit*", "kind"];
    expect((await adopt("--split", ...rules)).code).toBe(0);
    expect(imports()).toEqual({
      clusters: ["linux"],
      mobile: ["mac", "mac-small", "mac-default-queue", "unit"],
      "pipeline-templates": ["service"],
      queues: ["linux-small", "linux-default-queue"],
      secrets: ["linux-build-machines", "mac-build-machines"],
    });
    expect(read("secrets/clusters/mac.ts")).toContain('clusterIn("ci-mobile", "mac")');
    expect(read("secrets/clusters/linux.ts")).toContain('clusterIn("ci-clusters", "linux")');
    expect(problems()).toEqual([]);
  });

  test.runIf(isWhole)("every awkward name once, in programs that compile", async () => {
    await makeAwkwardOrganization(client, SMALL);
    const said = await adopt("--split", "secrets=AgentToken", "cluster", "--json");
    const ids = folders()
      .flatMap(importsOf)
      .map(({ type, id }) => `${type} ${id}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(namesIn(said)).toHaveLength(ids.length);
    expect(ids.length).toBeGreaterThan(SMALL.clusters + SMALL.teams + SMALL.suites);
    expect(folders().filter((folder) => !/^[a-z0-9-]+$/.test(folder))).toEqual([]);
    expect(problems()).toEqual([]);
  });

  test("run again, it adds what is new to the project that has its cluster", async () => {
    const linux = await organization();
    await adopt("--split", "cluster");
    expect(await remarks("--split", "cluster")).toContain("Nothing is new.");
    const before = programs();
    await client.queues.create(linux.id, { key: "large" });
    await client.clusters.create({ name: "linux" });
    const { stderr } = await adopt("--split", "cluster");
    expect(stderr).toContain("2 resources in ");
    const { "linux/clusters/linux.ts": text, ...others } = programs();
    expect(text).toBe(before["linux/clusters/linux.ts"]);
    expect(others["linux/clusters/linux-2.ts"]).toContain('new Queue("linux-large"');
    expect(others["linux-cluster/clusters/linux.ts"]).toContain('new Cluster("linux"');
    expect(others).toMatchObject({ "mac/clusters/mac.ts": before["mac/clusters/mac.ts"] });
  });

  test("run again, new projects get a stack, and the others keep theirs", async () => {
    const linux = await organization();
    await adopt("--split", "cluster");
    await client.queues.create(linux.id, { key: "large" });
    await createCluster("Windows");
    const again = async (config: string | undefined, ...flags: readonly string[]) =>
      (await adoptWith({ ...(config && { config }) }, "--split", "cluster", ...flags)).stderr;
    // Each project that is there has a stack, which is empty.
    writeFileSync(scratch.path("export.json"), stackExport());
    const importing =
      "pulumi import --file import.json --generate-code=false --protect=false --yes) || break; done";
    const stderr = await again(undefined);
    expect(stderr).toContain(`  for p in linux; do (cd "$p" && ${importing}\n`);
    expect(stderr).toContain(
      `  for p in windows; do (cd "$p" && pulumi stack init production && ${importing}\n`,
    );
    // A new project gets the settings that the first project's stack has.
    await createCluster("Solaris");
    const slug = JSON.stringify({ "buildpipeline:organization": { value: emulator.organization } });
    const config = `echo '${slug}'`;
    expect(await again(config)).toContain(
      '(cd "$p" && pulumi stack init production && pulumi config get buildpipeline:organization --cwd ../linux | ' +
        `pulumi config set buildpipeline:organization && ${importing}\n`,
    );
    // Also where that first project gets something in the same run.
    await createCluster("Plan 9");
    await client.queues.create(linux.id, { key: "largest" });
    expect(await again(config)).toContain("buildpipeline:organization --cwd ../linux | ");
    await client.queues.create(linux.id, { key: "larger" });
    expect(await again(config, "--stack", "my stack")).toContain(
      `  for p in linux; do (cd "$p" && pulumi stack select 'my stack' && ${importing}\n`,
    );
  });

  test("what a deployment records while the organization is read is not written a second time", async () => {
    const linux = await organization();
    await adopt("--split", "cluster");
    const queue = await client.queues.create(linux.id, { key: "large" });
    writeFileSync(scratch.path("export.json"), stackExport());
    emulator.onRequest(() =>
      writeFileSync(scratch.path("export.json"), stackExport(exported("Queue", queue.id))),
    );
    expect((await adoptWith({}, "--split", "cluster")).stderr).toContain("Nothing is new.");
  });

  test("run again, it exports and refers to clusters that are new", async () => {
    const linux = await organization();
    await adopt("--split", "kind");
    await createCluster("Windows");
    await client.agentTokens.create(linux.id, { description: "More" });
    await adopt("--split", "kind");
    for (const name of ["linux", "mac", "windows"]) {
      expect(read("clusters/outputs.ts").split(`\n  ${name}: ${name}.id,\n`)).toHaveLength(2);
    }
    expect(read("agent-tokens/clusters/linux-2.ts")).toContain('clusterIn("ci-clusters", "linux")');
    expect(read("agent-tokens/clusters/linux-2.ts")).toContain('new AgentToken("linux-more"');
    expect(read("agent-tokens/clusters/windows.ts")).toContain('clusterIn("ci-clusters", "windows")');
    expect(read("clusters/index.ts").match(/outputs/g)).toHaveLength(1);
    expect(problems()).toEqual([]);
  });

  test("run again, it adds to files with the line ends of Windows", async () => {
    await createCluster("Linux");
    await adopt("--split", "kind");
    for (const [file, text] of Object.entries(programs())) write(file, text.replaceAll("\n", "\r\n"));
    await createCluster("Mac");
    expect((await adopt("--split", "kind")).code).toBe(0);
    expect(read("clusters/outputs.ts").match(/^ {2}(linux|mac): /gm)).toHaveLength(2);
    expect(problems()).toEqual([]);
  });

  test("run again, the steps enter a folder whose name a shell would divide", async () => {
    const { id } = (await createCluster("Linux")).cluster;
    await adopt("--split", "cluster");
    renameSync(scratch.path("ci/linux"), scratch.path("ci/the linux"));
    await client.queues.create(id, { key: "large" });
    expect((await adopt("--split", "cluster")).stderr).toContain("for p in 'the linux'; do");
  });

  test("run again, it adds nothing to a project in another language", async () => {
    const { id } = (await createCluster("Linux")).cluster;
    await adopt("--split", "cluster");
    write("linux/Pulumi.yaml", "name: ci-linux\nruntime: python\n");
    expect(await remarks("--split", "cluster")).toContain("Nothing is new.");
    await client.queues.create(id, { key: "large" });
    expect(await refusal("--split", "cluster")).toContain(
      "linux has a project in python, and adopt adds to projects in TypeScript only",
    );
  });

  test("run again, a project that only exports more is deployed before what refers to it", async () => {
    await createCluster("Linux");
    const { id } = await client.clusters.create({ name: "Mac" });
    await adopt("--split", "kind");
    await client.agentTokens.create(id, { description: "More" });
    const { stderr } = await adopt("--split", "kind");
    expect(read("clusters/outputs.ts")).toContain("\n  mac: ");
    const [, steps = ""] = /Next:\n((?: {2}.*\n)+)/.exec(stderr) ?? [];
    const commands = [
      ...steps.matchAll(/for p in (.*); do \(cd "\$p" && (?:pulumi stack init production && )?(pulumi \w+)/g),
    ];
    expect(commands.map(([, folders, command]) => `${command}: ${folders}`)).toEqual([
      "pulumi import: agent-tokens",
      "pulumi up: clusters",
      "pulumi preview: clusters agent-tokens",
      "pulumi up: agent-tokens",
    ]);
  });

  test("an object stays in the project that has it, whatever the rules are", async () => {
    await organization();
    await adopt("--split", "cluster");
    const before = imports();
    expect(await remarks("--split", "kind")).toContain("Nothing is new.");
    expect(imports()).toEqual(before);
  });

  test("--native finds the plugin of the folder's own installation", async () => {
    await createCluster("Linux");
    expect((await adopt("--split", "kind", "--native")).code).toBe(0);
    expect(read("queues/Pulumi.yaml")).toContain("path: ../node_modules/pulumi-buildpipeline/plugin");
    expect(problems()).toEqual([]);
  });

  test("--native --import refuses as long as the folder of all projects lacks the plugin", async () => {
    await createCluster("Linux");
    const refused = await adopt("--split", "cluster", "--native", "--import");
    expect(refused.stderr).toContain("The package is not installed in");
    rmSync(scratch.path("ci"), { recursive: true });
    mkdirSync(scratch.path("ci/node_modules"), { recursive: true });
    symlinkSync(CHECKOUT, scratch.path("ci/node_modules/pulumi-buildpipeline"));
    const { stderr } = await adopt("--split", "cluster", "--native", "--import");
    expect(stderr).toContain("the Pulumi CLI is not on the PATH");
    expect(stderr).not.toContain("The package is not installed in");
  });

  test("--dry-run shows every project's files, and writes none", async () => {
    await organization();
    const { stdout } = await adopt("--split", "cluster", "--dry-run", "--diff");
    expect(stdout).toContain("+++ b/mac/clusters/mac.ts");
    expect(stdout).toMatch(/^# mac\/import\.json: \d+ resources added$/m);
    expect(stdout).not.toContain('"resources"');
    expect(readdirSync(scratch.directory)).toEqual([]);
  });

  test.each([
    [["sometimes"], "Expected cluster, team, kind or <project>=<selector>"],
    [["../up=Queue"], "can't name a project"],
    [["mobile=Mac"], "The kinds are"],
    [
      ["a=Cluster:Linux", "a=Mac/*", "b=Cluster:Mac", "b=Linux/*"],
      "The projects a, b would refer to each other's clusters",
    ],
  ])("%j is refused", async (rules, message) => {
    await organization();
    expect(await refusal("--split", ...rules)).toContain(message);
    expect(readdirSync(scratch.directory)).toEqual([]);
  });

  test("files in a folder that is no project yet stay, and get something added", async () => {
    await createCluster("Linux");
    write("linux/index.ts", 'import "./mine";\n');
    expect((await adopt("--split", "cluster")).code).toBe(0);
    expect(read("linux/index.ts")).toBe('import "./mine";\nimport "./clusters/linux";\n');
  });

  test("a folder that is a project is refused", async () => {
    write("Pulumi.yaml", "name: ci\nruntime: nodejs\n");
    expect(await refusal("--split", "cluster")).toContain("--split needs a folder for several");
  });
});
