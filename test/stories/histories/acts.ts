import { type Emulator, scopes } from "../../../src/emulator/index.js";
import { awkwardTexts } from "./awkward.js";
import { bodyOf, parametersFor, type RemoteObject, remoteObjects, sections } from "./sections.js";

/** Who acts: a colleague in the web interface, or a second stack with the same API access token. */
export type Who = "colleague" | "second stack";

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
    | "archive"
    | "unarchive"
    | "take a role away";
  readonly kind: string;
  readonly pick: number;
}

/** An act and its moment within a command. */
export interface Meeting {
  readonly act: Act;
  /** The operation before which it happens; undefined for any. */
  readonly before?: string | undefined;
  readonly skip: number;
  /** Seconds that pass before it, and again after it. */
  readonly seconds: number;
}

/** What a program wants of a kind: the arguments, with the ids of what is there by now. */
export interface Wanted {
  readonly kind: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Others who work on the same service, without the network. */
export class Others {
  readonly #emulator: Emulator;
  readonly #colleaguesToken: string;
  /** How many acts really changed something. */
  acts = 0;
  readonly changed = new Set<string>();

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    const { id } = emulator.addMember({ name: "Colleague", email: "colleague@example.com" });
    this.#colleaguesToken = emulator.createAccessToken({ scopes, userId: id });
  }

  act({ who, what, kind, pick }: Act, wanted: readonly Wanted[]): void {
    const accessToken = who === "colleague" ? this.#colleaguesToken : this.#emulator.accessToken;
    const done = this.#done(accessToken, what, kind, pick, wanted);
    if (done) this.acts += 1;
  }

  /** Deletes an object, whatever is in the way. */
  remove(object: RemoteObject): boolean {
    const { clusters } = this.#emulator.organizationData;
    const around = clusters.get(object.parent?.id ?? "");
    if (around?.default_queue_id === object.id) clusters.update(around.id, { default_queue_id: null });
    return this.#perform("delete", object);
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
    const update = (body: unknown) => body !== undefined && this.#perform("update", object, token, body);
    if (what === "change") return update(section.change?.("changed by others"));
    if (what === "rename") return update(section.rename?.(`renamed-${pick}`));
    if (what === "rename awkwardly") {
      const text = chosen(awkwardTexts, pick) ?? "";
      return update((section.rename ?? section.change)?.(text));
    }
    if (what === "pause" || what === "resume")
      return object.kind === "Queue" && this.#perform(`${what}Dispatch`, object, token);
    if (what === "archive" || what === "unarchive")
      return object.kind === "Pipeline" && this.#perform(what, object, token);
    if (what === "delete") return this.remove(object);
    const like = wanted.find(
      (one) => one.kind === object.kind && Object.values(one.args).includes(object.label),
    );
    return this.remove(object) && like !== undefined && this.#create(token, like, true);
  }

  #create(token: string, { kind, args }: Wanted, equal: boolean): boolean {
    const section = sections[kind];
    if (section === undefined) return false;
    const { parent } = section;
    const { pipelines } = this.#emulator.organizationData;
    const around = parent && args[parent.argument];
    if (parent !== undefined && typeof around !== "string") return false;
    const body = { ...bodyOf(section, args), ...(equal ? {} : section.change?.("similar")) };
    const place = parent?.field === "pipeline_id" ? pipelines.get(String(around))?.slug : around;
    const params: Record<string, string> = parent ? { [parent.parameter]: String(place) } : {};
    const call = { params, body, accessToken: token };
    return this.#emulator.perform(`${section.group}.create`, call).status < 300;
  }

  /** Carries out an operation about an object, as a colleague by default. @returns whether the service did it */
  #perform(verb: string, object: RemoteObject, accessToken = this.#colleaguesToken, body?: unknown): boolean {
    const call = { params: parametersFor(object), body, accessToken };
    return this.#emulator.perform(`${sections[object.kind]?.group}.${verb}`, call).status < 300;
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
}

/** Those of a kind; all where there are none, because others find something to do. */
function preferred<Value extends { readonly kind: string }>(values: readonly Value[], kind: string): Value[] {
  const ofKind = values.filter((value) => value.kind === kind);
  return ofKind.length > 0 ? ofKind : values.filter((value) => value.kind in sections);
}

function chosen<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values[pick % Math.max(1, values.length)];
}
