import * as z from "zod";
import { readStackExport, type StateResource } from "../inventory/stack-export.js";
import { onStack, type Project, pulumi } from "./pulumi.js";

const stacksSchema = z.array(z.object({ name: z.string() }));

/** Returns the names of a project's stacks; none where the CLI can't list them. */
export async function stackNames(directory: string): Promise<string[]> {
  try {
    const printed = await pulumi(directory, ["stack", "ls", "--json", "--non-interactive"]);
    return stacksSchema.parse(JSON.parse(printed)).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Reads the resources of a project's stack. */
export async function resourcesOf(project: Project): Promise<StateResource[]> {
  return readStackExport(await stackExportOf(project));
}

/** Reads the state of a project's stack. */
export async function stackExportOf(project: Project): Promise<unknown> {
  return JSON.parse(await onStack(project, ["stack", "export"]));
}
