import { existsSync } from "node:fs";
import { join } from "node:path";
import { IMPORT_FILE } from "../import/import-file.js";
import { IMPORT_COMMAND, importResources, type Project } from "../project/pulumi.js";
import { hasPackage, installCommand } from "./next-steps.js";

/**
 * Imports the resources that wait in a project's import file, if it has one.
 *
 * @throws if the project's packages are not installed
 */
export async function importAdopted(project: Project, yes: boolean): Promise<void> {
  const { directory } = project;
  if (!existsSync(join(directory, IMPORT_FILE))) return;
  if (!hasPackage(directory)) {
    throw new Error(
      `The package is not installed in ${directory}: run \`${installCommand(directory)}\` there, then \`${IMPORT_COMMAND}\`.`,
    );
  }
  await importResources(project, IMPORT_FILE, yes);
}
