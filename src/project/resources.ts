import { readStackExport, type StateResource } from "../inventory/stack-export.js";
import { onStack, type Project } from "./pulumi.js";

/** Reads the resources of a project's stack. */
export async function resourcesOf(project: Project): Promise<StateResource[]> {
  return readStackExport(JSON.parse(await onStack(project, ["stack", "export"])));
}
