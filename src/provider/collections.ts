import type { Address, AnyKind, Context } from "../resources/kind.js";
import { kindNamed } from "./kinds.js";

/** How long a list stands for the truth when it is asked again. */
const LIFETIME_MS = 5_000;
/** How long a read waits for a second one in its collection, which makes a list cheaper than single reads. */
const COMPANY_MS = 10;

/** Time, as the collections need it. */
export interface Time {
  now(): number;
  pause(milliseconds: number): Promise<void>;
}

/** Which list: of a kind, in a place, of an organization. */
export interface Where {
  readonly organization: string;
  readonly kind: AnyKind;
  readonly parent: string;
}

interface Listed {
  readonly entities: Promise<object[]>;
  readAt?: number;
  /** It was asked for several reads, so it may serve more of them. */
  servesReads?: true;
}

/**
 * The lists of the service that the resources of one process share.
 *
 * A list is asked once for all who want it at the same time, and stands for a few seconds. A write makes every list of
 * its collection unusable that was begun before the write ended.
 */
export class Collections {
  readonly #time: Time;
  readonly #lists = new Map<string, Listed>();
  readonly #waiting = new Map<string, { company: boolean }>();

  constructor(time: Time) {
    this.#time = time;
  }

  /** All objects of a kind in a place. */
  async list(context: Context, where: Where): Promise<object[]> {
    const { exists } = where.kind;
    const entities = await this.#listed(context, where);
    return exists === undefined ? entities : entities.filter((entity) => exists(entity));
  }

  /**
   * One object: a read of its own when it is the only one that is wanted in its collection, and the shared list where
   * several are. What a list lacks is read singly, because pages shift under the reader.
   */
  async read(context: Context, where: Where, address: Address): Promise<object | undefined> {
    if (await this.#inCompany(keyOf(where))) {
      const listing = this.list(context, where).catch(() => []);
      const listed = this.#lists.get(keyOf(where));
      if (listed !== undefined) listed.servesReads = true;
      const entities = await listing;
      const found = entities.find((entity) => where.kind.identify(entity) === address.id);
      if (found !== undefined) return found;
    }
    return this.get(context, where, address);
  }

  /** One object, by a read of its own. Undefined when it is there and does not count as one of the kind. */
  async get(context: Context, { kind }: Where, address: Address): Promise<object | undefined> {
    const entity = await kind.calls.get(context, address);
    return entity === undefined || kind.exists?.(entity) === false ? undefined : entity;
  }

  /** Forgets a list that is no longer believed. */
  forget(where: Where): void {
    this.#lists.delete(keyOf(where));
  }

  /** Does a write, even one that fails: lists begun before its end no longer tell the truth. */
  async writing<Result>(where: Where, write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } finally {
      this.#lists.delete(keyOf(where));
    }
  }

  /** Does a deletion, which may take other objects along. */
  async deleting<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } finally {
      this.#lists.clear();
    }
  }

  async #listed(context: Context, where: Where): Promise<object[]> {
    const key = keyOf(where);
    const known = this.#usable(key);
    if (known !== undefined) {
      const entities = await known.entities;
      // Something was written while it was on its way.
      return this.#lists.get(key) === known ? entities : this.#listed(context, where);
    }
    const { kind } = where;
    const { calls } = listKindOf(kind);
    if (calls.list === undefined) throw new Error(`${kind.name}: there is no list of ${kind.noun}s.`);
    const listed: Listed = { entities: calls.list(context, { parent: where.parent }) };
    this.#lists.set(key, listed);
    listed.entities.then(
      () => {
        listed.readAt = this.#time.now();
      },
      () => {
        if (this.#lists.get(key) === listed) this.#lists.delete(key);
      },
    );
    const entities = await listed.entities;
    return this.#lists.get(key) === listed ? entities : this.#listed(context, where);
  }

  /** A list that is on its way, however long that takes, or was read a moment ago. */
  #usable(key: string): Listed | undefined {
    const listed = this.#lists.get(key);
    if (listed?.readAt === undefined) return listed;
    return this.#time.now() - listed.readAt < LIFETIME_MS ? listed : undefined;
  }

  /** Whether somebody else wants something of the same list at the same time. */
  async #inCompany(key: string): Promise<boolean> {
    if (this.#usable(key)?.servesReads) return true;
    const other = this.#waiting.get(key);
    if (other !== undefined) {
      other.company = true;
      return true;
    }
    const first = { company: false };
    this.#waiting.set(key, first);
    await this.#time.pause(COMPANY_MS);
    this.#waiting.delete(key);
    return first.company;
  }
}

/** The kind whose list has the objects of a kind. */
function listKindOf(kind: AnyKind): AnyKind {
  return (kind.listedWith === undefined ? undefined : kindNamed(kind.listedWith)) ?? kind;
}

function keyOf({ organization, kind, parent }: Where): string {
  const { name, parent: listParent } = listKindOf(kind);
  return `${organization}/${name}/${listParent === undefined ? "" : parent}`;
}
