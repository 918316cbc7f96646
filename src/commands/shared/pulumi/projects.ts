import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { oneLine } from "../../../shared/messages/foreign-text.js";
import { messageOf } from "../../../shared/messages/of-error.js";
import { SETTINGS_FILES } from "./pulumi.js";
import { projectsBelow } from "./stacks.js";

/** A Pulumi project of a repository. */
export interface RepositoryProject {
  /** Its folder, relative to the folder with all projects: `teams/mobile`, or `.`. */
  readonly folder: string;
  readonly directory: string;
  /** Its name in Pulumi.yaml. */
  readonly name: string;
}

/**
 * Finds the projects in a folder and below it, in the order of their folders.
 *
 * @throws where there are none, or two have one name
 */
export function projectsIn(root: string): RepositoryProject[] {
  const projects = projectsBelow(root).map((directory) => ({
    folder: relative(root, directory).replaceAll("\\", "/") || ".",
    directory,
    name: settingsOf(directory).name ?? basename(directory),
  }));
  if (projects.length === 0) throw new Error(`${root} and its folders have no Pulumi project.`);
  for (const { name, folder } of projects) {
    const namesake = projects.find((other) => other.name === name && other.folder !== folder);
    if (namesake !== undefined)
      throw new Error(
        `${folder} and ${namesake.folder} are both called ${name} in their Pulumi.yaml, so they have the same stacks. ` +
          "Rename one of them.",
      );
  }
  return projects;
}

const pluginSchema = z
  .object({ name: z.string(), source: z.string(), path: z.string(), version: z.coerce.string() })
  .partial();

/** What Pulumi.yaml or Pulumi.json says, as far as it is of use here. What has another form is left out. */
export const settingsSchema = z
  .object({
    name: z.string().optional().catch(undefined),
    main: z.string().optional().catch(undefined),
    /** The language: `nodejs`, `python`, `go`, `yaml`, … */
    runtime: z
      .union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
      .catch("nodejs"),
    plugins: z
      .object({ providers: z.array(pluginSchema) })
      .partial()
      .optional()
      .catch(undefined),
    packages: z
      .record(z.string(), z.union([z.string(), pluginSchema]).nullish())
      .optional()
      .catch(undefined),
  })
  .catch({ runtime: "nodejs" });

/** Reads the settings of the project in a folder. @throws with the file's name if it isn't YAML */
export function settingsOf(directory: string): z.output<typeof settingsSchema> {
  const file = join(directory, SETTINGS_FILES.find((name) => existsSync(join(directory, name))) ?? "");
  try {
    return settingsSchema.parse(parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new Error(`${file}: ${oneLine(messageOf(error))}`);
  }
}

/**
 * Returns the stacks of a project that its repository names: `PULUMI_STACK` if it is set, or else those with a file of
 * settings, `Pulumi.<stack>.yaml`.
 */
export function stacksNamedIn({ directory }: RepositoryProject, named = process.env.PULUMI_STACK): string[] {
  if (named !== undefined && named !== "") return [named];
  return readdirSync(directory)
    .flatMap((file) => /^Pulumi\.(.+)\.ya?ml$/.exec(file)?.[1] ?? [])
    .sort();
}
