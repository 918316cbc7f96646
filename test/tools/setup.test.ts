import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { installedAsLocked } from "../../tools/dev/install.mjs";
import { PROVIDED_VERSION } from "../../tools/dev/pulumi-cli/release.mjs";
import { isAtLeast } from "../../tools/dev/versions.mjs";
import { CHECKOUT, read, readJson } from "../support/checkout.js";

describe("installed dependencies", () => {
  const locked = {
    packages: {
      "": { version: "0.1.0" },
      "examples/one": { version: "1.0.0" },
      "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
      "node_modules/one": { resolved: "examples/one", link: true },
      "node_modules/other-platform": { version: "2.0.0", optional: true },
    },
  };
  const { "": _root, "node_modules/other-platform": _optional, ...rest } = locked.packages;
  const { "node_modules/a": _missing, ...others } = rest;
  const withA = (version: string, integrity: string) => ({
    ...rest,
    "node_modules/a": { version, integrity },
  });

  it.each<[is: boolean, when: string, packages: object | undefined]>([
    [true, "every locked package is there in its version", rest],
    [false, "none are installed", undefined],
    [false, "a package is missing", others],
    [false, "a package has another version", withA("1.0.1", "sha512-a")],
    [false, "a package has another content", withA("1.0.0", "sha512-b")],
    [false, "a link leads away", { ...rest, "node_modules/one": { resolved: "examples/two", link: true } }],
  ])("are current (%s) when %s", (is, _, packages) => {
    expect(installedAsLocked(locked, packages && { packages: { ...packages } })).toBe(is);
  });
});

describe("the Pulumi version", () => {
  it.each([
    ["v3.254.0", true],
    ["3.300.1", true],
    ["4.0.0", true],
    ["3.254.0-dev.1", true],
    ["3.253.9", false],
    ["2.999.0", false],
    ["", false],
    ["unknown", false],
  ])("%s is at least 3.254.0: %s", (version, expected) => {
    expect(isAtLeast(version, "3.254.0")).toBe(expected);
  });

  it("is the same in every project with npm's launcher", () => {
    const manifests = globSync(["examples/**/package.json", "templates/*/package.json"], {
      cwd: CHECKOUT,
      exclude: (path) => path.includes("node_modules"),
    });
    const projects = manifests
      .map((file) => readJson(file))
      .filter(({ dependencies }) => "pulumi-buildpipeline" in dependencies);
    expect(projects.length).toBeGreaterThan(20);
    const adopted = read("src/commands/adopt/languages/project-files.ts");
    const versions = projects.map(({ devDependencies }) => devDependencies.pulumi);
    expect(new Set([...versions, /pulumi: "(.+?)"/.exec(adopted)?.[1]])).toEqual(new Set([PROVIDED_VERSION]));
  });

  it("is the same for the download and the build from source", () => {
    const goModules = read("tools/dev/pulumi-cli/from-source/go/go.mod");
    expect(goModules).toContain(`github.com/pulumi/pulumi/pkg/v3 v${PROVIDED_VERSION}\n`);
    expect(goModules).toContain(`github.com/pulumi/pulumi/sdk/v3 v${PROVIDED_VERSION}`);
  });
});

describe("the lock file", () => {
  const root = readJson("package.json");
  const packages: Record<string, Record<string, unknown>> = readJson("package-lock.json").packages;
  const nodes: Record<string, string> = readJson("tools/dev/node/package.json").optionalDependencies;

  it.each(Object.keys(nodes))("has %s: pinned, with its content, for one platform only", (name) => {
    const { version, integrity, optional, os, cpu } = packages[`node_modules/${name}`] ?? {};
    expect({ version, optional }).toEqual({ version: nodes[name], optional: true });
    expect(integrity).toMatch(/^sha512-/);
    expect(name.replace("-win-", "-win32-")).toMatch(new RegExp(`-${os}-${cpu}$`));
    expect(isAtLeast(String(version), root.engines.node.replace(">=", ""))).toBe(true);
  });

  it("has no package whose install script npm would run", () => {
    const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript === true);
    const names = withScript.map((path) => path.split("node_modules/").at(-1) ?? "");
    expect(Object.fromEntries(names.map((name) => [name, false]))).toEqual(root.allowScripts);
  });

  it("has the content of every package that comes from a registry", () => {
    const fetched = Object.entries(packages).filter(
      ([at, { link }]) => at.includes("node_modules/") && !link,
    );
    expect(fetched.length).toBeGreaterThan(100);
    expect(fetched.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  });
});

describe("Where these commands are untested", () => {
  /** Runs code with the functions of commands as on another platform, and returns what it prints. */
  function printed(platform: string, code: string): string {
    const commands = pathToFileURL(join(CHECKOUT, "tools/dev/command.mjs")).href;
    const pretend = `Object.defineProperty(process, "platform", { value: "${platform}" });`;
    const script = `${pretend} const { runMain, warnWhereUntested } = await import("${commands}"); ${code}`;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
    });
    return `${stderr.trim()}\n[${status}]`;
  }
  const fails = 'await runMain(() => { throw new Error("EPERM: operation not permitted, symlink"); });';

  it.each([
    ["win32", "Windows", "WSL"],
    ["darwin", "macOS", "a virtual machine"],
  ])("on %s, they say so first, and a failure has no stack", (platform, system, instead) => {
    const advice = `These commands are untested on ${system}. Use Linux, a container or ${instead}.`;
    expect(printed(platform, "warnWhereUntested();")).toBe(`${advice}\n[0]`);
    expect(printed(platform, fails)).toBe(`EPERM: operation not permitted, symlink\n${advice}\n[1]`);
  });

  it("on Linux, they say nothing, and an unexpected failure has its stack", () => {
    expect(printed("linux", "warnWhereUntested();")).toBe("\n[0]");
    expect(printed("linux", fails)).toMatch(/^Error: EPERM.*\n +at /);
  });
});
