import { visible } from "../../shared/messages/foreign-text.js";
import { shellWord } from "../../shared/messages/quoted.js";
import { type Locks, lockInWords, unknownLockInWords } from "../shared/pulumi/lock.js";
import { LOCK_ADVICE } from "../shared/pulumi/pulumi.js";
import { paint } from "../shared/terminal/terminal.js";
import { type InterruptedCreation, importPairOf, isSettled } from "./interruption.js";
import { CLEAR_COMMAND, type Recovered } from "./recover.js";

/** Describes what is left after a recovery, with the commands that go on. */
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
      const born =
        createdAt === null
          ? ""
          : `, created ${createdAt}${by === undefined || by === null ? "" : ` by ${by}`}`;
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
