import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildpipeline, Scratch } from "../../support/command.js";
import { writeCommand } from "../../support/commands-on-path.js";

const LAUNCHER = join(__dirname, "..", "..", "..", "node_modules", "pulumi", "run.js");
const VERSION = "3.259.0";
const NOT_INSTALLED = expect.stringContaining("run `npx pulumi version`");

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
  mkdirSync(scratch.path("project/node_modules/.bin"), { recursive: true });
});
afterEach(() => scratch.remove());

const links = () => symlinkSync(LAUNCHER, scratch.path("project/node_modules/.bin/pulumi"));
/** Leaves the launcher as a script, as pnpm does. */
const writes = () => {
  symlinkSync(join(LAUNCHER, ".."), scratch.path("project/node_modules/pulumi"));
  writeCommand(scratch.path("project/node_modules/.bin"), "pulumi", `exec node '${LAUNCHER}' "$@"`);
};
/** Installs a CLI that prints its version and the first folder of its PATH. */
const installs = (folder: string, version: string) => () =>
  writeCommand(scratch.path(folder), "pulumi", `echo "v${version}; \${PATH%%:*}"`);
const behind = (version: string) => installs(`home/versions/${version}/bin`, version);

test.each([
  ["npm's launcher with its CLI", [links, behind(VERSION)], `home/versions/${VERSION}/bin`],
  ["pnpm's launcher with its CLI", [writes, behind(VERSION)], `home/versions/${VERSION}/bin`],
  ["a launcher before another CLI", [links, installs("machine", VERSION)], "project/node_modules/.bin"],
  ["a launcher that PULUMI_VERSION is for", [links, behind("3.260.0")], "home/versions/3.260.0/bin"],
])("Commands start the CLI itself where the PATH has %s", async (name, prepare, first) => {
  for (const each of prepare) each();
  const cli = await doctor(name.includes("PULUMI_VERSION") ? { PULUMI_VERSION: "3.260.0" } : {});
  expect(cli).toMatchObject({
    message: expect.stringMatching(new RegExp(`^Pulumi CLI 3\\.\\d+\\.0; ${scratch.path(first)}$`)),
  });
});

test.each([links, writes])("A launcher that has installed nothing is not started (%#)", async (prepare) => {
  prepare();
  expect(await doctor()).toMatchObject({ status: "problem", message: NOT_INSTALLED });
});

/** Runs the command that starts the CLI only to ask for its version. */
async function doctor(env: Readonly<Record<string, string>> = {}) {
  const PATH = [scratch.path("project/node_modules/.bin"), scratch.path("machine")].join(":");
  const { stdout } = await buildpipeline(["doctor", "--json"], {
    env: { PATH, PULUMI_HOME: scratch.path("home"), ...env },
  });
  const { checks }: { checks: { name: string }[] } = JSON.parse(stdout);
  return checks.find(({ name }) => name === "cli");
}
