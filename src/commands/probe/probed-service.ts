import { NoAnswer } from "./answer.js";
import { idIn, LABELS, listOf } from "./clean.js";
import type { Ledger, ObjectKind } from "./ledger.js";
import { type Entity, isObject, unexpected, type Wire, type WireResponse } from "./wire.js";

/** What a creation returned, and the id of what it made. */
export interface Creation extends WireResponse {
  readonly id: string | undefined;
  readonly entity: Entity;
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

  /** The ledger of a probe that writes. */
  get ledger(): Ledger {
    if (this.#ledger === undefined) throw new NoAnswer("needs --write");
    return this.#ledger;
  }

  /** True if the probe may make objects. */
  get writes(): boolean {
    return this.#ledger !== undefined;
  }

  at(path: string): string {
    return `/organizations/${this.wire.organization}${path}`;
  }

  /** Reads what is at a path of the organization. */
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
      return { ...response, id: undefined, entity: {} };
    }
    const entity = isObject(response.body) ? response.body : {};
    const hasName = (one: Entity) => one[LABELS[kind]] === object.name;
    const id = idIn(entity) ?? idIn((await this.wire.all(path)).find(hasName));
    if (id !== undefined) this.ledger.note({ ...object, id });
    return { ...response, id, entity };
  }

  /** Creates an object that questions need. @throws if it is refused */
  async make(kind: ObjectKind, label: string, body: (name: string) => object, cluster?: string) {
    const { id, ...made } = await this.create(kind, label, body, cluster);
    if (id === undefined) throw new Error(unexpected(made));
    return { id, entity: made.entity };
  }

  /** Notes, before the request, that an object gets another name. @returns the name */
  rename(kind: ObjectKind, id: string, label: string): string {
    const name = this.ledger.name(label);
    this.ledger.note({ kind, name, id });
    return name;
  }

  /** Changes an object of the probe. @throws if it is refused */
  async change(method: "PUT" | "PATCH" | "POST", path: string, body?: object): Promise<Entity> {
    const response = await this.wire.write(method, path, body);
    if (response.status >= 300 || !isObject(response.body)) throw new Error(unexpected(response));
    return response.body;
  }

  async read(path: string): Promise<Entity> {
    const response = await this.wire.get(path);
    if (response.status !== 200 || !isObject(response.body)) throw new Error(unexpected(response));
    return response.body;
  }
}

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
