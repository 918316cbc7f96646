import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { onStack, type Project, projectDirectory, pulumi } from "./pulumi.js";
import { readStackState, type StackState } from "./stack-export.js";

const stacksSchema = z.array(z.object({ name: z.string() }));

/** Returns a folder and all folders below it, without installed packages. */
export function foldersBelow(folder: string): string[] {
  const below = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."))
    .flatMap(({ name }) => foldersBelow(join(folder, name)));
  return [folder, ...below];
}

/** Returns the directories of all Pulumi projects in a folder and below it. */
export function projectsBelow(folder: string): string[] {
  return foldersBelow(folder).filter((directory) => projectDirectory(directory) === directory);
}

/**
 * Returns the names of a project's stacks.
 *
 * @throws PulumiError
 */
export async function stackNames(directory: string): Promise<string[]> {
  const listed = await pulumi(directory, ["stack", "ls", "--json", "--non-interactive"]);
  return stacksSchema.parse(JSON.parse(listed)).map(({ name }) => name);
}

/** Reads the state of a project's stack. @throws PulumiError */
export async function stateOf(project: Project): Promise<StackState> {
  return readStackState(JSON.parse(await onStack(project, ["stack", "export"])));
}
