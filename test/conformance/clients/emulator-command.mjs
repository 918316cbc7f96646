// The command `buildpipeline emulator`, run beside something that uses it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/**
 * Runs the command while `work` is done.
 *
 * @template T
 * @param {string} node The Node to run it on.
 * @param {string} main The command's file.
 * @param {(settings: Record<string, string>) => T | Promise<T>} work Gets the environment in which clients find it.
 * @returns {Promise<T>} What the work returned.
 */
export async function withEmulator(node, main, work) {
  const emulator = spawn(node, [main, "emulator", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    for await (const line of createInterface({ input: emulator.stdout })) {
      const settings = JSON.parse(line);
      return await work({
        BUILDPIPELINE_BASE_URL: settings.baseUrl,
        BUILDPIPELINE_ORGANIZATION: settings.organization,
        BUILDPIPELINE_ACCESS_TOKEN: settings.accessToken,
        READ_ONLY_ACCESS_TOKEN: settings.readOnlyAccessToken,
        SPARE_ACCESS_TOKEN: settings.spareAccessToken,
      });
    }
    throw new Error("The emulator ended before it said where it is.");
  } finally {
    emulator.kill("SIGTERM");
    if (emulator.exitCode === null && emulator.signalCode === null) await once(emulator, "exit");
  }
}
