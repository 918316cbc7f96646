// Checks the English of the project: terms and the length of sentences by textlint, spelling by cspell. Part of
// `npm run check`. With paths, checks the terms and sentences of these only: `npm run prose -- docs/gitops.md`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { Problem, runMain } from "./problem.mjs";
import { installSeparately } from "./setup/dependencies.mjs";

const folder = join(checkout, "tools", "prose");
const chosen = process.argv.slice(2);

await runMain(async () => {
  await installSeparately("the prose linter", folder);
  const passed = [runs(join(folder, "check.mjs"), ...chosen)];
  if (chosen.length === 0) {
    const cspell = join(folder, "node_modules", "cspell", "bin.mjs");
    passed.push(runs(cspell, "lint", "--no-progress", "--no-summary", "--config", "cspell.json"));
  }
  if (passed.includes(false))
    throw new Problem("Correct these. The rules are in tools/prose/check.mjs and cspell.json.");
});

/** Runs a program with its output shown. True if it succeeded. @param {string[]} command */
function runs(...command) {
  return spawnSync(process.execPath, command, { cwd: checkout, stdio: "inherit" }).status === 0;
}
