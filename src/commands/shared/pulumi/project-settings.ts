import * as z from "zod";
import {
  CONFIG_NAMESPACE,
  type Connection,
  type FoundSetting,
  findSetting,
  SETTING_KEYS,
} from "../../../shared/configuration/settings.js";
import { projectDirectory } from "./project-folder.js";
import { onStack, type Project, PulumiError } from "./pulumi.js";

export type SettingName = keyof Connection;

/** In the order in which people set them. */
export const SETTING_NAMES: readonly SettingName[] = ["accessToken", "organization", "baseUrl"];

/** One setting, and where it was found. */
export interface Found extends FoundSetting<string> {
  /** Stack configuration keeps it encrypted. */
  readonly secret: boolean;
  /** The environment has another value, which does not count. */
  readonly contradicted: boolean;
}

/** Settings, and the reason why the stack's configuration couldn't be read. */
export interface FoundSettings {
  readonly values: Readonly<Partial<Record<SettingName, Found>>>;
  /** The project with the configuration. Undefined outside of a project. */
  readonly project: Project | undefined;
  /** Why the stack's configuration could not be read. */
  readonly problem: string | undefined;
  /** Keys of the stack's configuration in this package's namespace that no setting has. */
  readonly unknownKeys: readonly string[];
}

const configurationSchema = z.record(
  z.string(),
  z.object({ value: z.string().optional(), secret: z.boolean().optional() }),
);

/**
 * Finds the settings as the provider does: in a project the configuration of the stack, then the environment.
 *
 * @param stack name of the stack; default: the selected one
 * @param start directory in the project
 * @param environment variables for the Pulumi CLI
 */
export async function findSettings(
  stack: string | undefined,
  start: string = process.cwd(),
  environment: Readonly<Record<string, string>> = {},
): Promise<FoundSettings> {
  const directory = projectDirectory(start);
  if (directory === undefined && stack !== undefined) {
    throw new Error("--stack needs the directory of a Pulumi project (one with Pulumi.yaml).");
  }
  const project = directory === undefined ? undefined : { directory, stack, environment };
  let configuration: z.infer<typeof configurationSchema> = {};
  let problem: string | undefined;
  try {
    if (project !== undefined) configuration = await stackConfiguration(project);
  } catch (error) {
    problem = error instanceof PulumiError ? error.message : "`pulumi config` printed no configuration";
  }
  const values: Partial<Record<SettingName, Found>> = {};
  for (const name of SETTING_NAMES) {
    const configured = configuration[`${CONFIG_NAMESPACE}:${name}`];
    const found = findSetting(name, configured?.value?.trim(), process.env);
    if (found === undefined) continue;
    const inEnvironment = findSetting(name, undefined, process.env);
    values[name] = {
      ...found,
      secret: found.from === "configuration" && configured?.secret === true,
      contradicted: inEnvironment !== undefined && inEnvironment.value !== found.value,
    };
  }
  const known: readonly string[] = SETTING_KEYS.map((name) => `${CONFIG_NAMESPACE}:${name}`);
  const unknownKeys = Object.keys(configuration).filter(
    (key) => key.startsWith(`${CONFIG_NAMESPACE}:`) && !known.includes(key),
  );
  return { values, project, problem, unknownKeys };
}

async function stackConfiguration(project: Project): Promise<z.infer<typeof configurationSchema>> {
  const printed = await onStack(project, ["config", "--json", "--show-secrets"]);
  return configurationSchema.parse(JSON.parse(printed));
}
