import type { Method } from "../../client/transport/exchange.js";
import type { Ledger, ObjectKind, OwnObject } from "./ledger.js";
import { type Entity, isObject, NoAnswer, unexpected, Wire, type WireResponse } from "./wire.js";

export type Own = OwnObject & { readonly id: string };

export class Gone extends NoAnswer {}

/** An object's name isn't this probe's, whatever a response or a file said before. */
export class NotOwn extends NoAnswer {}

const MOST_LISTS = 3;
const LIST_WAIT_MS = 500;

export const LABELS: Readonly<Record<ObjectKind, "name" | "key" | "description">> = {
  cluster: "name",
  queue: "key",
  token: "description",
  template: "name",
  team: "name",
  suite: "name",
};

export function idIn(entity: unknown): string | undefined {
  if (!isObject(entity)) return undefined;
  const id = entity.id ?? entity.uuid;
  return typeof id === "string" ? id : undefined;
}

/** Checks whether the service refused a value, and did not merely fail. */
export const isRefused = ({ status }: WireResponse) => status === 400 || status === 422;

/** @throws NoAnswer if the service failed in another way */
export function wasRefused(response: WireResponse): boolean {
  if (response.status < 300 || isRefused(response)) return isRefused(response);
  throw new NoAnswer(unexpected(response));
}

/** The service that is asked, and the probe's own objects there. Each creation is in the ledger before it is sent. */
export class ProbedService extends Wire {
  /** The only objects that it changes and deletes. Undefined if it only reads. */
  own: Ledger | undefined;

  get ledger(): Ledger {
    if (this.own === undefined) throw new NoAnswer("needs --write");
    return this.own;
  }

  listOf(kind: ObjectKind, cluster?: string): string {
    if (kind === "suite") return `/analytics/organizations/${this.organization}/suites`;
    const paths = {
      cluster: "/clusters",
      queue: `/clusters/${cluster}/queues`,
      token: `/clusters/${cluster}/tokens`,
      template: "/pipeline-templates",
      team: "/teams",
    };
    return `/organizations/${this.organization}${paths[kind]}`;
  }

  /** Suites are addressed by a slug that others can reuse, so it is read from the list. */
  #pathOf({ kind, cluster, id }: OwnObject, { slug }: Entity): string {
    return `${this.listOf(kind, cluster)}/${kind === "suite" ? slug : id}`;
  }

  /** Creates an object of the probe. @returns no entity if it was refused, and no object if its id is unknown */
  async create(
    kind: ObjectKind,
    label: string,
    body: (name: string) => object,
    cluster?: string,
  ): Promise<WireResponse & { readonly entity?: Entity; readonly object?: Own }> {
    const object = { kind, name: this.ledger.name(label), cluster };
    const path = this.listOf(kind, cluster);
    this.ledger.note(object);
    const response = await this.send("POST", path, body(object.name));
    if (response.status >= 400) {
      this.ledger.note({ ...object, isGone: true });
      return response;
    }
    const hasName = (one: unknown): one is Entity => isObject(one) && one[LABELS[kind]] === object.name;
    // Another object's response says nothing of this one, which is found by its name when the probe cleans up.
    if (!hasName(response.body)) throw new NoAnswer("a creation's response lacked the name that was sent");
    const id = idIn(response.body) ?? idIn((await this.all(path)).find(hasName));
    if (id === undefined) return { ...response, entity: response.body };
    this.ledger.note({ ...object, id });
    return { ...response, entity: response.body, object: { ...object, id } };
  }

  /** Creates an object that questions need. @throws if it is refused */
  async make(...creation: Parameters<ProbedService["create"]>): Promise<Own & { readonly entity: Entity }> {
    const { object, entity, ...response } = await this.create(...creation);
    if (object === undefined || entity === undefined) throw new Error(unexpected(response));
    return { ...object, entity };
  }

  /** Notes, before the request, that an object gets another name. @returns the name */
  rename({ kind, id }: Own, label: string): string {
    const name = this.ledger.name(label);
    this.ledger.note({ kind, name, id });
    return name;
  }

  /** Changes or deletes an object whose live name has this probe's nonce, read right before. @throws Gone; NotOwn */
  async write(
    method: Exclude<Method, "GET">,
    object: OwnObject,
    body?: object,
    verb = "",
  ): Promise<WireResponse> {
    const entity = await this.read(object);
    const label = entity[LABELS[object.kind]];
    if (typeof label !== "string" || !label.startsWith(this.ledger.name("")))
      throw new NotOwn("its name isn't this probe's, so it was left alone");
    object.id ??= idIn(entity);
    return this.send(method, `${this.#pathOf(object, entity)}${verb}`, body);
  }

  /** Changes an object of the probe. @throws if it is refused, or the response is another object's */
  async change(method: "PUT" | "PATCH" | "POST", own: Own, body?: object, verb?: string): Promise<Entity> {
    const response = await this.write(method, own, body, verb);
    if (response.status >= 300 || !isObject(response.body)) throw new Error(unexpected(response));
    if ((idIn(response.body) ?? own.id) !== own.id) throw new NoAnswer("a response was another object's");
    return response.body;
  }

  /**
   * Reads an object by its id, or from a list. A 404 may also mean that a read needs another scope, so the list decides.
   * Suites are always in the list, because only it has their slug. It may lack an object that was just made, so it is read
   * several times before the object counts as missing.
   *
   * @throws Gone; NoAnswer if the response is another object's
   */
  async read(object: OwnObject): Promise<Entity> {
    const { kind, name, id, cluster } = object;
    if (id !== undefined && kind !== "suite") {
      const response = await this.get(this.#pathOf(object, {}));
      if (response.status === 200 && isObject(response.body)) {
        if (idIn(response.body) === id) return response.body;
        throw new NoAnswer("a response was another object's");
      }
    }
    // Without its cluster, a token has no list.
    if (cluster !== undefined) await this.read({ kind: "cluster", name: "", id: cluster });
    const isIt = (entry: Entity) => (id === undefined ? entry[LABELS[kind]] === name : idIn(entry) === id);
    for (let tries = 1; ; tries++) {
      const entry = (await this.all(this.listOf(kind, cluster))).find(isIt);
      if (entry !== undefined) return entry;
      if (tries === MOST_LISTS) throw new Gone("an object of the probe is gone");
      await this.wait(LIST_WAIT_MS);
    }
  }
}
