import type { BuildPipelineClient } from "../client/index.js";
import { importObjects } from "../import/import-objects.js";
import type { ImportPair } from "../import/pairs.js";
import type { Progress } from "../inventory/listing.js";
import type { StateResource } from "../inventory/stack-export.js";
import { onStack, type Project } from "../project/pulumi.js";
import { stackExportOf } from "../project/stacks.js";
import { type InterruptedCreation, type Interruption, isSettled, readInterruption } from "./interruption.js";

/** The command that makes Pulumi forget interrupted creations. It also refreshes the stack. */
export const CLEAR_COMMAND = "pulumi refresh --clear-pending-creates";

export interface RecoverOptions {
  readonly client: BuildPipelineClient;
  readonly origin: string;
  readonly project: Project;
  /** Resources of other stacks in the organization. */
  readonly others: readonly StateResource[];
  readonly onProgress: (progress: Progress) => void;
}

/** The end of a recovery. */
export interface Recovered {
  /** What is left after it. */
  readonly left: Interruption;
  /** URNs of the resources that it imported. */
  readonly imported: readonly string[];
  /** Pulumi was made to forget the interrupted creations. */
  readonly cleared: boolean;
}

/** Returns the pair for `buildpipeline import`, if a creation has exactly one object that it can only be. */
export function importPairOf({
  kind,
  name,
  objects,
  inState,
  secretIsLost,
}: InterruptedCreation): ImportPair | undefined {
  const [object, ...others] = objects;
  if (kind === undefined || object === undefined || others.length > 0 || inState || secretIsLost)
    return undefined;
  return { kind, name, importName: object.import };
}

/**
 * Imports the objects of interrupted creations, and clears the creations when each is in state or confirmed absent.
 *
 * @throws if an object differs from the program: then it may be another's
 */
export async function recover(found: Interruption, options: RecoverOptions): Promise<Recovered> {
  const { project, others, onProgress } = options;
  const importable = found.creations.flatMap((one) => {
    const pair = importPairOf(one);
    return pair === undefined ? [] : [{ urn: one.urn, pair }];
  });
  const pairs = importable.map(({ pair }) => pair);
  const importAll = (dryRun: boolean) =>
    importObjects(pairs, {
      stack: project.stack,
      goesOn: false,
      dryRun,
      yes: true,
      onProgress: () => {},
      onFound: () => {},
    });
  if (pairs.length > 0) {
    const different = (await importAll(true)).filter(({ differences }) => differences.length > 0);
    const [first] = different;
    if (first !== undefined) {
      throw new Error(
        `Nothing was imported: ${first.id} differs from what the interrupted deployment sent for ${first.name} ` +
          `(${first.differences.join("; ")}), so it may be another's. If it is the stack's, import it with ` +
          "`buildpipeline import`, and run this again.",
      );
    }
    await importAll(false);
  }
  const read = async () =>
    readInterruption(options, { state: await stackExportOf(project), others }, onProgress);
  const afterImport = pairs.length > 0 ? await read() : found;
  const cleared = afterImport.creations.length > 0 && afterImport.creations.every(isSettled);
  if (cleared) await onStack(project, [...CLEAR_COMMAND.split(" ").slice(1), "--yes", "--skip-preview"]);
  return { left: cleared ? await read() : afterImport, imported: importable.map(({ urn }) => urn), cleared };
}
