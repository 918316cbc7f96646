import { shellWord } from "../../shared/messages/quoted.js";
import { nameOfUrn } from "../../shared/protocol/urn.js";
import { IMPORT_FILE } from "../shared/pulumi/import-file.js";
import { PulumiError } from "../shared/pulumi/pulumi.js";
import { stackNames, stateOf } from "../shared/pulumi/stacks.js";
import { backendOf, type ExistingProject, type KnownResource } from "./existing-project.js";

/**
 * Returns the resources of a project's stack. Undefined if no stack is selected yet.
 *
 * @throws where a program may declare resources that neither the stack nor import.json shows: it would get them twice
 */
export async function resourcesInStack(
  project: ExistingProject,
  stack: string | undefined,
  onRemark: (text: string) => void,
): Promise<KnownResource[] | undefined> {
  const { directory, files } = project;
  const isUnknown = backendOf(project) !== undefined && !files.has(IMPORT_FILE);
  const refusal = "so what the program declares already is not known. Nothing was written.";
  try {
    const { resources } = await stateOf({ directory, stack });
    const own = resources.filter(({ external }) => !external);
    if (isUnknown && own.length === 0) {
      throw new Error(
        `The stack of ${directory} has no resources of this package, ${refusal} Select the stack that owns them, or ` +
          `pass --stack. If the program declares none yet, write { "resources": [] } to ${IMPORT_FILE} there.`,
      );
    }
    return own.map(({ kind, key, urn }) => ({ kind, key, name: nameOfUrn(urn) }));
  } catch (error) {
    if (!(error instanceof PulumiError)) throw error;
    const stacks = backendOf(project) === undefined ? [] : await stackNames(directory).catch(() => []);
    if (isUnknown || stacks.length > 0) {
      const listed = stacks.length === 0 ? "" : ` (${stacks.join(", ")})`;
      throw new Error(
        `The stack of ${directory} could not be read (${error.message}), ${refusal} Select a stack${listed}: ` +
          `\`pulumi stack select ${shellWord(stacks[0] ?? "production")}\`, or pass --stack.`,
      );
    }
    onRemark(
      `The stack could not be read (${error.message}), so everything in import.json counts as imported.`,
    );
    return undefined;
  }
}
