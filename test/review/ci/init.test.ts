import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { HOST_FILES } from "../../../src/review/ci/init.js";
import { buildpipeline } from "../../support/command.js";
import { repository, repositoryForEach } from "./repository.js";

const EXAMPLE = join(__dirname, "..", "..", "..", "examples", "gitops");
const HOSTS = Object.entries(HOST_FILES);

repositoryForEach(["teams/mobile", "platform"]);

const written = (path: string) => readFileSync(join(repository.root, path), "utf8");
const init = (args = "") => repository.ci(`init ${args}`.trim());

describe("buildpipeline ci init", () => {
  test.each(HOSTS)(
    "writes the file of %s alone, with the projects and the stack, and nothing twice",
    async (host, path) => {
      const { code, stdout } = await init(`--host ${host} --stack live`);
      expect({ code, stdout }).toEqual({ code: 0, stdout: `${path} is written.\n` });
      expect(repository.git("status", "--porcelain", "--untracked-files=all")).toBe(`?? ${path}`);
      expect(written(path)).toContain("[platform, teams/mobile]");
      expect(written(path)).not.toContain("production --");
      expect(written(path)).toMatch(/ci deploy --stack live/);
      parse(written(path));
      const unchanged = { code: 0, stdout: "The files are what this version writes.\n" };
      expect(await init("--check")).toMatchObject(unchanged);
    },
  );

  test.each(HOSTS)(
    "writes the file of examples/gitops for a repository with one project on %s",
    async (host, path) => {
      for (const folder of ["teams", "platform"]) execFileSync("rm", ["-r", join(repository.root, folder)]);
      repository.write({ "Pulumi.yaml": "name: acme\nruntime: nodejs\n" });
      await init(`--host ${host}`);
      expect(written(path)).toBe(readFileSync(join(EXAMPLE, path), "utf8"));
    },
  );

  test("never overwrites an edited file, and shows the difference and how to take it", async () => {
    await init("--host gitlab --stack live");
    const edited = written(HOST_FILES.gitlab).replace("node:24", "node:22");
    repository.write({ [HOST_FILES.gitlab]: edited });
    const { code, stdout } = await init("--host gitlab");
    expect(code).toBe(1);
    expect(stdout).toContain("  -  image: node:22-bookworm\n  +  image: node:24-bookworm\n");
    expect(stdout).toContain("rm .gitlab-ci.yml && npx pulumi-buildpipeline ci init");
    expect(written(HOST_FILES.gitlab)).toBe(edited);
    const checked = JSON.parse((await init("--check --json")).stdout);
    expect(checked).toEqual({ written: [], missing: [], different: [HOST_FILES.gitlab] });

    const [, taking = ""] =
      /To take this version's: rm \S+ && npx pulumi-buildpipeline ci (init .*)\n/.exec(stdout) ?? [];
    rmSync(join(repository.root, HOST_FILES.gitlab));
    expect(await repository.ci(taking)).toMatchObject({ code: 0 });
    expect(written(HOST_FILES.gitlab)).toBe(edited.replace("node:22", "node:24"));
  });

  test("--check finds a project that the file lacks, and a file that is missing", async () => {
    const stdout = `${HOST_FILES.github} is missing.\n`;
    expect(await init("--check --host github")).toMatchObject({ code: 1, stdout });
    await init("--host github");
    repository.write({ "web/Pulumi.yaml": "name: web\nruntime: yaml\n" });
    expect((await init("--check")).stdout).toContain("+        project: [platform, teams/mobile, web]");
  });

  test.each(HOSTS)(
    "writes a file for %s that a reviewer can read: short, no long line, and a step on each line",
    async (host, path) => {
      for (const name of "abcdefghijklmnop")
        repository.write({ [`teams/${name.repeat(9)}/Pulumi.yaml`]: `name: ${name}\nruntime: yaml\n` });
      await init(`--host ${host} --stack a-rather-long-name`);
      const lines = written(path).split("\n");
      expect(lines.length).toBeLessThanOrEqual(230);
      expect(lines.filter((line) => line.length > 120)).toEqual([]);
      expect(lines.filter((line) => /steps: *\[|\{ *run:/.test(line))).toEqual([]);
      expect(JSON.stringify(parse(written(path)))).toContain('["platform","teams/aaaaaaaaa",');
    },
  );

  test.each<[string, (git: (...args: string[]) => string) => unknown, string]>([
    [
      "of the remote",
      (git) => {
        git("update-ref", "refs/remotes/origin/release/1.x", "HEAD");
        return git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/release/1.x");
      },
      "release/1.x",
    ],
    ["that is there, if a clone recorded none", (git) => git("branch", "--move", "main", "master"), "master"],
    [
      "that is there, on another one",
      (git) => [git("branch", "--move", "main", "master"), git("checkout", "--quiet", "-b", "topic")],
      "master",
    ],
    ["on which you are, if none is known", (git) => git("branch", "--move", "main", "release"), "release"],
  ])("names the default branch %s", async (_, arrange, branch) => {
    arrange((...args) => repository.git(...args));
    for (const [host, path] of HOSTS) {
      expect(await init(`--host ${host}`)).toMatchObject({ code: 0 });
      expect(written(path)).not.toMatch(/origin\/main|"main"/);
      if (host !== "gitlab") expect(written(path)).toContain(`--affected-by origin/${branch} `);
    }
    expect(written(HOST_FILES.github).split(`branches: [${branch}]`)).toHaveLength(3);
    expect(written(HOST_FILES.buildkite)).toContain(`build.branch == "${branch}" &&`);
    // A job's checkout has no branch at all.
    repository.git("checkout", "--quiet", "--detach");
    expect(await init("--check")).toMatchObject({ code: 0 });
  });

  test("refuses a default branch that a host could take for something else", async () => {
    repository.git("branch", "--move", "main", "$(id)");
    expect(await init("--host github")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('branch "$(id)"'),
    });
    expect(existsSync(join(repository.root, HOST_FILES.github))).toBe(false);
  });

  test("writes to the root of the repository, where hosts look, from any folder in it", async () => {
    const options = { cwd: join(repository.root, "teams"), env: repository.env() };
    const { code, stdout } = await buildpipeline(["ci", "init", "--host", "gitlab"], options);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "../.gitlab-ci.yml is written.\n" });
    expect(written(HOST_FILES.gitlab)).toContain("[platform, teams/mobile]");
    expect(await buildpipeline(["ci", "init", "--check"], options)).toMatchObject({ code: 0 });
  });

  test("takes carriage returns for no difference", async () => {
    await init("--host gitlab");
    repository.write({ [HOST_FILES.gitlab]: written(HOST_FILES.gitlab).replaceAll("\n", "\r\n") });
    expect(await init("--check")).toMatchObject({
      code: 0,
      stdout: "The files are what this version writes.\n",
    });
  });

  test("says on GitHub which environments and secrets are left to make, each as a command", async () => {
    const { stderr } = await init("--host github");
    const commands = stderr.split("\n").filter((line) => line.startsWith("  "));
    const of = (environment: string, token: string) => [
      `  gh api --method PUT 'repos/{owner}/{repo}/environments/${encodeURIComponent(environment)}' --silent`,
      ...["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", token].map(
        (name) => `  gh secret set ${name} --env ${environment}`,
      ),
    ];
    expect(commands).toEqual([
      ...of("review/platform", "BUILDPIPELINE_READ_TOKEN"),
      ...of("review/teams/mobile", "BUILDPIPELINE_READ_TOKEN"),
      ...of("plan", "BUILDPIPELINE_READ_TOKEN"),
      ...of("production", "BUILDPIPELINE_WRITE_TOKEN"),
      ...of("nightly", "BUILDPIPELINE_READ_TOKEN"),
      "  gh variable set PULUMI_BACKEND_URL",
    ]);
    expect(stderr).toMatch(/deploy-from-git[\s\S]*`production` required reviewers.* branch main\./);
    expect((await init("--check")).stderr).not.toContain("Left to do");
    expect((await init("--host buildkite")).stderr).toMatch(/Left to do[\s\S]*variables[\s\S]*ROTATE=true/);
  });

  test("says what keeps a job from installing", async () => {
    const { stderr } = await init("--host github");
    expect(stderr).toMatch(/npm install --save-dev pulumi-buildpipeline[\s\S]*--save-dev pulumi,/);
    const dependencies = { "pulumi-buildpipeline": "file:../pulumi-buildpipeline-0.1.0.tgz", pulumi: "3" };
    repository.write({ "package.json": JSON.stringify({ dependencies }), "package-lock.json": "{}" });
    expect((await init("--host gitlab")).stderr.split("Left to do")[0]).toBe(
      "package.json names a file outside of the repository, which a clone lacks: cp ../pulumi-buildpipeline-0.1.0.tgz . && npm install ./pulumi-buildpipeline-0.1.0.tgz\n",
    );
    expect((await init()).code).toBe(0);
    const unknown = await init("--host jenkins");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("--host github")]);
  });
});
