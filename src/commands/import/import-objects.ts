import { PrivateFile } from "../../cli/process/private-file.js";
import { importFileText } from "../../cli/pulumi/import-file.js";
import { errorsIn } from "../../cli/pulumi/preview.js";
import { type Found, findSettings } from "../../cli/pulumi/project-settings.js";
import { importResources, onStack, type Project, PulumiError } from "../../cli/pulumi/pulumi.js";
import { agreed, note } from "../../cli/terminal/terminal.js";
import { ENVIRONMENT, type SettingKey } from "../../shared/configuration/settings.js";
import { importFileFor, readDeclared } from "./declared-resources.js";
import { type FoundResource, findDeclared } from "./find-declared.js";
import type { ImportPair } from "./pairs.js";

interface ImportOptions {
  /** Name of the stack. Default: the selected one. */
  readonly stack?: string | undefined;
  /** Skips pairs that an earlier import has brought into the state. */
  readonly goesOn?: boolean;
  readonly dryRun?: boolean;
  readonly yes: boolean;
  /** Called before each pair, with the number of those before it. */
  readonly onProgress?: (found: number) => void;
  /** Called before the import, with the number of pairs that are in state already. Nothing is imported if it throws. */
  readonly onFound: (found: readonly FoundResource[], inState: number) => void;
}

/**
 * @returns the resources that were imported, or would be.
 * @throws if the directory has no project, the program has no preview, or a pair fits no resource or no object
 */
export async function importObjects(
  pairs: readonly ImportPair[],
  { stack, goesOn = false, dryRun = false, yes, onProgress = () => {}, onFound }: ImportOptions,
): Promise<readonly FoundResource[]> {
  const { values, project } = await findSettings(stack);
  if (project === undefined) {
    throw new Error("Run this in the directory of a Pulumi project (one with Pulumi.yaml).");
  }
  const settings: Partial<Record<SettingKey, Found>> = values;
  // Values of the program may be secret.
  const file = new PrivateFile();
  try {
    const declared = await readProgram(project, file);
    const { found, imported } = await findDeclared(declared, pairs, {
      stack: (name) => settings[name]?.value,
      goesOn,
      onFound: onProgress,
    });
    onFound(found, pairs.length - found.length);
    if (dryRun || found.length === 0) return found;
    if (!yes && !(await agreed("Import this into the state?"))) throw new Error("Nothing was imported.");
    file.write(importFileText(importFileFor(declared, imported)));
    await importResources(project, file, note);
    return found;
  } finally {
    file.close();
  }
}

/** Reads a program by a preview, which writes the file. @throws if it fails, with the errors of the program */
async function readProgram(project: Project, file: PrivateFile) {
  const args = ["preview", "--json", "--show-sames", "--import-file", file.pathIn(3)];
  try {
    // Offline: objects that are about to be imported don't conflict with a creation.
    const printed = await onStack(project, args, { [ENVIRONMENT.offline]: "true" }, file);
    return readDeclared(JSON.parse(printed), JSON.parse(file.read()));
  } catch (error) {
    if (!(error instanceof PulumiError)) throw error;
    const errors = errorsIn(error.printed);
    throw new Error(
      errors.length === 0 ? error.message : `The program has no preview:\n${errors.join("\n")}`,
    );
  }
}
