// Checks shell scripts with ShellCheck, and GitHub's workflows with actionlint, which checks the scripts in them too.
// Part of `npm run check`. Without a network the linters can't be installed: their files are then not checked.
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { mustRun, Problem, run, runMain, say } from "./command.mjs";
import { onInterruption } from "./interruption.mjs";
import { provideCommand } from "./provided-commands.mjs";

await runMain(async () => {
  const unwatch = onInterruption(() => process.exit(1));
  const listing = await mustRun("Listing the files", "git", ["ls-files", "-z"], { cwd: checkout });
  const files = listing.split("\0").filter((file) => file !== "");
  const shellcheck = await provideCommand("shellcheck");
  const actionlint = await provideCommand("actionlint");
  const passed = [
    await check("shell scripts", shellcheck, [], files.filter(isShellScript)),
    await check(
      "workflows",
      actionlint,
      ["-no-color", "-pyflakes=", `-shellcheck=${shellcheck ?? ""}`],
      files.filter((file) => /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/.test(file)),
    ),
  ];
  unwatch();
  if (passed.includes(false)) throw new Problem("Scripts or workflows have problems.");
});

/**
 * Runs a linter.
 *
 * @param {string} what Names the files, for people.
 * @param {string | undefined} linter Undefined if it can't be had here.
 * @param {readonly string[]} options
 * @param {readonly string[]} files
 * @returns {Promise<boolean>} False if it found something.
 */
async function check(what, linter, options, files) {
  if (linter === undefined) {
    say(`NOT CHECKED: ${files.length} ${what}, because their linter can't be installed here.`);
    return true;
  }
  const { code, output } = await run(linter, [...options, ...files], { cwd: checkout });
  say(`${output.trimEnd()}\nChecked: ${files.length} ${what}.`.trim());
  return code === 0;
}

/** @param {string} file */
function isShellScript(file) {
  if (file.endsWith(".sh")) return true;
  // Most files have an ending that says what they are.
  if (/\.\w+$/.test(file)) return false;
  const start = Buffer.alloc(32);
  const opened = openSync(join(checkout, file), "r");
  readSync(opened, start);
  closeSync(opened);
  return /^#!.*\b(?:ba|da)?sh\b/.test(start.toString());
}
