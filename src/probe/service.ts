import type { Answers, QuestionName } from "./answers.js";
import { idIn, LABELS, listOf } from "./clean.js";
import type { Ledger, ObjectKind } from "./ledger.js";
import { type Entity, isObject, unexpected, type Wire, type WireResponse } from "./wire.js";

/** A part of the probe that writes: what it makes, the questions that it answers, and its requests at most. */
export interface WritingPart {
  readonly makes: string;
  readonly names: readonly QuestionName[];
  readonly requests: number;
  run(service: Service, answers: Answers): Promise<void>;
}

/** The way of a probe's writes: each creation is in the ledger before it is sent. */
export class Service {
  constructor(
    readonly wire: Wire,
    readonly ledger: Ledger,
  ) {}

  at(path: string): string {
    return `/organizations/${this.wire.organization}${path}`;
  }

  /** Creates an object of the probe, or reports the refusal. */
  async create(
    kind: ObjectKind,
    label: string,
    body: (name: string) => object,
    cluster?: string,
  ): Promise<WireResponse & { readonly id?: string | undefined; readonly entity: Entity }> {
    const name = this.ledger.name(label);
    const path = listOf(this.wire, kind, cluster);
    this.ledger.intend({ kind, name, cluster });
    const response = await this.wire.write("POST", path, body(name));
    if (response.status >= 400) {
      this.ledger.gone(name);
      return { ...response, entity: {} };
    }
    const entity = isObject(response.body) ? response.body : {};
    const id = idIn(entity) ?? idIn((await this.wire.all(path)).find((one) => one[LABELS[kind]] === name));
    if (id !== undefined) this.ledger.made(name, id);
    return { ...response, id, entity };
  }

  /** Creates an object that the questions of a part need. @throws if it is refused */
  async make(kind: ObjectKind, label: string, body: (name: string) => object, cluster?: string) {
    const made = await this.create(kind, label, body, cluster);
    if (made.id === undefined) throw new Error(unexpected(made));
    return { id: made.id, entity: made.entity };
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

/** Checks whether the service refused a value, and did not merely fail. */
export const isRefused = ({ status }: WireResponse) => status === 400 || status === 422;
