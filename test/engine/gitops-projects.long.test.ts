import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { repositoryWith, StandInHost } from "../review/ci/stand-in-host.js";
import { type Bucket, s3Server, startBucket } from "../support/s3-bucket.mjs";
import { CHECKOUT, closedAtEnd } from "./ending.js";
import { SECRETS_PROVIDER } from "./key-service.js";
import { Project } from "./project.js";
import { Repository } from "./workflow-job.js";

const ROOT = "infrastructure";

if (s3Server === undefined)
  console.warn("NOT TESTED: jobs with state in a bucket. Its state is in a folder instead.");

const reading = (project: string, classes: string) => `
const pulumi = require("@pulumi/pulumi");
const { ${classes} } = require("pulumi-buildpipeline");
const read = new pulumi.StackReference("organization/${project}/production");`;
const queues = (cluster: string) => `${reading("clusters", "Queue")}
const clusterId = read.requireOutput("${cluster}Id");
const keys = ["small"];
exports.keys = keys.map((key) => new Queue("${cluster}-" + key, { clusterId, key }).key);
`;
const template = (cluster: string) => `${reading(cluster, "PipelineTemplate")}
const configuration = read.requireOutput("keys").apply(([key]) => "agents: { queue: " + key + " }\\nsteps: []\\n");
new PipelineTemplate("${cluster}", { name: "${cluster}", configuration });
`;

/** Nine projects in three waves, by their folders. */
const PROGRAMS: Readonly<Record<string, string>> = {
  clusters: `const { Cluster } = require("pulumi-buildpipeline");
for (const name of ["linux", "mac"]) exports[name + "Id"] = new Cluster(name, { name }).id;
`,
  teams: `const { Team } = require("pulumi-buildpipeline");
exports.mobile = new Team("mobile", { name: "Mobile" }).id;
`,
  windows: `const { Cluster } = require("pulumi-buildpipeline");
new Cluster("windows", { name: "windows" });
`,
  linux: queues("linux"),
  mac: queues("mac"),
  tokens: `${reading("clusters", "RotatingAgentToken")}
const generation = new pulumi.Config().requireNumber("tokenGeneration");
new RotatingAgentToken("farm", { clusterId: read.requireOutput("linuxId"), description: "Farm", generation });
`,
  "templates-linux": template("linux"),
  "templates-mac": template("mac"),
  suites: `${reading("mac", "Suite")}
new Suite("unit", { name: "Unit", defaultBranch: "main", applicationName: read.requireOutput("keys").apply(String) });
`,
};

/** Packs the built package for an installation in the checkout, where Node finds what it depends on. */
function packed(directory: string, version: string, hostFile: (text: string) => string): string {
  const staged = join(directory, version, "package");
  for (const part of ["dist", "plugin", "main.cjs", "examples/gitops"])
    cpSync(join(CHECKOUT, part), join(staged, part), { recursive: true });
  const { dependencies, peerDependencies, devDependencies, scripts, ...manifest } = JSON.parse(
    readFileSync(join(CHECKOUT, "package.json"), "utf8"),
  );
  writeFileSync(join(staged, "package.json"), JSON.stringify({ ...manifest, version }));
  const workflow = join(staged, "examples/gitops/.github/workflows/buildpipeline.yml");
  writeFileSync(workflow, hostFile(readFileSync(workflow, "utf8")));
  const name = `pulumi-buildpipeline-${version}.tgz`;
  execFileSync("tar", ["-czf", join(directory, ROOT, name), "-C", dirname(staged), "package"]);
  return name;
}

/** The tests follow each other: each begins where the one before it ended. */
describe("Deploying nine projects in three waves from Git, with state in a bucket", () => {
  let project: Project;
  let bucket: Bucket | undefined;
  let host: StandInHost;
  let repository: Repository;
  let environment = "";

  beforeAll(async () => {
    project = await Project.start();
    repository = new Repository(project, ROOT, () => `GITHUB_ACTIONS= ${environment}`);
    host = closedAtEnd(new StandInHost());
    await host.start();
    if (s3Server !== undefined) {
      bucket = closedAtEnd(await startBucket(s3Server));
      project.remember(bucket.environment);
    }
    mkdirSync(join(project.directory, ROOT));
    const older = packed(project.directory, "0.1.0", (text) => text);
    const manifest = (tarball: string, more: object = {}) =>
      JSON.stringify({
        private: true,
        ...more,
        devDependencies: { "pulumi-buildpipeline": `file:${tarball}` },
      });
    project.write(join(ROOT, "package.json"), manifest(older, { name: "organization", workspaces: ["*"] }));
    project.write(join(ROOT, ".gitignore"), "node_modules/\nreview/\n");
    for (const [name, program] of Object.entries(PROGRAMS)) {
      mkdirSync(join(project.directory, ROOT, name));
      const [, reads = ""] = /organization\/([\w-]+)\/production/.exec(program) ?? [];
      project.write(
        join(ROOT, name, "Pulumi.yaml"),
        `name: ${name}\nruntime: nodejs\nmain: index.js\nbuildpipeline: { reads: [${reads}] }\n`,
      );
      project.write(join(ROOT, name, "index.js"), program);
      project.write(join(ROOT, name, "package.json"), manifest(`../${older}`, { name }));
    }
    await repository.shell(`
      git init --quiet --initial-branch main
      NODE_OPTIONS= npm install --offline
      for p in */Pulumi.yaml; do
        (cd "$(dirname "$p")" && pulumi stack init production --secrets-provider ${SECRETS_PROVIDER}); done
      printf 'config:\n  tokens:tokenGeneration: 1\n' >> tokens/Pulumi.production.yaml
      node_modules/.bin/buildpipeline ci init --host github`);
    await repository.start();
    await repository.shell("cd ../runner && NODE_OPTIONS= npm ci --offline");
  });

  const inRunner = (command: string) =>
    project.shell(
      `cd runner && ${command.replaceAll("buildpipeline ", "node_modules/.bin/buildpipeline ")} 2>&1`,
    );

  test("one command deploys all of them for the first time, wave by wave", async () => {
    if (bucket !== undefined) expect(await project.shell("pulumi whoami --verbose")).toContain("s3://state");
    await inRunner("buildpipeline projects --waves -- pulumi up --yes --skip-preview");
    expect(await project.inventory()).toEqual({
      "/clusters": ["linux", "mac", "windows"],
      "/pipeline-templates": ["linux", "mac"],
      "/teams": ["Mobile"],
      "/suites": ["Unit"],
    });
    const { stacks } = JSON.parse(repository.made("projects.json"));
    const waves = Map.groupBy(stacks, ({ wave }: { wave: number }) => wave);
    expect([...waves.values()].map(({ length }) => length)).toEqual([3, 3, 3]);
  });

  test("a pull request previews what it touches and what reads that, against deployed outputs", async () => {
    await repository.change("large", {
      "linux/index.js": (text) => text.replace('["small"]', '["large", "small"]'),
    });
    await project.shell("rm -rf runner/review");
    for (const only of ["linux", "templates-linux", "mac"])
      await repository.ends("preview", { code: "0", writes: [] }, { branch: "large", only });
    const report = await inRunner("buildpipeline ci comment --print");
    expect(report).toMatch(/^Preview of 2 of 9 stacks/m);
    expect(report).toMatch(/^### <code>linux\/production<\/code>: 1 to create$/m);
    expect(report).toMatch(/^_Previewed against deployed outputs of <code>linux<\/code>/m);
    expect(report).toMatch(/^Not affected: .*<code>mac\/production<\/code>/m);
  });

  test("a deployment that fails stops what reads the failed project, and a wave that nobody approved waits", async () => {
    await repository.merge("large");
    await repository.ends("plan", { code: "0", writes: [] });
    const refusing = project.emulator.fault({ operation: "queues.create", action: { status: 403 } });
    const failed = await repository.ends("deploy", { code: "2" });
    expect(failed).toMatch(/^linux\/production: failed: .*403/m);
    expect(failed).toMatch(/^templates-linux\/production: skipped: It reads linux\/production/m);
    refusing.remove();

    await repository.ends("plan", { code: "0", writes: [] });
    const first = await repository.ends("deploy", { code: "5", writes: ["queues.create"] });
    expect(first).toMatch(
      /^templates-linux\/production: waits: .* Run `[^`]*buildpipeline ci preview` again/m,
    );

    await repository.ends("plan", { code: "0", writes: [] });
    expect(repository.made("report.md")).toMatch(
      /^### <code>templates-linux\/production<\/code>: 1 to update$/m,
    );
    await repository.ends("deploy", { code: "0", writes: ["pipelineTemplates.update"] });
  });

  test("at night, one report has the drift of all stacks, and one list the token that none of them owns", async () => {
    const clusters = await project.colleague.list("/clusters");
    const linux = `/clusters/${clusters.find(({ name }) => name === "linux")?.id}`;
    const [queue] = await project.colleague.list(`${linux}/queues`);
    await project.colleague.sends("PUT", `${linux}/queues/${queue?.id}`, { description: "By hand" });
    await project.colleague.sends("POST", `${linux}/tokens`, { description: "Forgotten" });
    await repository.ends("drift", { code: "1", writes: [] });
    expect(repository.made("report.md")).toMatch(/^Drift of 9 stacks/m);
    expect(repository.made("report.md")).toMatch(/^### <code>linux\/production<\/code>: 1 changed$/m);
    expect(repository.made("unmanaged.txt")).toMatch(
      /^None of the 9 stacks given owns 1:\n[\s\S]*AgentToken +Forgotten/,
    );

    project.emulator.clearRequests();
    await inRunner(
      "buildpipeline ci preview --stack production --all --only linux && buildpipeline ci deploy --stack production --only linux",
    );
    expect(project.writes()).toEqual(["queues.update"]);
  });

  test("a rotation is a pull request for one project, and its deployment keeps the token before it", async () => {
    const file = "tokens/Pulumi.production.yaml";
    const content = project.read(join(ROOT, file));
    host.answer = repositoryWith({ branches: {}, open: [], file, content });
    environment = `GITHUB_API_URL=${host.url} GITHUB_REPOSITORY=acme/ci GITHUB_TOKEN=t0ken`;
    const opened = await repository.job("rotate");
    environment = "";
    expect(opened, opened.output).toMatchObject({ code: "0", writes: [] });
    const sent = host.sent.find(({ path }) => path.endsWith(`/contents/${file}`))?.body;
    await repository.change("rotation", {
      [file]: () => Buffer.from(String(Reflect.get(Object(sent), "content")), "base64").toString(),
    });
    await repository.merge("rotation");
    await repository.ends("plan", { code: "0", writes: [] });
    expect(repository.made("report.md")).toMatch(/^Preview of 1 of 9 stacks/m);
    await repository.ends("deploy", { code: "0", writes: ["agentTokens.create"] });
  });

  test("one command upgrades the package in all projects, and no stack has a change", async () => {
    const newer = packed(project.directory, "0.1.1", (text) =>
      text.replace("node-version: 24", "node-version: 26"),
    );
    const doctor = "node_modules/.bin/buildpipeline doctor";
    await repository.shell(`NODE_OPTIONS= npm install ./${newer} --workspace mac --offline`);
    expect(await repository.shell(doctor)).toMatch(
      /several versions of pulumi-buildpipeline: 0\.1\.1 by mac\/package\.json; 0\.1\.0 by /,
    );
    await repository.shell(
      `NODE_OPTIONS= npm install ./${newer} --workspaces --include-workspace-root --offline`,
    );
    expect(await repository.shell(doctor)).toContain("uses pulumi-buildpipeline 0.1.1 only");

    const differs = await repository.shell(
      "node_modules/.bin/buildpipeline ci init --check && exit 9 || [ $? = 1 ]",
    );
    expect(differs).toContain("+        with: { node-version: 26 }");
    const [, taking = ""] = /To take this version's: (.*)$/m.exec(differs) ?? [];
    await repository.shell(
      `export NODE_OPTIONS= && ${taking} && git checkout --quiet -b upgrade && rm pulumi-buildpipeline-0.1.0.tgz`,
    );
    await repository.shell(
      "git add . && git commit --quiet --message Upgrade && git push --quiet origin upgrade",
    );
    await repository.merge("upgrade");
    await project.shell(
      "cd runner && git fetch --quiet && git checkout --quiet --detach origin/main && NODE_OPTIONS= npm ci --offline",
    );
    await repository.ends("plan", { code: "0", writes: [] });
    expect(repository.made("report.md")).toMatch(/^## 🟢 No changes\n\nPreview of 9 stacks/m);
  });
});
