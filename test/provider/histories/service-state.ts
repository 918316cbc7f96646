import type { Emulator } from "../../../src/emulator/index.js";
import type { Entry } from "./engine/engine.js";

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

/** What is known of the objects that no state has. */
export interface Known {
  /** Ids of what colleagues made. */
  readonly byHand: ReadonlySet<string>;
  /** Ids of what an error or a warning named when it was left behind. */
  readonly named: Set<string>;
  /** Messages of the latest command. */
  readonly observed: readonly string[];
}

/**
 * What must hold after every command, whatever went wrong: an object that the stack made is in the state once, or an
 * error named it at that time; and each secret in the state is the one that works.
 *
 * @returns what is violated
 */
export function violations(
  entries: readonly Entry[],
  objects: readonly RemoteObject[],
  { byHand, named, observed }: Known,
): string[] {
  const found: string[] = [];
  // One text can name one object by what a person calls it: several may have the same name.
  const unused = [...observed];
  for (const object of objects) {
    const own = entries.filter(({ id, kind }) => id === object.id && kind === object.kind);
    const words = `${object.kind} ${JSON.stringify(object.label)} ${object.id}`;
    if (own.length > 1) found.push(`${words} is in the state ${own.length} times`);
    if (own.length > 0 && byHand.has(object.id)) found.push(`${words} was made by hand and is in the state`);
    if (own.length === 0 && !byHand.has(object.id) && !named.has(object.id)) {
      const byId = unused.findIndex((candidate) => candidate.includes(object.id));
      const byLabel = (candidate: string) => candidate.includes(object.label) && candidate.includes("import");
      const text = byId === -1 ? unused.findIndex(byLabel) : byId;
      if (text === -1) found.push(`${words} is on the service, not in the state, and no error named it`);
      else if (!unused[text]?.includes(object.id)) unused.splice(text, 1);
      named.add(object.id);
    }
    for (const { outs, name } of own) {
      if (object.secret === undefined) continue;
      if ((outs.token ?? outs.apiToken) !== object.secret) {
        found.push(`the secret of ${name} in the state is not the one that works`);
      }
    }
  }
  return found;
}

/** What must hold at the end, when nothing goes wrong any more: the state has what is there, and nothing else. */
export function lost(entries: readonly Entry[], objects: readonly RemoteObject[]): string[] {
  const live = new Set(objects.map(({ id }) => id));
  return entries.filter(({ id }) => !live.has(id)).map(({ name, id }) => `${name} (${id}) is not there`);
}
