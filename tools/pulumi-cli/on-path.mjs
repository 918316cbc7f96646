// A Pulumi CLI that the machine has already.
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { run } from "../child.mjs";
import { commandFiles } from "../operating-system.mjs";
import { say } from "../steps.mjs";
import { isAtLeast } from "../versions.mjs";
import { COMPANIONS, LEAST_VERSION } from "./release.mjs";

/** @returns {Promise<{ command: string, version: string } | undefined>} */
export async function findOnPath() {
  const command = findCommand("pulumi");
  if (command === undefined) return undefined;
  const result = await run(command, ["version"], {
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    killAfterMs: 30_000,
  });
  const version = result.stdout.trim().replace(/^v/, "");
  if (result.code !== 0 || !isAtLeast(version, LEAST_VERSION)) {
    say(
      `Not using ${command}: it is Pulumi ${version || "of an unknown version"}, older than ${LEAST_VERSION}.`,
    );
    return undefined;
  }
  const home = dirname(realpathSync(command));
  const missing = COMPANIONS.find(
    (name) =>
      !commandFiles(name).some((file) => isExecutable(join(home, file))) && findCommand(name) === undefined,
  );
  if (missing !== undefined) {
    say(`Not using ${command}: it comes without ${missing}.`);
    return undefined;
  }
  return { command, version };
}

/** @param {string} name @returns {string | undefined} */
function findCommand(name) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((directory) => directory !== "")
    .flatMap((directory) => commandFiles(name).map((file) => join(directory, file)))
    .find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
