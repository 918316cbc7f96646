// Runs a command, and measures it: seconds, requests to an emulator, and what its processes take.
import { execFile } from "node:child_process";
import { watchedProcesses } from "./processes.mjs";

/**
 * @typedef {{ seconds: number, requests: number, megabytes: Record<string, number>,
 *   processorMs: Record<string, number> }} CommandFigures
 */

/** The variable by which the processes of a command are found. */
const MARK = "PULUMI_HOME";

/**
 * @param {import("../../src/emulator/index.js").Emulator} emulator
 * @param {NodeJS.ProcessEnv} base What the command's environment has in addition to the emulator's settings. PULUMI_HOME
 *   is a folder of this bench alone.
 */
export function measuring(emulator, base) {
  const env = {
    ...base,
    BUILDPIPELINE_BASE_URL: emulator.url,
    BUILDPIPELINE_ACCESS_TOKEN: emulator.accessToken,
    BUILDPIPELINE_ORGANIZATION: emulator.organization,
  };
  /** @param {string} cwd @param {string} command @param {readonly string[]} args @returns {Promise<CommandFigures>} */
  return async (cwd, command, args) => {
    emulator.clearRequests();
    const processes = watchedProcesses(`${MARK}=${base[MARK]}`);
    const start = performance.now();
    await /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        execFile(command, args, { cwd, env, maxBuffer: 2 ** 30 }, (error, output, errors) => {
          // The package's commands end with 1 when they find something.
          if (error === null || (command !== "pulumi" && error.code === 1)) resolve();
          else reject(new Error(`${command} ${args[0]}: ${output.slice(-2_000)}\n${errors.slice(-2_000)}`));
        });
      })
    );
    const seconds = (performance.now() - start) / 1000;
    return { seconds, requests: emulator.requests.length, ...processes.end() };
  };
}
