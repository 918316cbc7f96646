// Checks the English of the project: sentences and terms by textlint, spelling by cspell. Part of `npm run check`.
// With paths, checks the sentences of these only; with --counts, counts what it finds.
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { run } from "./child.mjs";
import { Problem, runMain } from "./problem.mjs";
import { installSeparately } from "./setup/dependencies.mjs";
import { say } from "./steps.mjs";

const folder = join(checkout, "tools", "prose");
const arguments_ = process.argv.slice(2);

await runMain(async () => {
  await installSeparately("the prose linter", folder);
  const failed = [await prints(join(folder, "check.mjs"), arguments_)];
  if (arguments_.length === 0) {
    const cspell = join(folder, "node_modules", "cspell", "bin.mjs");
    failed.push(await prints(cspell, ["lint", "--no-progress", "--no-summary", "--config", "cspell.json"]));
  }
  if (failed.includes(true))
    throw new Problem("Correct these. The rules: tools/prose/sentences.mjs, glossary.json, cspell.json.");
});

/** Runs a program and prints its output. True if it failed. @param {string} program @param {string[]} args */
async function prints(program, args) {
  const { code, output } = await run(process.execPath, [program, ...args], { cwd: checkout });
  if (output.trim() !== "") say(output.trimEnd());
  return code !== 0;
}
