import { type Locks, lockInWords, unknownLockInWords } from "../../cli/pulumi/lock.js";
import { LOCK_ADVICE, onStack, type Project } from "../../cli/pulumi/pulumi.js";
import { type StackState, stateOf } from "../../cli/pulumi/stack-export.js";
import { paint } from "../../cli/terminal/terminal.js";
import { kindNamed } from "../../provider/for-commands/kinds.js";
import { unreadableSecrets } from "../../provider/for-commands/objects.js";
import { howToResume } from "../../review/drain/ends.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { shellWord } from "../../shared/messages/quoted.js";
import { kindOfUrn } from "../../shared/protocol/type-token.js";
import type { FoundResource } from "../import/find-declared.js";
import { importObjects } from "../import/import-objects.js";
import type { ImportPair } from "../import/pairs.js";
import {
  type InterruptedCreation,
  type Interruption,
  importPairOf,
  isSettled,
  type RecoveryOptions,
  readInterruption,
} from "./interruption.js";
import type { LeftPauses } from "./pauses.js";

/** The command that makes Pulumi forget interrupted creations. It also refreshes the stack. */
const CLEAR_COMMAND = "pulumi refresh --clear-pending-creates";

export type Recovered = Awaited<ReturnType<typeof recover>>;

/** Imports the objects of interrupted creations, and clears the creations when each is in state or confirmed absent. */
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
  const reasons = await importEach(importable, project);
  const imported = importable.flatMap(({ urn }) => (reasons.has(urn) ? [] : [urn]));
  const look = async (now: StackState) => {
    const left = await readInterruption(now, options);
    const creations = left.creations.map((one) => ({ ...one, reason: reasons.get(one.urn) ?? one.reason }));
    return { ...left, creations };
  };
  const judged = importable.length > 0 ? await stateOf(project) : state;
  const left = importable.length > 0 ? await look(judged) : found;
  if (left.creations.length === 0 || !left.creations.every(isSettled))
    return { left, imported, cleared: false };
  // A deployment that was interrupted since left something that nobody judged, and that would be forgotten.
  const now = await stateOf(project);
  const isUnchanged = now.writtenAt === judged.writtenAt;
  if (!isUnchanged) return { left: await look(now), imported, cleared: false };
  await onStack(project, [...CLEAR_COMMAND.split(" ").slice(1), "--yes", "--skip-preview"]);
  return { left: await look(await stateOf(project)), imported, cleared: true };
}

/** Imports objects in one run, or else one by one, so that one which fails keeps no other. @returns why, by URN */
async function importEach(
  some: readonly { readonly urn: string; readonly pair: ImportPair }[],
  project: Project,
): Promise<ReadonlyMap<string, string>> {
  const reasons = new Map<string, string>();
  if (some.length === 0) return reasons;
  const pairs = some.map(({ pair }) => pair);
  try {
    // What an earlier run imported is skipped.
    await importObjects(pairs, { stack: project.stack, yes: true, goesOn: true, onFound: requireEqual });
  } catch (error) {
    if (some.length === 1) for (const { urn } of some) reasons.set(urn, messageOf(error));
    else
      for (const one of some)
        for (const [urn, reason] of await importEach([one], project)) reasons.set(urn, reason);
  }
  return reasons;
}

function requireEqual(found: readonly FoundResource[]): void {
  const first = found.find(({ differences }) => differences.length > 0);
  if (first === undefined) return;
  throw new Error(
    // Error creation-differs: `recover --yes` found an object that differs from the program, so it may be another's.
    // Fix: If it is the stack's, import it with `buildpipeline import`.
    `${first.id} differs from what the interrupted deployment sent for ${first.name} (${first.differences.join("; ")}), ` +
      "so it may be another's.",
  );
}

export function recoveryText(
  { left, imported, cleared }: Recovered,
  locked: Locks | undefined,
  { paused, resumed }: LeftPauses,
): string {
  const { creations, deletions, repeated } = left;
  const lines = (locked?.locks ?? []).flatMap((lock) => [
    `${paint("yellow", "Locked")} ${visible(lockInWords(lock))}`,
    `    ${LOCK_ADVICE}`,
  ]);
  const doubt =
    locked === undefined || locked.locks !== undefined
      ? ""
      : `${visible(unknownLockInWords(locked.backend))}\n`;
  for (const { queue, record } of paused)
    lines.push(
      `${paint("yellow", "Paused")} queue ${queue}`,
      `    A deployment that was killed left it so. ${visible(howToResume([], record))}`,
    );
  lines.push(...resumed.map((queue) => `${paint("green", "Resumed")} queue ${queue}`));
  for (const urn of imported)
    lines.push(
      `${paint("green", "Imported")} ${visible(urn)}`,
      ...unreadable(kindOfUrn(urn)).map(
        (name) =>
          `    The API doesn't return its ${name}, so the next \`pulumi up\` sends what the program has.`,
      ),
    );
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

function unreadable(name: string | undefined): readonly string[] {
  const kind = kindNamed(name ?? "");
  return kind === undefined ? [] : unreadableSecrets(kind);
}

function creationLines(creation: InterruptedCreation): string[] {
  const { urn, kind, name, outcome, objects, reason, inState, secretIsLost } = creation;
  const head = `${paint("yellow", "Creation interrupted")} ${visible(urn)}`;
  const indented = (...lines: readonly string[]) => [head, ...lines.map((line) => `    ${visible(line)}`)];
  if (outcome === "unknown")
    return indented(
      `Nothing confirms whether it was carried out: ${reason}.`,
      "Look for it where it would be. If it exists, import it with `npx pulumi-buildpipeline import`, or `pulumi import` for " +
        `another package's. If nothing of what is left here exists, \`${CLEAR_COMMAND}\` forgets it.`,
    );
  if (outcome === "recorded") return indented("The state has it.");
  if (outcome === "absent") return indented("The API doesn't list it. The next `pulumi up` creates it.");
  if (outcome === "repeated") return indented("The next `pulumi up` sets it again.");
  return indented(
    ...(reason === undefined ? [] : [`It was not imported: ${reason}`]),
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
  // What was not imported has a reason, and would not be imported by the same command again.
  const isUntried = creations.some((one) => importPairOf(one) !== undefined && one.reason === undefined);
  const isRefused = creations.some(({ outcome, reason }) => outcome === "unrecorded" && reason !== undefined);
  return [
    isUntried
      ? "Next: npx pulumi-buildpipeline recover --yes imports what can be imported."
      : isRefused
        ? "Next: remove the reason that is said above, and run this again. If the program no longer declares the resource, " +
          "check out the commit that was deployed, or delete the object."
        : "Next: do what is said above, and run this again.",
    `Don't run ${CLEAR_COMMAND} before: it forgets the creations, and the next \`pulumi up\` would create second copies.`,
  ];
}
