// Where a measurement takes place: a service, a folder, a stack.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { LocalWorkspace, PulumiCommand, Stack } from "@pulumi/pulumi/automation/index.js";
import { checkout, leftovers } from "../dev/checkout.mjs";
import { pulumiEnvironment, pulumiRoot } from "../dev/pulumi-cli/locate.mjs";

const load = createRequire(import.meta.url);
/** @type {typeof import("../../src/index.js")} */
export const dynamic = load("pulumi-buildpipeline");
/** @type {typeof import("../../src/emulator/index.js")} */
export const { startEmulator } = load("pulumi-buildpipeline/emulator");

/** @typedef {Awaited<ReturnType<typeof openScene>>} Scene */

/** Makes a service without objects, and a folder. Both are gone after `close`. */
export async function openScene() {
  const root = join(leftovers, "bench");
  mkdirSync(root, { recursive: true });
  const directory = mkdtempSync(join(root, "scene-"));
  const emulator = await startEmulator({ seed: false });
  const close = async () => {
    await emulator.close();
    rmSync(directory, { recursive: true, force: true });
  };
  return { emulator, directory, close };
}

/**
 * Makes a stack in a scene.
 *
 * @param {Scene} scene @param {() => Promise<void>} run
 * @param {Readonly<Record<string, string>>} [environment] Variables for the Pulumi CLI. With PULUMI_BACKEND_URL, the state
 *   is there and not in the folder.
 */
export async function makeStack({ directory, emulator }, run, environment = {}) {
  const { url, accessToken, organization } = emulator;
  const backend = environment.PULUMI_BACKEND_URL ?? `file://${join(directory, "state")}`;
  mkdirSync(join(directory, "state"));
  /** @type {Record<string, string>} */
  const envVars = {
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_HOME: join(directory, "home"),
    BUILDPIPELINE_BASE_URL: url,
    BUILDPIPELINE_ACCESS_TOKEN: accessToken,
    BUILDPIPELINE_ORGANIZATION: organization,
    ...environment,
  };
  for (const [name, value] of Object.entries(pulumiEnvironment()))
    if (value !== undefined && !(name in envVars)) envVars[name] = value;
  const workspace = await LocalWorkspace.create({
    pulumiCommand: await PulumiCommand.get({ root: pulumiRoot }),
    workDir: directory,
    program: run,
    projectSettings: projectSettings(backend),
    envVars,
  });
  return Stack.create("bench", workspace);
}

/** The SDK's type knows nothing of `plugins`, and its code writes down what it is given. @param {string} backend */
function projectSettings(backend) {
  return /** @type {const} */ ({
    name: "bench",
    runtime: "nodejs",
    backend: { url: backend },
    plugins: { providers: [{ name: "buildpipeline", path: join(checkout, "plugin") }] },
  });
}
