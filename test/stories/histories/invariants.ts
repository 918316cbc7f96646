import type { Emulator } from "../../../src/emulator/index.js";
import type { Entry } from "./engine/engine.js";
import type { Command } from "./history.js";
import type { Ledger } from "./ledger.js";
import { remaining, remoteObjects } from "./sections.js";

export interface Evidence {
  readonly emulator: Emulator;
  readonly ledger: Ledger;
  readonly command: Command;
  readonly succeeded: boolean;
  readonly before: readonly Entry[];
  readonly after: readonly Entry[];
  /** Everything that the user has read since the stack began. */
  readonly said: readonly string[];
  readonly saidNow: readonly string[];
}

/** The invariants, by the names that reports use. */
export const invariants: Readonly<Record<string, (evidence: Evidence) => string[]>> = {
  "I1: objects of others are neither written, deleted nor recorded": trespasses,
  "I2: what exists because of this stack is in the state or was named": forgotten,
  "I4: the state drops only what was deleted": dropped,
  "I7: a destroy deletes what the stack owns": left,
  "the secret in the state is the one that works": spoiledSecrets,
};

/** Entries that stand for an object: a default queue is a property of its cluster, and what is only read is no entry. */
function objectEntries(entries: readonly Entry[]): Entry[] {
  return entries.filter(
    ({ kind, pendingReplacement, external }) =>
      kind !== "ClusterDefaultQueue" && !pendingReplacement && !external,
  );
}

function trespasses({ ledger, after }: Evidence): string[] {
  const found = ledger.trespasses.splice(0);
  for (const { name, kind, id } of objectEntries(after)) {
    // Exception: an equal object that appears in the window of a creation whose response was lost.
    if (!ledger.isOthers(id)) continue;
    if (ledger.mayBeMistaken(id)) ledger.mistaken.add(id);
    else found.push(`${name} in the state is the ${kind} ${id} of others`);
  }
  return found;
}

function forgotten({ emulator, ledger, before, after, said }: Evidence): string[] {
  const found: string[] = [];
  noteHidden(emulator, ledger, before);
  // One text can name one object by what a person calls it: several may have the same name.
  const unused = said.flatMap((text) => Array.from({ length: triesIn(text) }, () => text));
  const recorded = objectEntries(after);
  const objects = remoteObjects(emulator);
  for (const object of objects) {
    const { kind, id, label } = object;
    const own = recorded.filter((entry) => entry.id === id && entry.kind === kind);
    // Exception: a rename with the option `import` that was interrupted.
    if (own.length > 1 && !ledger.imported.has(id))
      found.push(`${kind} ${id} is in the state ${own.length} times`);
    if (own.length > 0 || !ledger.isOurs(id) || said.some((text) => text.includes(id))) continue;
    if (ledger.hiddenSince.has(id) || ledger.excused.has(id)) continue;
    // Exception: an equal object was recorded, or named, in its place: it appeared while this one was created.
    if (
      recorded.some((entry) => entry.kind === kind && isMistakenFor(ledger, entry.id, id)) ||
      objects.some((other) => other.kind === kind && isNamedInsteadOf(ledger, said, other.id, id))
    ) {
      ledger.excused.add(id);
      continue;
    }
    // Others may have renamed it since.
    // A rule is called by its pipelines.
    const { name = label } = emulator.organizationData.pipelines.get(label) ?? {};
    const labels = [label, ledger.firstLabelOf(id) ?? label, name];
    const textThat = (names: (text: string, label: string) => boolean) =>
      unused.findIndex(
        (text) =>
          text.includes(`${kind}: `) && text.includes("import") && labels.some((one) => names(text, one)),
      );
    // A text that shows the label first: an awkward label matches the text of any object of the kind.
    const exact = textThat((text, one) => text.includes(one));
    const named = exact === -1 ? textThat(mentions) : exact;
    if (named === -1) found.push(`${kind} ${JSON.stringify(label)} ${id} is neither in the state nor named`);
    else unused.splice(named, 1);
  }
  return found;
}

/**
 * Exception: the state says that everybody can see an object, and it was hidden since, by others or by an update that
 * failed halfway. To an access token that can't see it, it does not differ from one that was deleted.
 */
function noteHidden({ organizationData }: Emulator, ledger: Ledger, before: readonly Entry[]): void {
  const { teams, pipelineTemplates } = organizationData;
  for (const { id, outs } of before) {
    const isHidden = teams.get(id)?.privacy === "secret" || pipelineTemplates.get(id)?.available === false;
    const wasVisible = outs.privacy !== "secret" && outs.available !== false;
    if (isHidden && wasVisible) ledger.hiddenSince.add(id);
  }
}

/** How many objects a message stands for: a creation that was sent several times can make several. */
function triesIn(text: string): number {
  return Number(/The creation was sent (\d+) times/.exec(text)?.[1] ?? 1);
}

function isMistakenFor(ledger: Ledger, recorded: string, own: string): boolean {
  return ledger.mistaken.has(recorded) && ledger.firstLabelOf(recorded) === ledger.firstLabelOf(own);
}

function isNamedInsteadOf(ledger: Ledger, said: readonly string[], other: string, own: string): boolean {
  return (
    ledger.appearedMeanwhile(other) &&
    ledger.firstLabelOf(other) === ledger.firstLabelOf(own) &&
    said.some((text) => text.includes(other))
  );
}

/** Whether a text names an object. Text of others is cut, and its control characters are replaced. */
function mentions(text: string, label: string): boolean {
  return text.includes(label) || text.includes(JSON.stringify(label)) || /[^\x20-\x7e]/.test(label);
}

function dropped({ emulator, ledger, command, before, after, saidNow }: Evidence): string[] {
  // Only what deletes may leave an archived pipeline behind.
  const objects = command.what === "refresh" ? remoteObjects(emulator) : remaining(emulator);
  const live = new Set(objects.map(({ id }) => id));
  const still = new Set(after.map(({ kind, id }) => `${kind} ${id}`));
  const found: string[] = [];
  for (const entry of objectEntries(before)) {
    const { kind, id, name } = entry;
    if (!live.has(id) || still.has(`${kind} ${id}`) || ledger.hiddenSince.has(id)) continue;
    if (!saidNow.some((text) => text.includes(id)))
      found.push(`${name}: the ${kind} ${id} left the state silently`);
    else if (
      !mayBeDropped(emulator, entry) &&
      !wasAddedAgain(id, saidNow) &&
      !isDefaultQueue(emulator, id) &&
      !ledger.cameBack(entry) &&
      !ledger.isOthers(id)
    )
      found.push(`${name}: the ${kind} ${id} left the state, and exists`);
  }
  return [...found, ...droppedDefaults(emulator, before, after, saidNow)];
}

/** Exception, with a message: a default queue that the service refuses to delete goes with its cluster. */
function isDefaultQueue({ organizationData: { clusters, queues } }: Emulator, id: string): boolean {
  return clusters.get(queues.get(id)?.cluster_id ?? "")?.default_queue_id === id;
}

/**
 * Exceptions, each with a message: what is imported stays on the service, and an object that the access token may be
 * unable to see counts as deleted where the same token does not see it any more.
 */
function mayBeDropped({ organizationData: { teams } }: Emulator, { kind, outs }: Entry): boolean {
  if (outs.import !== undefined) return true;
  if (kind === "TeamPipeline") return teams.get(String(outs.teamId))?.privacy === "secret";
  return kind === "Team"
    ? outs.privacy === "secret"
    : kind === "PipelineTemplate" && outs.available === false;
}

/** Exception, with a message: a pair that others removed and added again is no longer the one in the state. */
function wasAddedAgain(id: string, said: readonly string[]): boolean {
  return said.some((text) => text.includes(id) && text.includes("added it again"));
}

function left({ emulator, ledger, command, succeeded, before, saidNow }: Evidence): string[] {
  if (command.what !== "destroy" || command.target !== undefined || !succeeded) return [];
  const live = new Set(remaining(emulator).map(({ id }) => id));
  return objectEntries(before)
    .filter(({ id, outs }) => live.has(id) && outs.import === undefined && !ledger.isOthers(id))
    .filter((entry) => !ledger.cameBack(entry))
    .filter(({ id }) => !wasAddedAgain(id, saidNow))
    .filter((entry) => !(mayBeDropped(emulator, entry) && saidNow.some((text) => text.includes(entry.id))))
    .map(({ name, kind, id }) => `the ${kind} ${id} of ${name} is still there`);
}

function droppedDefaults(
  { organizationData }: Emulator,
  before: readonly Entry[],
  after: readonly Entry[],
  saidNow: readonly string[],
): string[] {
  const still = new Set(after.filter(isDefault).map(({ id }) => id));
  return before
    .filter(isDefault)
    .filter(
      ({ id, outs, pendingReplacement }) =>
        !pendingReplacement &&
        !still.has(id) &&
        organizationData.clusters.get(id)?.default_queue_id === outs.queueId &&
        !saidNow.some((text) => text.includes(id)),
    )
    .map(({ id, name }) => `${name}: the default queue of ${id} left the state silently, and is set`);
}

function isDefault({ kind }: Entry): boolean {
  return kind === "ClusterDefaultQueue";
}

function spoiledSecrets({ emulator, ledger, after }: Evidence): string[] {
  const objects = new Map(remoteObjects(emulator).map(({ id, secret }) => [id, secret]));
  return objectEntries(after)
    .filter(({ id, outs, kind }) => {
      const secret = objects.get(id);
      const known = outs.token ?? outs.apiToken;
      // Exception: what was imported or read has no secret, and a warning says so.
      const lacks = known === undefined && ledger.imported.has(id);
      return secret !== undefined && known !== secret && !lacks && kind !== "PipelineTemplate";
    })
    .map(({ name }) => `the secret of ${name} in the state is not the one that works`);
}
