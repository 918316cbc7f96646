import * as z from "zod";
import {
  CONFIG_NAMESPACE,
  type Connection,
  type FoundSetting,
  findSetting,
  SETTING_KEYS,
} from "../../shared/configuration/settings.js";
import { projectDirectory } from "./project-folder.js";
import { onStack, type Project, PulumiError } from "./pulumi.js";

export type SettingName = keyof Connection;

/** In the order in which people set them. */
export const SETTING_NAMES: readonly SettingName[] = ["accessToken", "organization", "baseUrl"];

export interface Found extends FoundSetting<string> {
  /** Stack configuration keeps it encrypted. */
  readonly secret: boolean;
  /** The environment has another value, which does not count. */
  readonly contradicted: boolean;
}

export interface FoundSettings {
  readonly values: Readonly<Partial<Record<SettingName, Found>>>;
  readonly project: Project | undefined;
  /** Why the configuration could not be read. */
  readonly problem: string | undefined;
  /** Keys in it that no setting has. */
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
  const project: Project | undefined =
    directory === undefined ? undefined : { directory, stack, environment };
  let configuration: z.infer<typeof configurationSchema> = {};
  let problem: string | undefined;
  try {
    const printed = project && (await onStack(project, ["config", "--json", "--show-secrets"]));
    if (printed !== undefined) configuration = configurationSchema.parse(JSON.parse(printed));
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
