import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const CHECKOUT = join(__dirname, "..", "..");
const WORKFLOWS = join(CHECKOUT, ".github", "workflows");
const { scripts, version } = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8"));

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
}
interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, { permissions?: Record<string, string>; steps: Step[] }>>;
}

const workflows = readdirSync(WORKFLOWS).map((file) => {
  const text = readFileSync(join(WORKFLOWS, file), "utf8");
  const workflow: Workflow = parse(text);
  return { file, text, workflow, steps: Object.values(workflow.jobs).flatMap(({ steps }) => steps) };
});

describe.each(workflows)("The workflow $file", ({ text, workflow, steps }) => {
  test("pins every action to a commit, with its version in a comment", () => {
    const used = text.split("\n").filter((line) => /^\s*(?:- )?uses:/.test(line));
    expect(used).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of used) expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("may only read, except where a job says more", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const more = Object.entries(workflow.jobs).filter(([, { permissions }]) => permissions !== undefined);
    expect(more.map(([name]) => name)).toEqual("release" in workflow.jobs ? ["release"] : []);
  });

  test("runs scripts and files that exist, in lines that the shell accepts", () => {
    const lines = steps.flatMap(({ run = "" }) => run.split("\n"));
    for (const line of lines) {
      const script = /^npm (?:run )?([\w:]+)/.exec(line)?.[1];
      if (script !== undefined) expect(scripts).toHaveProperty([script]);
      const file = /^node (\S+\.mjs)/.exec(line)?.[1];
      if (file !== undefined) expect(existsSync(join(CHECKOUT, file))).toBe(true);
    }
    for (const { run } of steps) {
      if (run !== undefined) execFileSync("bash", ["-n"], { input: run });
    }
  });
});

describe("The release workflow", () => {
  const step = (name: string) =>
    workflows.flatMap(({ steps }) => steps).find((one) => one.name === name)?.run ?? "exit 99";

  test.each([
    [`v${version}`, 0],
    ["v99.0.0", 1],
  ])("compares the tag %s with package.json", (tag, status) => {
    const ended = spawnSync("bash", ["-eo", "pipefail", "-c", step("Compare the tag with package.json")], {
      cwd: CHECKOUT,
      env: { ...process.env, GITHUB_REF_NAME: tag },
      encoding: "utf8",
    });
    expect(ended.status).toBe(status);
    if (status !== 0) expect(ended.stdout).toContain(`::error::The tag is ${tag}`);
  });

  test("hands each platform to the build as a word of its own", () => {
    const ended = spawnSync("bash", ["-eo", "pipefail", "-c", step("Build the plugin")], {
      cwd: CHECKOUT,
      env: { ...process.env, PLATFORMS: "first-platform second-platform" },
      encoding: "utf8",
    });
    expect(ended.status).toBe(1);
    expect(ended.stderr).toContain("Unknown platform first-platform, second-platform.");
  });
});
