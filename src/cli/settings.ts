import * as z from "zod";
import { onStack, type Project, PulumiError, projectDirectory } from "./pulumi.js";

/** The settings that lead to a service. */
export const SETTINGS = {
  accessToken: "BUILDPIPELINE_ACCESS_TOKEN",
  organization: "BUILDPIPELINE_ORGANIZATION",
  baseUrl: "BUILDPIPELINE_BASE_URL",
} as const;

export type SettingName = keyof typeof SETTINGS;

/** One setting: its value and where it was found. */
export interface Found {
  readonly value: string;
  readonly from: string;
}

/** What was found, and what kept the stack's configuration from being read. */
export interface FoundSettings {
  readonly values: Readonly<Partial<Record<SettingName, Found>>>;
  /** The project whose configuration counts; undefined outside of one. */
  readonly project: Project | undefined;
  /** Why the stack's configuration could not be read. */
  readonly problem: string | undefined;
}

const configuration = z.record(z.string(), z.object({ value: z.string().optional() }));

/**
 * Finds the settings as the provider does: the configuration of the stack, where the directory is in a project, and
 * the environment for what it leaves out.
 *
 * @param stack name of the stack; default: the selected one
 */
export async function findSettings(stack: string | undefined): Promise<FoundSettings> {
  const directory = projectDirectory(process.cwd());
  if (directory === undefined && stack !== undefined) {
    throw new Error("--stack needs the directory of a Pulumi project (one with Pulumi.yaml).");
  }
  const project = directory === undefined ? undefined : { directory, stack };
  let configured: Readonly<Record<string, { value?: string | undefined }>> = {};
  let problem: string | undefined;
  try {
    if (project !== undefined) {
      configured = configuration.parse(
        JSON.parse(await onStack(project, "config", "--json", "--show-secrets")),
      );
    }
  } catch (error) {
    problem = error instanceof PulumiError ? error.message : "`pulumi config` printed no configuration";
  }
  const values: Partial<Record<SettingName, Found>> = {};
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const fromStack = configured[`buildpipeline:${name}`]?.value?.trim();
    const fromEnvironment = process.env[SETTINGS[name]]?.trim();
    if (fromStack)
      values[name] = { value: fromStack, from: `the stack's configuration (buildpipeline:${name})` };
    else if (fromEnvironment)
      values[name] = { value: fromEnvironment, from: `the environment (${SETTINGS[name]})` };
  }
  return { values, project, problem };
}
