import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ENVIRONMENT } from "../configuration/settings.js";
import { errorsIn } from "../project/diagnostics.js";
import { onStack, type Project, PulumiError } from "../project/pulumi.js";
import { type Declared, readDeclared } from "./declared-resources.js";
import { inPrivateDirectory } from "./private-directory.js";

/**
 * Returns the resources that a project's program declares, from a preview.
 *
 * @throws if the preview fails, with the errors of the program
 */
export function readProgram(project: Project): Promise<Declared> {
  return inPrivateDirectory(async (directory) => {
    const file = join(directory, "import.json");
    const args = ["preview", "--json", "--show-sames", "--import-file", file];
    let printed: string;
    try {
      // Offline: objects that are about to be imported don't conflict with a creation.
      printed = await onStack(project, args, { [ENVIRONMENT.offline]: "true" });
    } catch (error) {
      throw error instanceof PulumiError ? new Error(reasonOf(error)) : error;
    }
    return readDeclared(JSON.parse(printed), JSON.parse(readFileSync(file, "utf8")));
  });
}

/** Returns the reason for a failed preview. */
function reasonOf({ message, printed }: PulumiError): string {
  const errors = errorsIn(printed);
  return errors.length === 0 ? message : `The program has no preview:\n${errors.join("\n")}`;
}
