import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { envOf, scripts, stepsOf } from "../../tools/dev/task.mjs";
import { CHECKOUT, read, readJson } from "../support/checkout.js";

const manifest = readJson("package.json");
const contributing = read("CONTRIBUTING.md");
const variants = Object.entries(scripts).flatMap(([script, named]) =>
  Object.keys(named).map((variant): [script: string, variant: string] => [script, variant]),
);

test("package.json has at most 14 scripts, without those that npm runs before others", () => {
  const own = Object.keys(manifest.scripts).filter(
    (name) => !(name.replace(/^pre/, "") in manifest.scripts && name.startsWith("pre")),
  );
  expect(own.length).toBeLessThanOrEqual(14);
});

describe.each(variants)("npm run %s -- %s", (script, variant) => {
  test("runs files that exist, after the setup", () => {
    const [setup, ...steps] = stepsOf(script, variant === "" ? [] : [variant]);
    expect(setup?.[0]).toBe("tools/dev/setup.mjs");
    expect(steps.length).toBeGreaterThan(0);
    // A tool's packages are installed for its variant only.
    const files = steps
      .flat()
      .filter((part) => part.includes("/") && !/^tools\/.*\/node_modules\//.test(part));
    expect(files.filter((file) => !existsSync(join(CHECKOUT, file)))).toEqual([]);
  });

  test("is in package.json and in CONTRIBUTING.md", () => {
    expect(manifest.scripts[script]).toBe(`node tools/dev/task.mjs ${script}`);
    const command = script === "test" ? "npm test" : `npm run ${script}`;
    expect(contributing).toContain(variant === "" ? `\`${command}\`` : `${command} -- ${variant}`);
  });
});

test("Projects that the command line names take the place of the variant's", () => {
  expect(stepsOf("test", ["--project", "fast", "client"]).at(-1)).toEqual([
    "node_modules/vitest/vitest.mjs",
    ...["run", "--project", "fast", "client"],
  ]);
});

test("CI runs every case, of which `npm test` plays some", () => {
  expect(read(".ci/run")).toMatch(/^tests \w+ whole$/m);
  expect(stepsOf("test", ["whole"])).toEqual(stepsOf("test", []));
  const casesOf = (...args: readonly string[]) => envOf("test", args)?.CASES;
  expect(casesOf("whole")).toBe("all");
  expect([casesOf(), casesOf("fast")]).toEqual(["few", "few"]);
  // Who names tests wants to see every row of their tables, and without all of them Vitest removes snapshots.
  expect([casesOf("test/client"), casesOf("fast", "--update"), casesOf("whole", "client")]).toEqual([
    ...[undefined, undefined, "all"],
  ]);
});

test("A variant that doesn't exist is refused before anything runs; a test's path isn't one", () => {
  const { status, stderr } = spawnSync(process.execPath, ["tools/dev/task.mjs", "docs", "picture"], {
    cwd: CHECKOUT,
    encoding: "utf8",
  });
  expect(stderr.trim()).toBe("`npm run docs` has no variant picture. It has addresses, pictures, words.");
  expect(status).toBe(1);
  expect(stepsOf("test", ["test/client"]).at(-1)?.at(-1)).toBe("test/client");
});
