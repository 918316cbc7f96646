import type { Listing } from "../inventory/listing.js";
import { readStackExport, type StateResource } from "../inventory/stack-export.js";
import { readJson } from "./files.js";
import { onStack, type Project } from "./pulumi.js";
import { note } from "./terminal.js";

/** What stacks own, and lists that cannot tell what is owned. */

/** The resources in a file that `pulumi stack export` wrote. */
export async function readExport(file: string): Promise<StateResource[]> {
  const value = await readJson(file);
  try {
    return readStackExport(value);
  } catch (error) {
    throw new Error(`${file} ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The resources of a project's stack. */
export async function resourcesOf(project: Project): Promise<StateResource[]> {
  return readStackExport(JSON.parse(await onStack(project, ["stack", "export"])));
}

/** A list that this access token may not read would make what is in it look owned. A plan without templates has none. */
export async function explainRefusals({ refused }: Listing, scopes: readonly string[]): Promise<void> {
  const { kindFacts } = await import("../inventory/kinds.js");
  for (const { name, noun, scopes: needed } of kindFacts) {
    const error = [...refused].find(([kind]) => kind === name)?.[1];
    if (error === undefined) continue;
    const missing = needed.read.filter(
      (alternatives) => !alternatives.some((scope) => scopes.includes(scope)),
    );
    if (missing.length > 0) {
      throw new Error(
        `The ${noun}s cannot be listed: the access token lacks ${missing.map((some) => some.join(" or ")).join(", ")}. ` +
          `Give it that scope, or leave them out with --except ${name}.`,
      );
    }
    if (name !== "PipelineTemplate") throw error;
    note("The API refuses the list of pipeline templates, which need an Enterprise plan. None were checked.");
  }
}
