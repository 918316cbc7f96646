import type { FoundResource } from "../import/find-declared.js";
import { importObjects } from "../import/import-objects.js";
import { onStack, type Project } from "../shared/pulumi/pulumi.js";
import { type StackState, stateOf } from "../shared/pulumi/stack-export.js";
import {
  type Interruption,
  importPairOf,
  isSettled,
  type RecoveryOptions,
  readInterruption,
} from "./interruption.js";

/** The command that makes Pulumi forget interrupted creations. It also refreshes the stack. */
export const CLEAR_COMMAND = "pulumi refresh --clear-pending-creates";

/** What is left of an interruption, and what was done about it. */
export type Recovered = Awaited<ReturnType<typeof recover>>;

/**
 * Imports the objects of interrupted creations, and clears the creations when each is in state or confirmed absent.
 *
 * @throws if an object differs from the program: then it may be another's
 */
export async function recover(
  state: StackState,
  found: Interruption,
  project: Project,
  options: RecoveryOptions,
) {
  const importable = found.creations.flatMap((one) => {
    const pair = importPairOf(one);
    return pair === undefined ? [] : [{ urn: one.urn, pair }];
  });
  if (importable.length > 0) {
    const pairs = importable.map(({ pair }) => pair);
    await importObjects(pairs, { stack: project.stack, yes: true, onFound: requireEqual });
  }
  const imported = importable.map(({ urn }) => urn);
  const judged = imported.length > 0 ? await stateOf(project) : state;
  const left = imported.length > 0 ? await readInterruption(judged, options) : found;
  if (left.creations.length === 0 || !left.creations.every(isSettled))
    return { left, imported, cleared: false };
  // A deployment that was interrupted since left something that nobody judged, and that would be forgotten.
  const now = await stateOf(project);
  const isUnchanged = now.writtenAt === judged.writtenAt;
  if (!isUnchanged) return { left: await readInterruption(now, options), imported, cleared: false };
  await onStack(project, [...CLEAR_COMMAND.split(" ").slice(1), "--yes", "--skip-preview"]);
  return { left: await readInterruption(await stateOf(project), options), imported, cleared: true };
}

/** @throws if an object differs from what its program declares */
function requireEqual(found: readonly FoundResource[]): void {
  const first = found.find(({ differences }) => differences.length > 0);
  if (first === undefined) return;
  throw new Error(
    `Nothing was imported: ${first.id} differs from what the interrupted deployment sent for ${first.name} ` +
      `(${first.differences.join("; ")}), so it may be another's. If it is the stack's, import it with ` +
      "`buildpipeline import`, and run this again.",
  );
}
