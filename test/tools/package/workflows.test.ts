import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { CHECKOUT, read, readJson, testFolder } from "../../support/checkout.js";

const WORKFLOWS = ".github/workflows";
const { scripts, version } = readJson("package.json");

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, { permissions?: unknown; env?: unknown; steps: Step[] }>>;
}

/**
 * Returns the commands of a step that bring other code onto the machine. Scripts of package.json install what the lock
 * file names, and run it.
 */
function installationsIn({ run = "" }: Step): string[] {
  const installer =
    /\b(?:pipx?3?|npx|curl|wget|gem|cargo|brew|apt(?:-get)?|uvx?|npm (?!publish\b)\w+|yarn|pnpm|go (?:run|install|get)|setup\.mjs)\b/;
  return run.split("\n").filter((line) => installer.test(line));
}

const workflows = readdirSync(join(CHECKOUT, WORKFLOWS)).map((file) => {
  const text = read(WORKFLOWS, file);
  const workflow: Workflow = parse(text);
  return { file, text, workflow, steps: Object.values(workflow.jobs).flatMap(({ steps }) => steps) };
});

describe.each(workflows)("The workflow $file", ({ text, workflow, steps }) => {
  test("pins every action to a commit, with its version in a comment", () => {
    const used = text.split("\n").filter((line) => /^\s*(?:- )?uses:/.test(line));
    expect(used).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of used) expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("may only read, and leaves no token in a checkout", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    for (const checkout of checkouts) expect(checkout.with).toMatchObject({ "persist-credentials": false });
  });

  test("has no stored secrets, and installs nothing where a job or a step may write", () => {
    // Registries that know the workflow need no token. The one of GitHub ends with its job. A live service needs one, which
    // a protected environment gives to the one step that deploys.
    const withSecret = steps.filter((step) => /\bsecrets\b/.test(JSON.stringify(step)));
    for (const { run } of withSecret) expect(run).toBe("npm test -- live");
    expect(text.match(/\bsecrets\b/g) ?? []).toHaveLength(withSecret.length);
    if (withSecret.length > 0) expect(text).toMatch(/^on:\n {2}workflow_dispatch:\n\n/m);
    for (const { permissions, env, steps } of Object.values(workflow.jobs)) {
      const mayWrite = permissions !== undefined || env !== undefined;
      for (const step of steps) {
        if (withSecret.includes(step)) continue;
        if (mayWrite || "env" in step) expect(installationsIn(step)).toEqual([]);
      }
    }
  });

  test("runs scripts and files that exist, in lines that the shell accepts", () => {
    const lines = steps.flatMap(({ run = "" }) => run.split("\n"));
    for (const line of lines) {
      const script = /^npm (?!publish)(?:run )?([\w:]+)/.exec(line)?.[1];
      if (script !== undefined) expect(scripts).toHaveProperty([script]);
      const file = /^node (\S+\.mjs)/.exec(line)?.[1];
      if (file !== undefined) expect(existsSync(join(CHECKOUT, file))).toBe(true);
    }
    for (const { run } of steps) {
      if (run !== undefined) execFileSync("bash", ["-n"], { input: run });
    }
  });
});

test("Python packages are pinned, with a hash each", () => {
  const lines = read("tools/release/requirements.txt").trim().split("\n");
  const pinned = lines.filter((line) => !line.startsWith("#"));
  for (const line of pinned) expect(line).toMatch(/^[\w-]+==[\d.]+ --hash=sha256:[0-9a-f]{64}$/);
  const tools = globSync("tools/**/*.mjs", { cwd: CHECKOUT, exclude: ["**/node_modules"] });
  const texts = tools.map((file) => read(file));
  for (const text of texts.filter((one) => one.includes('"pip", "install"')))
    expect(text).toContain("--require-hashes");
});

test("The step that uploads to GitHub needs no installed package", () => {
  const bare = testFolder();
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(CHECKOUT, file), join(bare, file));
  cpSync(join(CHECKOUT, "tools"), join(bare, "tools"), {
    recursive: true,
    filter: (file) => !file.endsWith("node_modules"),
  });
  const { stderr } = spawnSync(process.execPath, ["tools/release/release.mjs", "--publish", "--built"], {
    cwd: bare,
    encoding: "utf8",
  });
  expect(stderr).toMatch(/no such file.*SHA256SUMS/);
});

describe("The release workflow", () => {
  /** Runs a step in the checkout. */
  const run = (name: string, env: Readonly<Record<string, string>>) => {
    const found = workflows.flatMap(({ steps }) => steps).find((one) => one.name === name);
    const options = { cwd: CHECKOUT, env: { ...process.env, ...env }, encoding: "utf8" } as const;
    return spawnSync("bash", ["-eo", "pipefail", "-c", found?.run ?? "exit 99"], options);
  };

  test.each([
    [`v${version}`, 0],
    ["v99.0.0", 1],
  ])("compares the tag %s with package.json", (tag, status) => {
    const ended = run("Compare the tag with package.json", { GITHUB_REF_NAME: tag });
    expect(ended.status).toBe(status);
    if (status !== 0) expect(ended.stdout).toContain(`::error::The tag is ${tag}`);
  });

  test("hands each platform to the build as a word of its own", () => {
    const ended = run("Build the plugin", { PLATFORMS: "first-platform second-platform" });
    expect(ended.status).toBe(1);
    expect(ended.stderr).toContain("Unknown platform first-platform, second-platform.");
  });
});
