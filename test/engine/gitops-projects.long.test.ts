import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import { writeCommand } from "../support/commands-on-path.js";
import { type Bucket, s3Server, startBucket } from "../support/s3-bucket.mjs";
import { COMMAND, Project } from "./project.js";
import { runJob } from "./workflow-job.js";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const ROOT = "infrastructure";

if (s3Server === undefined)
  console.warn("NOT TESTED: jobs with state in a bucket. Its state is in a folder instead.");

/**
 * The jobs in the folder of three projects that `adopt --split` wrote: `queues` and `agent-tokens` read `clusters`. The
 * tests follow each other: each begins where the one before it ended.
 */
describe("Deploying several projects from Git", () => {
  let project: Project;
  let client: BuildPipelineClient;
  let bucket: Bucket | undefined;

  beforeAll(async () => {
    project = await Project.start(undefined, { seed: false });
    if (s3Server !== undefined) {
      bucket = await startBucket(s3Server);
      project.remember(bucket.environment);
    }
    const { url: baseUrl, accessToken, organization } = project.emulator;
    client = new BuildPipelineClient({ baseUrl, accessToken, organization });
    for (const name of ["Linux", "Mac"]) {
      const { id } = await client.clusters.create({ name });
      await client.queues.create(id, { key: "small" });
      await client.agentTokens.create(id, { description: "Machines" });
    }
    const printed = await project.shell(`${COMMAND} adopt ${ROOT} --split kind`);
    const [, steps = ""] = /Next:\n((?: {2}.*\n)+)/.exec(printed) ?? [];
    // The package under test is found in the checkout.
    await project.shell(steps.replace("npm install\n", "\n"));
    await project.shell(`
      cd ${ROOT}
      ${COMMAND} ci init --host github
      git init --quiet --bare --initial-branch main ../host.git
      git init --quiet --initial-branch main
      git config user.name Ada && git config user.email ada@acme.example
      git remote add origin ../host.git
      git add . && git commit --quiet --message "An organization" && git push --quiet origin main
      git clone --quiet ../host.git ../runner`);
    writeCommand(
      join(project.directory, "runner", "node_modules", ".bin"),
      "buildpipeline",
      `exec ${COMMAND} "$@"`,
    );
  });
  afterAll(async () => {
    await client?.close();
    await project?.close();
    bucket?.close();
  });

  const job = (name: string, which: { branch?: string; all?: boolean; only?: string } = {}) =>
    runJob(project, ROOT, { name, ...which }, "GITHUB_ACTIONS=");
  const made = (...path: readonly string[]) =>
    readFileSync(join(project.directory, "runner", "review", ...path), "utf8");
  const inRoot = (command: string) => project.shell(`cd ${ROOT} && ${command}`);

  /** A branch with changed files, pushed. */
  async function change(
    branch: string,
    edits: Readonly<Record<string, (text: string) => string>>,
  ): Promise<void> {
    await inRoot(`git checkout --quiet -b ${branch} main`);
    for (const [file, edit] of Object.entries(edits)) {
      const text = project.read(join(ROOT, file));
      expect(edit(text)).not.toBe(text);
      project.write(join(ROOT, file), edit(text));
    }
    await inRoot(`git add . && git commit --quiet --message ${branch} && git push --quiet origin ${branch}`);
  }
  const merge = (branch: string) =>
    inRoot(`git checkout --quiet main && git merge --quiet ${branch} && git push --quiet origin main`);
  const declare = (line: string) => (text: string) => `${text}\n${line}\n`;

  /** The jobs of a pull request: a preview for each project, and the one report. */
  async function review(branch: string): Promise<{ affected: string[]; codes: string[]; report: string }> {
    await project.shell("rm -rf runner/review");
    const codes: string[] = [];
    for (const only of ["agent-tokens", "clusters", "queues"]) {
      const { code, writes } = await job("preview", { branch, only });
      expect(writes).toEqual([]);
      codes.push(code);
    }
    const { affected } = JSON.parse(made("projects.json"));
    const report = await project.shell(`cd runner && ${COMMAND} ci comment --print`);
    return { affected, codes, report };
  }

  test("the first run finds nothing to change, and no project waits for another one's preview", async () => {
    if (bucket !== undefined) expect(await project.shell("pulumi whoami --verbose")).toContain("s3://state");
    const plan = await job("plan");
    expect(plan, plan.output).toMatchObject({ code: "0", writes: [] });
    expect(made("report.md")).toMatch(/^## Preview of 3 stacks\n\n🟢 \*\*No changes\*\*\.$/m);
    const deployed = await job("deploy");
    expect(deployed, deployed.output).toMatchObject({ code: "0", writes: [] });
  });

  test("a pull request that touches one project previews this one alone", async () => {
    await change("one", {
      "queues/clusters/linux.ts": declare('new Queue("linux-large", { clusterId, key: "large" });'),
    });
    const { affected, codes, report } = await review("one");
    expect({ affected, codes }).toEqual({ affected: ["queues"], codes: ["0", "0", "0"] });
    expect(report).toMatch(
      /^<!-- buildpipeline report projects\/production -->\n## Preview of 1 of 3 stacks$/m,
    );
    expect(report).toMatch(/^### <code>infrastructure-queues\/production<\/code>: 1 to create$/m);
    expect(report).toMatch(
      /^Not affected: <code>infrastructure-clusters\/production<\/code>, <code>infrastructure-agent-tokens\/production<\/code>\.$/m,
    );
    await merge("one");
    expect(await job("plan")).toMatchObject({ code: "0", writes: [] });
    const deployed = await job("deploy");
    expect(deployed, deployed.output).toMatchObject({ code: "0", writes: ["queues.create"] });
  });

  test("a pull request that touches the shared project previews what reads it, against deployed outputs", async () => {
    await change("shared", {
      "clusters/clusters/linux.ts": (text) =>
        text.replace('name: "Linux"', 'name: "Linux", description: "Builds"'),
    });
    const { affected, codes, report } = await review("shared");
    expect([...affected].sort()).toEqual(["agent-tokens", "clusters", "queues"]);
    expect(codes).toEqual(["0", "0", "0"]);
    expect(report).toMatch(/^### <code>infrastructure-clusters\/production<\/code>: 1 to update$/m);
    expect(
      report.match(/^_Previewed against deployed outputs of <code>infrastructure-clusters<\/code>/gm),
    ).toHaveLength(2);
    await merge("shared");
    expect(await job("plan")).toMatchObject({ code: "0", writes: [] });
    const deployed = await job("deploy");
    expect(deployed, deployed.output).toMatchObject({ code: "0", writes: ["clusters.update"] });
  });

  test("a wave that changes what nobody approved waits: its plan is made after the wave before it", async () => {
    await change("new-cluster", {
      "clusters/outputs.ts": (text) =>
        text.replace(
          "export const clusterIds = {",
          'import { Cluster } from "pulumi-buildpipeline";\nconst windows = new Cluster("windows", { name: "Windows" });\nexport const clusterIds = {\n  windows: windows.id,',
        ),
      "queues/index.ts": (text) =>
        `import { Queue } from "pulumi-buildpipeline";\nimport { clusterIn } from "./stacks";\n${text}
new Queue("windows-small", { clusterId: clusterIn("infrastructure-clusters", "windows"), key: "small" });\n`,
    });
    await merge("new-cluster");
    const plan = await job("plan");
    expect(plan.code).not.toBe("0");
    expect(made("report.md")).toMatch(
      /^> - <code>infrastructure-queues\/production<\/code>: failed preview/m,
    );

    const first = await job("deploy");
    expect(first, first.output).toMatchObject({ code: "5", writes: ["clusters.create"] });
    expect(first.output).toContain("infrastructure-clusters/production: deployed.");
    expect(first.output).toMatch(
      /^infrastructure-queues\/production: waits: .* Run `buildpipeline ci preview` again/m,
    );

    const again = await job("plan");
    expect(again, again.output).toMatchObject({ code: "0", writes: [] });
    expect(made("report.md")).toMatch(/^### <code>infrastructure-queues\/production<\/code>: 1 to create$/m);
    const second = await job("deploy");
    expect(second, second.output).toMatchObject({ code: "0", writes: ["queues.create"] });
  });

  test("a deployment that fails in the middle stops what reads the failed project, and nothing else", async () => {
    await change("both", {
      "clusters/clusters/mac.ts": (text) => text.replace('name: "Mac"', 'name: "Mac", description: "Xcode"'),
      "queues/clusters/mac.ts": declare('new Queue("mac-large", { clusterId, key: "large" });'),
      "agent-tokens/clusters/mac.ts": declare(
        'new AgentToken("mac-new", { clusterId, description: "New machines" });',
      ),
    });
    await merge("both");
    expect(await job("plan")).toMatchObject({ code: "0", writes: [] });
    const refusing = project.emulator.fault({ operation: "queues.create", action: { status: 403 } });
    const failed = await job("deploy");
    expect(failed.code).not.toBe("0");
    expect(failed.output).toContain("infrastructure-agent-tokens/production: deployed.");
    expect(failed.output).toMatch(/^infrastructure-queues\/production: failed: .*403/m);
    refusing.remove();

    // Only what wasn't deployed is planned again.
    expect(await job("plan")).toMatchObject({ code: "0", writes: [] });
    expect(made("report.md")).toContain("## Preview of 1 of 3 stacks");
    const deployed = await job("deploy");
    expect(deployed, deployed.output).toMatchObject({ code: "0", writes: ["queues.create"] });
  });

  test("at night, one report has the drift of all stacks, and one list the token that none of them owns", async () => {
    const quiet = await job("drift");
    expect(quiet, quiet.output).toMatchObject({ code: "0", writes: [] });
    expect(made("report.md")).toMatch(/^## Drift of 3 stacks\n\n🟢 \*\*No changes\*\*\.$/m);

    const [linux] = await client.clusters.list().all();
    const cluster = `/clusters/${linux?.id}`;
    const queues = await project.colleague.list(`${cluster}/queues`);
    await project.colleague.sends("PUT", `${cluster}/queues/${queues[0]?.id}`, { description: "By hand" });
    await project.colleague.sends("POST", `${cluster}/tokens`, { description: "Forgotten" });
    const night = await job("drift");
    expect(night).toMatchObject({ code: "1", writes: [] });
    expect(made("report.md")).toMatch(/^### <code>infrastructure-queues\/production<\/code>: 1 changed$/m);
    expect(made("unmanaged.txt")).toMatch(
      /^None of the 3 stacks given owns 1:\n[\s\S]*AgentToken +Forgotten/,
    );

    // A run that a person starts plans every project, and undoes it.
    expect(await job("plan", { all: true })).toMatchObject({ code: "0" });
    const repaired = await job("deploy");
    expect(repaired, repaired.output).toMatchObject({ code: "0", writes: ["queues.update"] });
  });
});
