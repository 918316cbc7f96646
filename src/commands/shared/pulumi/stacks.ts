import * as z from "zod";
import { onStack, type Project, pulumi } from "./pulumi.js";
import { readStackState, type StackState } from "./stack-export.js";

const stacksSchema = z.array(z.object({ name: z.string() }));

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
