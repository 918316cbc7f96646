import type { Emulator } from "../../../src/emulator/index.js";
import type { Entry, ModelEngine } from "./model-engine.js";

/** An object on the service, of a kind that a program can make. */
export interface RemoteObject {
  readonly kind: string;
  readonly id: string;
  /** What a person calls it: its name, key or description. */
  readonly label: string;
  readonly secret?: string;
}

/** Everything there is. A default queue is a property of its cluster and no object. */
export function remoteObjects({ organizationData: data }: Emulator): RemoteObject[] {
  return [
    ...data.clusters.list().map(({ id, name }) => ({ kind: "Cluster", id, label: name })),
    ...data.queues.list().map(({ id, key }) => ({ kind: "Queue", id, label: key })),
    ...data.agentTokens.list().map(({ id, description, token }) => ({
      kind: "AgentToken",
      id,
      label: description,
      secret: token,
    })),
    ...data.pipelineTemplates.list().map(({ id, name }) => ({ kind: "PipelineTemplate", id, label: name })),
    ...data.teams.list().map(({ id, name }) => ({ kind: "Team", id, label: name })),
    ...data.suites.list().map(({ id, name, api_token }) => ({
      kind: "Suite",
      id,
      label: name,
      secret: api_token,
    })),
  ];
}

/** Whether an error or a warning told the user of an object that no state knows. */
function wasTold({ id, label }: RemoteObject, told: readonly string[]): boolean {
  return told.some((text) => text.includes(id) || (text.includes(label) && text.includes("import")));
}

/**
 * What must hold after every command, whatever went wrong: an object that the stack made is in the state once, or an
 * error named it; and each secret in the state is the one that works.
 *
 * @param byHand Ids of what colleagues made.
 * @returns what is violated
 */
export function violations(engine: ModelEngine, emulator: Emulator, byHand: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const objects = remoteObjects(emulator);
  const recorded = new Map<string, Entry[]>();
  for (const entry of engine.entries) {
    if (entry.kind === "ClusterDefaultQueue") continue;
    recorded.set(entry.id, [...(recorded.get(entry.id) ?? []), entry]);
  }
  for (const object of objects) {
    const entries = recorded.get(object.id) ?? [];
    const words = `${object.kind} ${JSON.stringify(object.label)} ${object.id}`;
    if (entries.length > 1) found.push(`${words} is in the state ${entries.length} times`);
    if (entries.length > 0 && byHand.has(object.id))
      found.push(`${words} was made by hand and is in the state`);
    if (entries.length === 0 && !byHand.has(object.id) && !wasTold(object, engine.told)) {
      found.push(`${words} is on the service, not in the state, and no error named it`);
    }
    for (const { outs, name } of entries) {
      if (object.secret === undefined) continue;
      if ((outs.token ?? outs.apiToken) !== object.secret) {
        found.push(`the secret of ${name} in the state is not the one that works`);
      }
    }
  }
  return found;
}

/** What must hold at the end, when nothing goes wrong any more: the state has what is there, and nothing else. */
export function lost(engine: ModelEngine, emulator: Emulator): string[] {
  const live = new Set(remoteObjects(emulator).map(({ id }) => id));
  return engine.entries
    .filter(({ id }) => !live.has(id))
    .map(({ name, id }) => `${name} (${id}) is not there`);
}
