import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type Project, projectDirectory, pulumi } from "./pulumi.js";

const stacksSchema = z.array(z.object({ name: z.string() }));

/** Returns the directories of all Pulumi projects in a folder and below it, without installed packages. */
export function projectsBelow(folder: string): string[] {
  const below = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."))
    .flatMap(({ name }) => projectsBelow(join(folder, name)));
  return projectDirectory(folder) === folder ? [folder, ...below] : below;
}

/**
 * Returns the stacks of a project.
 *
 * @throws PulumiError
 */
export async function stacksOf(directory: string): Promise<Project[]> {
  const listed = await pulumi(directory, ["stack", "ls", "--json", "--non-interactive"]);
  return stacksSchema.parse(JSON.parse(listed)).map(({ name }) => ({ directory, stack: name }));
}
