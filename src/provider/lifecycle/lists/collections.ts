import { cameInOnePage } from "../../../client/api/list.js";
import { MOST_READS, readUntilSteady } from "../../../client/api/steady.js";
import type { Context } from "../../kind/calls.js";
import type { AnyKind } from "../../kind/kind.js";
import { sameArgument } from "../values/codec.js";
import { kindNamed, parentKindOf } from "../values/kinds.js";
import type { ResourceRef, Where } from "../values/state.js";

const LIFETIME_MS = 5_000;
/**
 * Longest age of a list that serves the reads of a refresh. Also the time after a read in which another one belongs to
 * the same refresh. Waits for the rate limit don't count.
 */
const REFRESH_MS = 10_000;
/** The time for which the first read of a refresh waits for a second one: then a list is cheaper than single reads. */
const COMPANY_MS = 10;

export interface Time {
  now(): number;
  /** Milliseconds so far that were no wait for the service's rate limit. */
  worked(): number;
  pause(milliseconds: number): Promise<void>;
}

/** A list that was asked for. */
interface Listed {
  readonly entities: Promise<object[]>;
  readonly askedAt: number;
  readonly serial: number;
  readAt?: number;
  /** When it was asked for reads, which it serves until it is too old. */
  forReadsAt?: number;
}

interface ReadList {
  readonly entities: object[];
  readonly serial: number;
}

/** Reads of a kind that follow each other, as a refresh makes them: each object once. */
interface Refresh {
  readonly objects: Set<string>;
  lastReadAt: number;
}

/**
 * The lists of the service that the resources of one process share.
 *
 * A list is asked once for all who want it at the same time, and stands for a few seconds. A write makes every list of
 * its collection unusable that was begun before the write ended.
 */
export class Collections {
  readonly #time: Time;
  readonly #contextOf: (organization: string) => Context;
  readonly #lists = new Map<string, Listed>();
  readonly #refreshes = new Map<string, Refresh>();
  #begun = 0;

  /** @param contextOf returns what requests to an organization need */
  constructor(time: Time, contextOf: (organization: string) => Context) {
    this.#time = time;
    this.#contextOf = contextOf;
  }

  /**
   * Returns all objects of a kind in a place, from a list that is shared for some seconds.
   *
   * @param since a list that was asked for earlier is too old
   */
  async list(where: Where, since = Number.NEGATIVE_INFINITY): Promise<object[]> {
    const isNew = ({ askedAt }: Listed) => askedAt >= since;
    return ofKind(where.kind, (await this.#listed(where, isNew)).entities);
  }

  /**
   * Looks for an object in a list, to confirm that it is missing. A list that has it is read again, because it may be
   * some seconds old. A list of several pages lacks an object also if the pages shift while they are read, so two reads
   * in a row must agree.
   *
   * @throws when they never do
   */
  async search(where: Where, matches: (entity: object) => boolean): Promise<object | undefined> {
    const { identify, words } = listKindOf(where.kind);
    const find = ({ entities }: ReadList) => ofKind(where.kind, entities).find(matches);
    const after = (earlier: ReadList) => this.#listed(where, ({ serial }) => serial > earlier.serial);
    let first = await this.#listed(where);
    if (find(first) !== undefined) first = await after(first);
    const { read, isSteady } = await readUntilSteady(first, after, {
      isEnough: (one) => find(one) !== undefined || cameInOnePage(one.entities),
      ids: ({ entities }) => entities.map((entity) => identify(entity)),
    });
    if (isSteady) return find(read);
    throw new Error(
      `The list of ${words.noun}s changed during each of ${MOST_READS} reads. Run the command again.`,
    );
  }

  /**
   * Returns one object, for a refresh. A single object of its kind costs one read. Several come from the shared list of
   * their place. Objects that the list lacks are read one by one, because pages shift.
   */
  async read(ref: ResourceRef): Promise<object | undefined> {
    if (await this.#joinRefresh(ref)) {
      const entities = await this.#listedForReads(ref).catch(() => []);
      const found = entities.find((entity) => ref.kind.identify(entity) === ref.id);
      if (found !== undefined) return found;
    }
    return this.get(ref);
  }

  /** Reads one object. Undefined if it exists but doesn't count as one of the kind. */
  async get(ref: ResourceRef): Promise<object | undefined> {
    const { organization, kind } = ref;
    const entity = await kind.calls.get(this.#contextOf(organization), ref);
    return entity === undefined || kind.exists?.(entity) === false ? undefined : entity;
  }

  /** Does a write, even one that fails: lists begun before its end are outdated. */
  async writing<Result>(where: Where, write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } finally {
      this.#lists.delete(listKeyOf(where));
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

  /** Returns a list that was read completely, and that is still valid. */
  async #listed(where: Where, isNew: (listed: Listed) => boolean = () => true): Promise<ReadList> {
    const key = listKeyOf(where);
    const known = this.#usable(key);
    const listed = known !== undefined && isNew(known) ? known : this.#begin(where, key);
    const entities = await listed.entities;
    // Something may have been written while it was on its way.
    if (this.#lists.get(key) !== listed) return this.#listed(where, isNew);
    return { entities, serial: listed.serial };
  }

  #begin({ organization, kind, parent }: Where, key: string): Listed {
    const { calls } = listKindOf(kind);
    if (calls.list === undefined) throw new Error(`${kind.name}: there is no list of ${kind.words.noun}s.`);
    const askedAt = this.#time.now();
    this.#begun += 1;
    const entities = calls.list(this.#contextOf(organization), { parent }).all();
    const listed: Listed = { entities, askedAt, serial: this.#begun };
    this.#lists.set(key, listed);
    listed.entities.then(
      () => {
        listed.readAt = this.#time.now();
      },
      () => {
        if (this.#lists.get(key) === listed) this.#lists.delete(key);
      },
    );
    return listed;
  }

  /** Returns a list that is on its way, however long that takes, or was read a moment ago. */
  #usable(key: string): Listed | undefined {
    const listed = this.#lists.get(key);
    if (listed?.readAt === undefined) return listed;
    return this.#time.now() - listed.readAt < LIFETIME_MS ? listed : undefined;
  }

  async #listedForReads(where: Where): Promise<object[]> {
    const key = listKeyOf(where);
    const known = this.#lists.get(key);
    const now = this.#time.worked();
    if (known?.forReadsAt !== undefined && now - known.forReadsAt < REFRESH_MS) {
      const entities = await known.entities;
      // Single reads find objects that were written while the list was on its way.
      return this.#lists.get(key) === known ? ofKind(where.kind, entities) : [];
    }
    this.#lists.delete(key);
    const listing = this.list(where);
    const listed = this.#lists.get(key);
    if (listed !== undefined) listed.forReadsAt = now;
    return listing;
  }

  /**
   * Adds a read to the refresh that it belongs to. The first read begins one and waits a moment for others. A repeated
   * read of an object needs fresh data, so it begins another refresh, without the lists of the earlier one.
   *
   * @returns whether the refresh reads other objects of the kind as well
   */
  async #joinRefresh(ref: ResourceRef): Promise<boolean> {
    const kindKey = kindKeyOf(ref);
    const object = `${ref.kind.name}/${ref.id}`;
    const now = this.#time.worked();
    const known = this.#refreshes.get(kindKey);
    if (known === undefined || known.objects.has(object) || now - known.lastReadAt >= REFRESH_MS) {
      for (const [key, { forReadsAt }] of this.#lists)
        if (forReadsAt !== undefined && key.startsWith(kindKey)) this.#lists.delete(key);
      const begun = { objects: new Set([object]), lastReadAt: now };
      this.#refreshes.set(kindKey, begun);
      await this.#time.pause(COMPANY_MS);
      return begun.objects.size > 1;
    }
    known.objects.add(object);
    known.lastReadAt = now;
    return true;
  }
}

function ofKind({ exists }: AnyKind, entities: object[]): object[] {
  return exists === undefined ? entities : entities.filter((entity) => exists(entity));
}

function listKindOf(kind: AnyKind): AnyKind {
  return (kind.listedWith === undefined ? undefined : kindNamed(kind.listedWith)) ?? kind;
}

function kindKeyOf({ organization, kind }: Where): string {
  return `${organization}/${listKindOf(kind).name}/`;
}

function listKeyOf(where: Where): string {
  return kindKeyOf(where) + (listKindOf(where.kind).parent === undefined ? "" : where.parent);
}

/**
 * Returns the list that has the object which a place is in. Undefined where a place is in the organization itself, and
 * where no single list has such objects, because they live in others.
 */
export function parentListOf({ organization, kind, parent }: Where) {
  const parentKind = parentKindOf(kind);
  if (parentKind === undefined || parentKind.parent !== undefined) return undefined;
  const isParent = (entity: object) =>
    sameArgument(kind, kind.parent?.argument ?? "", parentKind.identify(entity), parent);
  return { organization, kind: parentKind, parent: "", isParent };
}
