import { NoAnswer } from "./answer.js";
import { find, idIn, LABELS, listOf, writeOwn } from "./clean.js";
import type { Ledger, ObjectKind, OwnObject } from "./ledger.js";
import { type Entity, isObject, unexpected, type Wire, type WireResponse } from "./wire.js";

export interface Creation extends WireResponse {
  /** What it made, as the response shows it. Undefined if it was refused. */
  readonly entity: Entity | undefined;
  /** The object. Undefined if its id is unknown. */
  readonly object: OwnObject | undefined;
}

/** The service that is asked. Each creation is in the ledger before it is sent. */
export class Service {
  readonly #ledger: Ledger | undefined;

  /** @param ledger none if the probe only reads */
  constructor(
    readonly wire: Wire,
    ledger: Ledger | undefined,
  ) {
    this.#ledger = ledger;
  }

  get ledger(): Ledger {
    if (this.#ledger === undefined) throw new NoAnswer("needs --write");
    return this.#ledger;
  }

  get writes(): boolean {
    return this.#ledger !== undefined;
  }

  at(path: string): string {
    return `/organizations/${this.wire.organization}${path}`;
  }

  get(path: string): Promise<WireResponse> {
    return this.wire.get(this.at(path));
  }

  /** Creates an object of the probe, or reports the refusal. */
  async create(
    kind: ObjectKind,
    label: string,
    body: (name: string) => object,
    cluster?: string,
  ): Promise<Creation> {
    const object = { kind, name: this.ledger.name(label), cluster };
    const path = listOf(this.wire, kind, cluster);
    this.ledger.note(object);
    const response = await this.wire.write("POST", path, body(object.name));
    if (response.status >= 400) {
      this.ledger.note({ ...object, isGone: true });
      return { ...response, entity: undefined, object: undefined };
    }
    const hasName = (one: unknown): one is Entity => isObject(one) && one[LABELS[kind]] === object.name;
    // Another object's response says nothing of this one, which is found by its name when the probe cleans up.
    if (!hasName(response.body)) throw new NoAnswer("a creation's response lacked the name that was sent");
    const id = idIn(response.body) ?? idIn((await this.wire.all(path)).find(hasName));
    if (id === undefined) return { ...response, entity: response.body, object: undefined };
    this.ledger.note({ ...object, id });
    return { ...response, entity: response.body, object: { ...object, id } };
  }

  /** Creates an object that questions need. @throws if it is refused */
  async make(
    kind: ObjectKind,
    label: string,
    body: (name: string) => object,
    cluster?: string,
  ): Promise<Own & { readonly entity: Entity }> {
    const made = await this.create(kind, label, body, cluster);
    const { object, entity } = made;
    if (object?.id === undefined || entity === undefined) throw new Error(unexpected(made));
    return { ...object, id: object.id, entity };
  }

  /** Notes, before the request, that an object gets another name. @returns the name */
  rename({ kind, id }: Own, label: string): string {
    const name = this.ledger.name(label);
    this.ledger.note({ kind, name, id });
    return name;
  }

  /** Sends a change or the deletion of an object of the probe. @param verb after its path, as `/pause_dispatch` */
  async write(
    method: "PUT" | "PATCH" | "POST" | "DELETE",
    { kind, name, id, cluster }: Own,
    body?: object,
    verb?: string,
  ): Promise<WireResponse> {
    const object = { kind, name, id, cluster };
    const response = await writeOwn(this.wire, this.ledger, object, method, { body, verb });
    if (response === undefined) throw new NoAnswer("an object of the probe is gone");
    return response;
  }

  /** Changes an object of the probe. @throws if it is refused, or the response is another object's */
  async change(method: "PUT" | "PATCH" | "POST", own: Own, body?: object, verb?: string): Promise<Entity> {
    const response = await this.write(method, own, body, verb);
    if (response.status >= 300 || !isObject(response.body)) throw new Error(unexpected(response));
    if ((idIn(response.body) ?? own.id) !== own.id) throw new NoAnswer("a response was another object's");
    return response.body;
  }

  async read({ kind, name, id, cluster }: Own): Promise<Entity> {
    const entity = await find(this.wire, { kind, name, id, cluster });
    if (entity === undefined) throw new NoAnswer("an object of the probe is gone");
    return entity;
  }
}

export type Own = OwnObject & { readonly id: string };

/** Makes work that several questions need, and that each probe does once. */
export function once<Result>(
  work: (service: Service) => Promise<Result>,
): (service: Service) => Promise<Result> {
  const results = new WeakMap<Service, Promise<Result>>();
  return (service) => {
    const result = results.get(service) ?? work(service);
    results.set(service, result);
    return result;
  };
}

/** Checks whether the service refused a value, and did not merely fail. */
export const isRefused = ({ status }: WireResponse) => status === 400 || status === 422;
