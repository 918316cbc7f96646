import { type Locks, lockInWords, unknownLockInWords } from "../../cli/pulumi/lock.js";
import { LOCK_ADVICE, onStack, type Project } from "../../cli/pulumi/pulumi.js";
import { type StackState, stateOf } from "../../cli/pulumi/stack-export.js";
import { paint } from "../../cli/terminal/terminal.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { shellWord } from "../../shared/messages/quoted.js";
import type { FoundResource } from "../import/find-declared.js";
import { importObjects } from "../import/import-objects.js";
import {
  type InterruptedCreation,
  type Interruption,
  importPairOf,
  isSettled,
  type RecoveryOptions,
  readInterruption,
} from "./interruption.js";

/** The command that makes Pulumi forget interrupted creations. It also refreshes the stack. */
const CLEAR_COMMAND = "pulumi refresh --clear-pending-creates";

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

function requireEqual(found: readonly FoundResource[]): void {
  const first = found.find(({ differences }) => differences.length > 0);
  if (first === undefined) return;
  throw new Error(
    `Nothing was imported: ${first.id} differs from what the interrupted deployment sent for ${first.name} ` +
      `(${first.differences.join("; ")}), so it may be another's. If it is the stack's, import it with ` +
      "`buildpipeline import`, and run this again.",
  );
}

export function recoveryText({ left, imported, cleared }: Recovered, locked: Locks | undefined): string {
  const { creations, deletions, repeated } = left;
  const lines = (locked?.locks ?? []).flatMap((lock) => [
    `${paint("yellow", "Locked")} ${visible(lockInWords(lock))}`,
    `    ${LOCK_ADVICE}`,
  ]);
  const doubt =
    locked === undefined || locked.locks !== undefined
      ? ""
      : `${visible(unknownLockInWords(locked.backend))}\n`;
  lines.push(...imported.map((urn) => `${paint("green", "Imported")} ${visible(urn)}`));
  if (cleared) lines.push("The interrupted creations are cleared from the state.");
  for (const creation of creations) lines.push(...creationLines(creation));
  for (const { urn, kind, id, exists } of deletions) {
    lines.push(
      `${paint("yellow", "Deletion due")} ${visible(urn)}`,
      exists
        ? `    The old ${kind} ${id} still exists. The next \`pulumi up\` deletes it. If the API refused that because of ` +
            "connected agents, stop them first."
        : `    The old ${kind} ${id} no longer exists. The next \`pulumi up\` removes it from state.`,
    );
  }
  for (const { urn, operation } of repeated)
    lines.push(
      `${paint("dim", "Repeated")} ${visible(urn)}`,
      `    ${operation} was interrupted. The next \`pulumi up\` repeats it.`,
    );
  if (lines.length === 0) return `Nothing was interrupted.\n${doubt}`;
  if (creations.length > 0) lines.push("", ...nextStep(creations));
  else if (deletions.length + repeated.length > 0) lines.push("", "Next: pulumi up");
  return `${lines.join("\n")}\n${doubt}`;
}

function creationLines(creation: InterruptedCreation): string[] {
  const { urn, kind, name, outcome, objects, reason, inState, secretIsLost } = creation;
  const head = `${paint("yellow", "Creation interrupted")} ${visible(urn)}`;
  const indented = (...lines: readonly string[]) => [head, ...lines.map((line) => `    ${visible(line)}`)];
  if (outcome === "unknown") return indented(`Nothing confirms whether it was carried out: ${reason}.`);
  if (outcome === "recorded") return indented("The state has it.");
  if (outcome === "absent") return indented("The API doesn't list it. The next `pulumi up` creates it.");
  if (outcome === "repeated") return indented("The next `pulumi up` sets it again.");
  return indented(
    ...objects.flatMap(({ id, createdAt, createdBy, import: value, url }) => {
      const by = createdBy?.name ?? createdBy?.email;
      const creator = by === undefined || by === null ? "" : ` by ${by}`;
      const born = createdAt === null ? "" : `, created ${createdAt}${creator}`;
      const found = `No state has ${value} (${id}${born}).`;
      if (secretIsLost)
        return [
          `${found} Its secret is lost. If the interrupted deployment created it, revoke it in the web interface or with:`,
          `  curl --fail --request DELETE --header "Authorization: Bearer $BUILDPIPELINE_ACCESS_TOKEN" ${shellWord(url)}`,
        ];
      if (inState)
        return [
          `${found} The state has another object for this resource. If the interrupted deployment created it, set the ` +
            `option \`import\` to ${JSON.stringify(value)} and deploy, or delete it in the web interface.`,
        ];
      return [
        `${found} If the interrupted deployment created it, import it:`,
        `  npx pulumi-buildpipeline import ${kind} ${/^-/.test(name) ? "-- " : ""}${shellWord(name)} ${shellWord(value)}`,
      ];
    }),
  );
}

/** Returns the step that follows what the creations themselves need. */
function nextStep(creations: readonly InterruptedCreation[]): string[] {
  if (creations.every(isSettled))
    return [`Next: npx pulumi-buildpipeline recover --yes, or ${CLEAR_COMMAND}. Then: pulumi up`];
  const importable = creations.some((one) => importPairOf(one) !== undefined);
  return [
    importable
      ? "Next: npx pulumi-buildpipeline recover --yes imports what can be imported."
      : "Next: do what is said above, and run this again.",
    `Don't run ${CLEAR_COMMAND} before: it forgets the creations, and the next \`pulumi up\` would create second copies.`,
  ];
}
