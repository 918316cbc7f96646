import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { LocalWorkspace, PulumiCommand, Stack } from "@pulumi/pulumi/automation/index.js";
import { checkout } from "../../tools/checkout.mjs";
import { pulumiEnvironment, pulumiRoot } from "../../tools/pulumi-cli/locate.mjs";

/**
 * A stack of its own in a folder, with an emulator as its service.
 *
 * @param {string} directory @param {import("../../src/emulator/index.js").Emulator} emulator
 * @param {() => Promise<void>} run
 * @param {Readonly<Record<string, string>>} [environment] Variables for the Pulumi CLI. With PULUMI_BACKEND_URL, the state
 *   is there and not in the folder.
 */
export async function makeStack(directory, { url, accessToken, organization }, run, environment = {}) {
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
