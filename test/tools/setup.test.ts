import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isAtLeast, PROVIDED_VERSION } from "../../tools/pulumi-cli/release.mjs";
import { installedAsLocked } from "../../tools/setup/dependencies.mjs";

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

  it("are current when every locked package is there in its version", () => {
    expect(installedAsLocked(locked, { packages: rest })).toBe(true);
  });

  it("are not current when none are installed", () => {
    expect(installedAsLocked(locked, undefined)).toBe(false);
  });

  it("are not current when a package is missing", () => {
    const { "node_modules/a": _missing, ...others } = rest;
    expect(installedAsLocked(locked, { packages: others })).toBe(false);
  });

  it("are not current when a package has another version or another content", () => {
    const other = (changed: { version: string; integrity: string }) => ({
      packages: { ...rest, "node_modules/a": changed },
    });
    expect(installedAsLocked(locked, other({ version: "1.0.1", integrity: "sha512-a" }))).toBe(false);
    expect(installedAsLocked(locked, other({ version: "1.0.0", integrity: "sha512-b" }))).toBe(false);
  });

  it("are not current when a link leads elsewhere", () => {
    const moved = { ...rest, "node_modules/one": { resolved: "examples/two", link: true } };
    expect(installedAsLocked(locked, { packages: moved })).toBe(false);
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

  it("is the same for the download and the build from source", () => {
    const goModules = readFileSync(join(__dirname, "../../tools/pulumi-cli/from-source/go/go.mod"), "utf8");
    expect(goModules).toContain(`github.com/pulumi/pulumi/pkg/v3 v${PROVIDED_VERSION}\n`);
    expect(goModules).toContain(`github.com/pulumi/pulumi/sdk/v3 v${PROVIDED_VERSION}`);
  });
});
