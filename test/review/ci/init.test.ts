import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { HOST_FILES } from "../../../src/review/ci/init.js";
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

  test("says what keeps a job from installing", async () => {
    const { stderr } = await init("--host github");
    expect(stderr).toMatch(/npm install --save-dev pulumi-buildpipeline[\s\S]*--save-dev pulumi,/);
    const dependencies = { "pulumi-buildpipeline": "file:../pulumi-buildpipeline-0.1.0.tgz", pulumi: "3" };
    repository.write({ "package.json": JSON.stringify({ dependencies }), "package-lock.json": "{}" });
    expect((await init("--host gitlab")).stderr).toBe(
      "package.json names a file outside of the repository, which a clone lacks: cp ../pulumi-buildpipeline-0.1.0.tgz . && npm install ./pulumi-buildpipeline-0.1.0.tgz\n",
    );
    expect((await init()).code).toBe(0);
    const unknown = await init("--host jenkins");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("--host github")]);
  });
});
