// The stack that `npm start` deploys: kept in a directory of the checkout, apart from the user's own Pulumi.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { leftovers } from "../checkout.mjs";

export const STACK = "local";

const backend = join(leftovers, "stack");
const environmentFile = join(leftovers, "env");

/**
 * The environment for the local stack and the emulator.
 *
 * @param {{ url: string, accessToken: string, organization: string }} service
 * @returns {Record<string, string>}
 */
export function localEnvironment(service) {
  mkdirSync(backend, { recursive: true });
  return {
    BUILDPIPELINE_BASE_URL: service.url,
    BUILDPIPELINE_ACCESS_TOKEN: service.accessToken,
    BUILDPIPELINE_ORGANIZATION: service.organization,
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_HOME: join(leftovers, "pulumi-home"),
    PULUMI_STACK: STACK,
    // Guards nothing but a stack of the emulator.
    PULUMI_CONFIG_PASSPHRASE: "local emulator",
  };
}

/**
 * Writes the environment to a file that a shell can read in.
 *
 * @param {Record<string, string>} environment
 * @returns {string} The path of the file.
 */
export function writeEnvironmentFile(environment) {
  const lines = Object.entries(environment).map(
    ([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`,
  );
  writeFileSync(environmentFile, lines.join(""), { mode: 0o600 });
  return environmentFile;
}

/** Whether the stack carries a lock of a process that is no more: a killed one cannot take its lock away. */
export function hasStaleLock() {
  const directory = join(backend, ".pulumi", "locks");
  const files = listFiles(directory).filter((file) => file.endsWith(".json"));
  return files.length > 0 && files.every((file) => !isHeld(join(directory, file)));
}

/** @param {string} directory */
function listFiles(directory) {
  try {
    return readdirSync(directory, { recursive: true, encoding: "utf8" });
  } catch {
    return []; // No lock was ever taken.
  }
}

/** @param {string} file */
function isHeld(file) {
  try {
    const lock = JSON.parse(readFileSync(file, "utf8"));
    if (lock.hostname !== hostname()) return true;
    process.kill(lock.pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
