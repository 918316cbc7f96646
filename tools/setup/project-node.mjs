// The project's own Node. The npm package `node` fetches the binary for this machine in its install script; npm may have
// been told not to run install scripts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout, installedCommands } from "../checkout.mjs";
import { run } from "../child.mjs";
import { Problem } from "../problem.mjs";
import { say, step } from "../steps.mjs";

/** Makes sure that node_modules/.bin/node is the locked version, or that the machine's own Node will do. */
export async function provideProjectNode() {
  const wanted = manifest("node_modules/node/package.json").version;
  const installed = join(installedCommands, process.platform === "win32" ? "node.cmd" : "node");
  if ((await versionOf(installed)) === wanted) return;
  await step(`Fetching Node ${wanted}`, () =>
    // `npm rebuild` runs the install script of one installed package again.
    run("npm", ["rebuild", "node", "--ignore-scripts=false"], { cwd: checkout }),
  );
  const found = await versionOf(installed);
  if (found === wanted) return;
  const least = manifest("package.json").engines.node.replace(">=", "");
  if (found === undefined && atLeast(process.versions.node, least)) {
    say(`Node ${wanted} could not be fetched. Going on with this machine's Node ${process.versions.node}.`);
    return;
  }
  throw new Problem(
    [
      `Node ${wanted} could not be fetched into ${installedCommands}.`,
      `Either let npm run the install script of the package "node" (npm rebuild node --ignore-scripts=false),`,
      `or install Node ${least} or later yourself and try again.`,
    ].join("\n"),
  );
}

/** @param {string} command @returns {Promise<string | undefined>} */
async function versionOf(command) {
  const result = await run(command, ["--version"], { killAfterMs: 20_000 });
  return result.code === 0 ? result.stdout.trim().replace(/^v/, "") : undefined;
}

/** @param {string} file @returns {{ version: string, engines: { node: string } }} */
function manifest(file) {
  return JSON.parse(readFileSync(join(checkout, file), "utf8"));
}

/** @param {string} version @param {string} least */
function atLeast(version, least) {
  const [a, b] = [version, least].map((text) => text.split(".").map(Number));
  for (const [index, part] of (b ?? []).entries()) {
    const own = a?.[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
