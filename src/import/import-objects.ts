import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SettingKey } from "../configuration/settings.js";
import { importResources, type Project } from "../project/pulumi.js";
import { type Found, findSettings } from "../project/settings.js";
import { type Declared, importFileFor } from "./declared-resources.js";
import { type FoundResource, findDeclared } from "./find-declared.js";
import { type ImportedResource, importFileText } from "./import-file.js";
import type { ImportPair } from "./pairs.js";
import { inPrivateDirectory } from "./private-directory.js";
import { readProgram } from "./program.js";

export interface ImportOptions {
  /** Name of the stack. Default: the selected one. */
  readonly stack?: string | undefined;
  /** Skips pairs that an earlier import has brought into the state. */
  readonly goesOn: boolean;
  /** Finds the objects, and imports none. */
  readonly dryRun: boolean;
  /** Imports without a question. */
  readonly yes: boolean;
  /** Called before each pair, with the number of those before it. */
  readonly onProgress: (found: number) => void;
  /** Called before the import, with the number of pairs that are in state already. */
  readonly onFound: (found: readonly FoundResource[], inState: number) => void;
}

/**
 * Imports existing objects into the resources that the program of the current directory declares.
 *
 * @returns the resources that were imported, or would be.
 * @throws if the directory has no project, the program has no preview, or a pair fits no resource or no object
 */
export async function importObjects(
  pairs: readonly ImportPair[],
  { stack, goesOn, dryRun, yes, onProgress, onFound }: ImportOptions,
): Promise<readonly FoundResource[]> {
  const { values, project } = await findSettings(stack);
  if (project === undefined) {
    throw new Error("Run this in the directory of a Pulumi project (one with Pulumi.yaml).");
  }
  const declared = await readProgram(project);
  const stackSettings: Partial<Record<SettingKey, Found>> = values;
  const { found, imported } = await findDeclared(declared, pairs, {
    stack: (setting) => stackSettings[setting]?.value,
    goesOn,
    onFound: onProgress,
  });
  onFound(found, pairs.length - found.length);
  if (!dryRun && found.length > 0) await importAll(declared, imported, project, yes);
  return found;
}

async function importAll(
  declared: Declared,
  imported: ReadonlyMap<ImportedResource, ImportedResource>,
  project: Project,
  yes: boolean,
): Promise<void> {
  await inPrivateDirectory(async (directory) => {
    const file = join(directory, "import.json");
    writeFileSync(file, importFileText(importFileFor(declared, imported)), { mode: 0o600 });
    if (process.platform === "win32") return importResources(project, file, yes);
    // Pulumi reads an open file without a name, so whatever ends this process or Pulumi, no secret stays on the disk.
    const open = openSync(file, "r");
    rmSync(file);
    try {
      await importResources(project, open, yes);
    } finally {
      closeSync(open);
    }
  });
}
