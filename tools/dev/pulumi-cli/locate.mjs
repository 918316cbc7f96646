// Where this checkout's Pulumi CLI is, for tests, examples and tools. provide.mjs puts it there.
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { installedCommands, leftovers } from "../checkout.mjs";
import { Problem } from "../command.mjs";

/** The directory that has bin/pulumi. The Automation API takes it: `PulumiCommand.get({ root: pulumiRoot })`. */
export const pulumiRoot = join(leftovers, "pulumi");

/** The link to the CLI in use. */
export const commandLink = join(pulumiRoot, "bin", process.platform === "win32" ? "pulumi.exe" : "pulumi");

/** The path of the Pulumi CLI. Throws when `node tools/dev/setup.mjs` has not provided one. */
export function pulumiCommand() {
  if (existsSync(commandLink)) return commandLink;
  throw new Problem(
    "This checkout has no Pulumi CLI yet: run `node tools/dev/setup.mjs`, `npm start` or `npm test` first.",
  );
}

/**
 * The environment to run the CLI in: the CLI, the project's Node and the CLI's companions lead the PATH, and no update
 * check. The CLI comes first, because the dependencies have a launcher of the same name.
 *
 * @param {NodeJS.ProcessEnv} [base] What to add to.
 * @returns {NodeJS.ProcessEnv} A new object.
 */
export function pulumiEnvironment(base = process.env) {
  const command = pulumiCommand();
  return {
    ...base,
    PATH: [dirname(command), installedCommands, dirname(realpathSync(command)), base.PATH ?? ""].join(
      delimiter,
    ),
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}
