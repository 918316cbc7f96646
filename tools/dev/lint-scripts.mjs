// Checks shell scripts with ShellCheck, GitHub's workflows with actionlint, which checks the scripts in them too, and the
// pipelines of GitLab and Buildkite with their schemas. Part of `npm run check`. Without a network the linters can't be
// installed: their files are then not checked.
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { parse } from "yaml";
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
  const schemas = await provideCommand("check-jsonschema");
  const passed = [
    await check("shell scripts", shellcheck, [], files.filter(isShellScript)),
    await check(
      "workflows",
      actionlint,
      ["-no-color", "-pyflakes=", `-shellcheck=${shellcheck ?? ""}`],
      files.filter((file) => /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/.test(file)),
    ),
  ];
  for (const [schema, name] of /** @type {const} */ ([
    ["gitlab-ci", ".gitlab-ci.yml"],
    ["buildkite", ".buildkite/pipeline.yml"],
  ]))
    passed.push(
      follow(
        schema,
        schemas && join(dirname(schemas), "..", "check_jsonschema", "builtin_schemas", "vendor"),
        files.filter((file) => `/${file}`.endsWith(`/${name}`)),
      ),
    );
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

/**
 * Compares files with a schema.
 *
 * @param {string} schema
 * @param {string | undefined} folder Of the schemas. Undefined if they can't be had here.
 * @param {readonly string[]} files
 * @returns {boolean} False if one doesn't follow it.
 */
function follow(schema, folder, files) {
  if (folder === undefined) {
    say(`NOT CHECKED: ${files.length} pipelines, because the schema ${schema} can't be installed here.`);
    return true;
  }
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const validate = ajv.compile(JSON.parse(readFileSync(join(folder, `${schema}.json`), "utf8")));
  const wrong = files.filter((file) => {
    const isRight = validate(parse(readFileSync(join(checkout, file), "utf8")));
    if (!isRight) say(`${file}: ${ajv.errorsText(validate.errors)}`);
    return !isRight;
  });
  say(`Checked: ${files.length} pipelines with the schema ${schema}.`);
  return wrong.length === 0;
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
