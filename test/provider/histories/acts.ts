import { type Emulator, scopes } from "../../../src/emulator/index.js";
import { awkwardTexts } from "./awkward.js";
import { sections } from "./bodies.js";
import { type RemoteObject, remoteObjects } from "./service-state.js";

/** Who acts: a colleague in the web interface, or a second stack with the same API access token. */
export type Who = "colleague" | "second stack";

/** Something that others do. */
export interface Act {
  readonly who: Who;
  readonly what:
    | "create an equal one"
    | "create a similar one"
    | "change"
    | "rename"
    | "rename awkwardly"
    | "delete"
    | "delete and create an equal one"
    | "pause"
    | "resume"
    | "take a role away";
  /** The kind of object that it is about. */
  readonly kind: string;
  /** Which one of several. */
  readonly pick: number;
}

/** An act and its moment within a command. */
export interface Meeting {
  readonly act: Act;
  /** The operation before which it happens; undefined for any. */
  readonly before?: string | undefined;
  /** How many such requests pass first. */
  readonly skip: number;
  /** Seconds that pass before it, and again after it. */
  readonly seconds: number;
}

/** What a program wants of a kind: the arguments, and the cluster that it lives in. */
export interface Wanted {
  readonly kind: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly cluster: string | undefined;
}

/** Others who work on the same service, without the network. */
export class Others {
  readonly #emulator: Emulator;
  readonly #colleaguesToken: string;
  /** How many acts really changed something. */
  acts = 0;
  /** Ids of objects that others have changed. */
  readonly changed = new Set<string>();

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    const { id } = emulator.addMember({ name: "Colleague", email: "colleague@example.com" });
    this.#colleaguesToken = emulator.createAccessToken({ scopes, userId: id });
  }

  /** @param wanted what the program declares */
  act({ who, what, kind, pick }: Act, wanted: readonly Wanted[]): void {
    const accessToken = who === "colleague" ? this.#colleaguesToken : this.#emulator.accessToken;
    const done = this.#done(accessToken, what, kind, pick, wanted);
    if (done) this.acts += 1;
  }

  /** Carries out an operation as a colleague. @returns whether the service did it */
  perform(operation: string, params: Record<string, string>, body?: unknown, token = this.#colleaguesToken) {
    return this.#emulator.perform(operation, { params, body, accessToken: token }).status < 300;
  }

  /** Deletes an object, whatever is in the way. */
  remove({ kind, id }: RemoteObject): boolean {
    const { clusters, queues } = this.#emulator.organizationData;
    const cluster = kind === "Queue" ? clusters.get(queues.get(id)?.cluster_id ?? "") : undefined;
    if (cluster?.default_queue_id === id) clusters.update(cluster.id, { default_queue_id: null });
    return this.perform(`${groupOf(kind)}.delete`, this.#paramsOf(kind, id));
  }

  #done(token: string, what: Act["what"], kind: string, pick: number, wanted: readonly Wanted[]): boolean {
    if (what === "take a role away") return this.#takeRoleAway();
    if (what.startsWith("create")) {
      const like = chosen(preferred(wanted, kind), pick);
      return like !== undefined && this.#create(token, like, what === "create an equal one");
    }
    const object = chosen(preferred(remoteObjects(this.#emulator), kind), pick);
    const section = sections[object?.kind ?? ""];
    if (object === undefined || section === undefined) return false;
    this.changed.add(object.id);
    const update = (body: unknown) =>
      body !== undefined &&
      this.perform(`${section.group}.update`, this.#paramsOf(object.kind, object.id), body, token);
    if (what === "change") return update(section.change("changed by others"));
    if (what === "rename") return update(section.rename?.(`renamed-${pick}`));
    if (what === "rename awkwardly") {
      const text = chosen(awkwardTexts, pick) ?? "";
      return update((section.rename ?? section.change)(text));
    }
    if (what === "pause" || what === "resume") {
      if (object.kind !== "Queue") return false;
      return this.perform(`queues.${what}Dispatch`, this.#paramsOf(object.kind, object.id), undefined, token);
    }
    if (what === "delete") return this.remove(object);
    const like = wanted.find(
      (one) => one.kind === object.kind && Object.values(one.args).includes(object.label),
    );
    return this.remove(object) && like !== undefined && this.#create(token, like, true);
  }

  #create(token: string, { kind, args, cluster }: Wanted, equal: boolean): boolean {
    const section = sections[kind];
    const inCluster = kind === "Queue" || kind === "AgentToken";
    if (section === undefined || (inCluster && cluster === undefined)) return false;
    const body = { ...section.body(args), ...(equal ? {} : section.change("similar")) };
    return this.perform(
      `${section.group}.create`,
      inCluster ? { cluster_id: cluster ?? "" } : {},
      body,
      token,
    );
  }

  /** The stack's user administers nothing any more and is a member of no team. */
  #takeRoleAway(): boolean {
    const { accessTokens, teams } = this.#emulator.organizationData;
    const own = accessTokens.find("token", this.#emulator.accessToken);
    if (own === undefined || !own.admin) return false;
    accessTokens.update(own.id, { admin: false, sees_secret_teams: false });
    for (const { id } of teams.list()) teams.update(id, { member_ids: [] });
    return true;
  }

  #paramsOf(kind: string, id: string): Record<string, string> {
    const { queues, agentTokens, suites } = this.#emulator.organizationData;
    if (kind === "Queue") return { cluster_id: queues.get(id)?.cluster_id ?? "", queue_id: id, id };
    if (kind === "AgentToken") return { cluster_id: agentTokens.get(id)?.cluster_id ?? "", token_id: id, id };
    if (kind === "Suite") return { suite_slug: suites.get(id)?.slug ?? "" };
    return { id, uuid: id, team_uuid: id };
  }
}

function groupOf(kind: string): string {
  return sections[kind]?.group ?? "";
}

/** Those of a kind; all where there are none, because others find something to do. */
function preferred<Value extends { readonly kind: string }>(values: readonly Value[], kind: string): Value[] {
  const ofKind = values.filter((value) => value.kind === kind);
  return ofKind.length > 0 ? ofKind : values.filter((value) => value.kind in sections);
}

function chosen<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values[pick % Math.max(1, values.length)];
}
