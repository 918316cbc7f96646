import { CONFIG_NAMESPACE, ENVIRONMENT } from "../../../shared/configuration/settings.js";
import type { SettingName } from "../pulumi/project-settings.js";
import type { Project } from "../pulumi/pulumi.js";
import { note } from "./terminal.js";
import { Waits } from "./waits.js";

/**
 * Connects to the API address in the settings, and shows how far lists are read and how long the client waits.
 *
 * @param stack stack with the configuration; default: the selected one, in a project's directory.
 * @param start directory in the project; default: the current one
 * @param environment variables for the Pulumi CLI
 * @throws if settings are missing, with a line for each; ConfigurationError if one is malformed
 */
export async function connect(
  stack: string | undefined,
  start?: string,
  environment?: Project["environment"],
) {
  const { connectWith } = await import("../pulumi/project-connection.js");
  const { findSettings, SETTING_NAMES } = await import("../pulumi/project-settings.js");
  const settings = await findSettings(stack, start, environment);
  if (settings.problem !== undefined) {
    note(
      `The stack's configuration cannot be read (${settings.problem}); the environment's settings are used.`,
    );
  }
  const missing = SETTING_NAMES.filter((name) => settings.values[name] === undefined);
  if (missing.length > 0) throw new Error(missing.map(howToSet).join("\n"));
  const { onEvent, onProgress } = new Waits();
  return { ...(await connectWith(settings, onEvent)), settings, onProgress };
}

function howToSet(name: SettingName): string {
  return `${name} is missing. Set ${ENVIRONMENT[name]}, or ${CONFIG_NAMESPACE}:${name} in the stack's configuration.`;
}
