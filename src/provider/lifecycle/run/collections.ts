import {
  type BegunList,
  begunList,
  neverSteady,
  readUntilSteady,
  type WholeList,
} from "../../../client/api/list.js";
import { isUnknown } from "../../../shared/protocol/encoded-values.js";
import { identityOf, isSameObject } from "../../../shared/protocol/identity.js";
import type { Context } from "../../kind/behavior.js";
import type { AnyKind } from "../../kind/kind.js";
import { decode, sameArgument } from "../values/codec.js";
import { listKindOf, parentKindOf } from "../values/kinds.js";
import { idIn, placeKeyOf, type ResourceRef, type Where } from "../values/state.js";
import type { RunRecord } from "./memory.js";
import { SETTLED_MS } from "./recent-objects.js";

const LIFETIME_MS = 5_000;
/**
 * Longest age of a list that serves the reads of a refresh, for each page of the refresh's lists of that kind: so reading
 * them again costs at most a page in this time. Also the time after a read in which another one belongs to the same
 * refresh. Waits for the rate limit don't count.
 */
const REFRESH_MS = 10_000;
/** The time for which the first read of a refresh waits for a second one: then a list is cheaper than single reads. */
const COMPANY_MS = 10;

interface Listed {
  readonly read: Promise<WholeList<object>>;
  readonly askedAt: number;
  readonly workedAt: number;
  /** Undefined while it is on its way, as the number of its pages is. */
  readAt?: number;
  pages?: number;
}

/** A list of which only the first page was read so far, because single reads may be enough. */
interface Begun extends Pick<Listed, "askedAt" | "workedAt"> {
  readonly list: BegunList<object>;
}

/** A refresh has more reads than have come so far: how many times as many, so that a list is begun in time. */
const MORE_COME = 2;
/** Look-ups before creations that any list is worth. Further ones must cost less than the list. */
const FEW_LOOKS = 5;

/** Reads of a kind that follow each other, as a refresh makes them: each object once. */
interface Refresh {
  readonly objects: Set<string>;
  readonly lists: Map<string, Listed>;
  /** Lists that may not be worth reading, each with the number of reads that could do with it. */
  readonly begun: Map<string, Begun & { readonly reads: number }>;
  lastReadAt: number;
}

type InitialList = { readonly entities?: readonly object[]; readonly failure?: unknown };

const NONE: ReadonlySet<string> = new Set();

/**
 * The lists of the service that the resources of one process share.
 *
 * A list is asked once for all who want it at the same time, and stands for a few seconds. A write makes every list of
 * its collection unusable that was begun before the write ended.
 */
export class Collections {
  readonly #lists = new Map<string, Listed>();
  readonly #initialLists = new Map<string, Promise<InitialList>>();
  readonly #idsBefore = new Map<string, ReadonlySet<string>>();
  readonly #refreshes = new Map<string, Refresh>();
  /** Lists that were begun before a creation, to learn how long they are. */
  readonly #begun = new Map<string, Begun>();
  /** What the look-ups before creations have cost, and what they may. */
  readonly #looks = new Map<string, { spent: number; readonly pages: number }>();

  readonly #lateLooks = new Map<string, Promise<object[] | undefined>>();

  /** @param time `worked` returns the milliseconds so far that were no wait for the service's rate limit */
  constructor(
    private readonly contextOf: (organization: string) => Context,
    private readonly run: RunRecord,
    private readonly time: { now(): number; worked(): number; pause(milliseconds: number): Promise<void> },
  ) {}

  /** Uses a list that is shared for some seconds, if it was asked for at `since` or later. */
  async list(where: Where, since = Number.NEGATIVE_INFINITY): Promise<object[]> {
    const { read } = await this.#current(where, ({ askedAt }) => askedAt >= since);
    return ofKind(where.kind, (await read).items);
  }

  /**
   * Returns the objects that were in a place before this process created any there, from one list for the life of the
   * process. A place that this process created was empty.
   */
  initialList(where: Where, read = () => this.#listFor(where)): Promise<InitialList> {
    if (this.#isNew(where)) return Promise.resolve({ entities: [] });
    const key = initialKeyOf(where);
    let list = this.#initialLists.get(key);
    if (list === undefined) {
      list = read().then(
        (entities) => {
          this.#idsBefore.set(key, new Set(entities.map((entity) => idIn(where, entity))));
          return { entities };
        },
        (failure: unknown) => ({ failure }),
      );
      this.#initialLists.set(key, list);
    }
    return list;
  }

  /**
   * Lists once more, after a wait, for all who name an id that a list lacked: another stack may have made it just now.
   * Previews wait as well, because `up` begins with one.
   *
   * @param say announces the wait of so many seconds
   */
  lookLater(where: Where, id: string, say: (seconds: number) => void): Promise<object[] | undefined> {
    const key = `${listKeyOf(where)} ${identityOf(id)}`;
    const list = () => this.list(where, this.time.now()).catch(() => undefined);
    let look = this.#lateLooks.get(key);
    if (look === undefined) {
      say(SETTLED_MS / 1000);
      look = this.time.pause(SETTLED_MS).then(list);
      this.#lateLooks.set(key, look);
    }
    return look;
  }

  async knownInitialList(where: Where): Promise<readonly object[] | undefined> {
    if (this.#isNew(where)) return [];
    return (await this.#initialLists.get(initialKeyOf(where)))?.entities;
  }

  /** Returns the ids of the objects in {@link initialList}, once that was read. */
  idsBefore(where: Where): ReadonlySet<string> | undefined {
    return this.#isNew(where) ? NONE : this.#idsBefore.get(initialKeyOf(where));
  }

  /** Narrows a place to what has the name of a new object, as long as such lists cost less than the whole one. */
  async narrowed(where: Where, name: unknown): Promise<Where> {
    const known = this.knownPlace(where, name);
    if (known !== where || this.#initialLists.has(initialKeyOf(where))) return known;
    if (where.kind.behavior.narrows === undefined || typeof name !== "string" || isUnknown(name))
      return where;
    const key = listKeyOf(where);
    const { pages } = this.#looks.get(key) ?? (await this.#pagesOf(where, key));
    if (!this.#looks.has(key)) this.#looks.set(key, { spent: 0, pages });
    return pages > FEW_LOOKS && this.mayLook(where) ? { ...where, named: name } : where;
  }

  #pagesOf(where: Where, key: string): Promise<{ readonly pages: number }> {
    const begun = this.#begun.get(key) ?? this.#ask(where);
    this.#begun.set(key, begun);
    // The list itself then shows the failure.
    return begun.list.first.catch(() => ({ pages: 0 }));
  }

  /** Returns the place as it was narrowed for an object of this name. */
  knownPlace(where: Where, name: unknown): Where {
    const narrow = { ...where, named: String(name) };
    return this.#initialLists.has(initialKeyOf(narrow)) ? narrow : where;
  }

  /**
   * Counts a request that looks for what may hinder a creation.
   * @returns false if the list would cost no more than all of them
   */
  mayLook(where: Where): boolean {
    const looks = this.#looks.get(listKeyOf(where));
    if (looks === undefined) return true;
    looks.spent += 1;
    return looks.spent <= Math.max(looks.pages, FEW_LOOKS);
  }

  #listFor(where: Where): Promise<object[]> {
    return where.named === undefined ? this.list(where) : this.#listNamed(where, where.named);
  }

  /** Reads what has a name. A service that ignores the filter returns everything, which then serves all. */
  async #listNamed(where: Where, name: string): Promise<object[]> {
    const items = ofKind(where.kind, (await this.#ask(where).list.read()).items);
    const { label = "" } = where.kind.words;
    const hasName = (entity: object) =>
      String(decode(where.kind, entity)[label]).toLowerCase().includes(name.toLowerCase());
    if (!items.every(hasName)) void this.initialList({ ...where, named: undefined }, async () => items);
    return items;
  }

  #isNew({ organization, kind, parent }: Where): boolean {
    const above = parentKindOf(kind);
    return (
      above !== undefined &&
      kind.comesWith === undefined &&
      this.run.of({ organization, kind: above, id: parent }).written === "created"
    );
  }

  /**
   * Looks for an object in a list, to confirm that it is missing. A list that has it is read again, because it may be
   * some seconds old. A list of several pages lacks an object also if the pages shift while they are read, so two reads
   * in a row must agree.
   *
   * @param since lists that were asked for earlier may not show it yet
   */
  async search(
    where: Where,
    matches: (entity: object) => boolean,
    since = Number.NEGATIVE_INFINITY,
  ): Promise<object | undefined> {
    const { words } = listKindOf(where.kind);
    const find = ({ items }: WholeList<object>) => ofKind(where.kind, items).find(matches);
    let used: Listed | undefined;
    const next = async () => {
      used = await this.#current(where, (listed) => listed !== used && listed.askedAt >= since);
      return used.read;
    };
    let first = await next();
    if (find(first) !== undefined) first = await next();
    const { read, isSteady } = await readUntilSteady(
      first,
      next,
      (list) => list.pages === 1 || find(list) !== undefined,
      ({ items }) => items.map((entity) => idIn(where, entity)),
    );
    if (isSteady) return find(read);
    throw neverSteady(words.noun);
  }

  /**
   * Returns one object, for a refresh. The first read of a kind waits a moment for others: a single object costs one
   * read, and several come from the shared list of their place. Objects that the list lacks are read one by one, because
   * pages shift. A repeated read of an object needs fresh data, so it begins another refresh, with lists of its own.
   */
  async read(ref: ResourceRef): Promise<object | undefined> {
    const object = `${ref.kind.name}/${ref.id}`;
    const now = this.time.worked();
    let refresh = this.#refreshes.get(kindKeyOf(ref));
    if (refresh === undefined || refresh.objects.has(object) || now - refresh.lastReadAt >= REFRESH_MS) {
      refresh = { objects: new Set(), lists: new Map(), begun: new Map(), lastReadAt: now };
      this.#refreshes.set(kindKeyOf(ref), refresh);
    }
    refresh.objects.add(object);
    refresh.lastReadAt = now;
    try {
      return await this.#readIn(refresh, ref);
    } finally {
      // The engine asks for no further objects while all its reads wait for a list.
      refresh.lastReadAt = this.time.worked();
    }
  }

  async #readIn(refresh: Refresh, ref: ResourceRef): Promise<object | undefined> {
    if (refresh.objects.size === 1) await this.time.pause(COMPANY_MS);
    if (refresh.objects.size > 1) {
      const entities = await this.#listedFor(refresh, ref).catch(() => []);
      const found = entities.find((entity) => isSameObject(idIn(ref, entity), ref.id));
      if (found !== undefined) return found;
    }
    return this.get(ref);
  }

  /** Reads one object. Undefined if it exists but doesn't count as one of the kind. */
  async get(ref: ResourceRef): Promise<object | undefined> {
    const { organization, kind } = ref;
    const entity = await kind.behavior.get(this.contextOf(organization), ref);
    return entity === undefined || kind.view?.exists(entity) === false ? undefined : entity;
  }

  /** Does a write, even one that fails: lists begun before its end are outdated. */
  async writing<Result>(where: Where, write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } finally {
      for (const lists of this.#allLists()) lists.delete(listKeyOf(where));
    }
  }

  /** Does a deletion, which may take other objects along. */
  async deleting<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } finally {
      for (const lists of this.#allLists()) lists.clear();
    }
  }

  #allLists(): readonly Map<string, object>[] {
    return [this.#lists, this.#begun, ...this.#refreshes.values().map(({ begun }) => begun)];
  }

  /**
   * Returns a list that was read completely, and that is still valid: one on its way, however long that takes, one that
   * was read a moment ago, or a new one.
   */
  async #current(where: Where, isFit: (listed: Pick<Listed, "askedAt">) => boolean): Promise<Listed> {
    const key = listKeyOf(where);
    const isRecent = (at: number) => this.time.now() - at < LIFETIME_MS;
    for (;;) {
      const known = this.#lists.get(key);
      const isValid = known !== undefined && (known.readAt === undefined || isRecent(known.readAt));
      const begun = this.#begun.get(key);
      const own = begun !== undefined && isRecent(begun.askedAt) && isFit(begun) ? begun : undefined;
      const listed = isValid && isFit(known) ? known : this.#readOn(own ?? this.#ask(where), key);
      await listed.read;
      // Something may have been written while it was on its way.
      if (this.#lists.get(key) === listed) return listed;
    }
  }

  /**
   * Returns the list of a refresh, or its first page while single reads cost less than the rest; nothing if it was written to
   * while the list was on its way.
   */
  async #listedFor({ lists, begun }: Refresh, where: Where): Promise<object[]> {
    const key = listKeyOf(where);
    const pages = () => lists.values().reduce((sum, { pages = 0 }) => sum + pages, 0);
    const isFresh = ({ workedAt }: Begun | Listed, maxAge: number) => this.time.worked() - workedAt < maxAge;
    const current = () => {
      const listed = lists.get(key);
      if (listed === undefined || listed !== this.#lists.get(key)) return undefined;
      const isUsable = listed.readAt === undefined || isFresh(listed, REFRESH_MS * pages());
      return isUsable ? listed : undefined;
    };
    let own = current();
    if (own === undefined) {
      const known = begun.get(key);
      const first = {
        ...(known && isFresh(known, REFRESH_MS) ? known : this.#ask(where)),
        reads: (known?.reads ?? 0) + 1,
      };
      begun.set(key, first);
      const { items, pages } = await first.list.first;
      own = current();
      if (own === undefined) {
        const { reads, list } = begun.get(key) ?? {};
        // Something was written while the page was on its way.
        if (reads === undefined || list !== first.list) return [];
        if (reads * MORE_COME < pages) return ofKind(where.kind, items);
        own = this.#readOn(first, key);
        begun.delete(key);
        lists.set(key, own);
      }
    }
    const { items } = await own.read;
    return this.#lists.get(key) === own ? ofKind(where.kind, items) : [];
  }

  #ask({ organization, kind, parent, known, named }: Where & Partial<ResourceRef>): Begun {
    const { behavior, identify } = listKindOf(kind);
    if (behavior.list === undefined)
      throw new Error(`${kind.name}: there is no list of ${kind.words.noun}s.`);
    const place = { parent, named, ...(known && { known }) };
    const list = begunList(behavior.list(this.contextOf(organization), place), identify);
    return { list, askedAt: this.time.now(), workedAt: this.time.worked() };
  }

  /** Reads the other pages of a list. */
  #readOn({ list, askedAt, workedAt }: Begun, key: string): Listed {
    this.#begun.delete(key);
    const listed: Listed = { read: list.read(), askedAt, workedAt };
    this.#lists.set(key, listed);
    listed.read.then(
      ({ pages }) => {
        Object.assign(listed, { readAt: this.time.now(), pages });
      },
      () => {
        if (this.#lists.get(key) === listed) this.#lists.delete(key);
      },
    );
    return listed;
  }
}

function ofKind({ view }: AnyKind, entities: readonly object[]): object[] {
  return view === undefined ? [...entities] : entities.filter((entity) => view.exists(entity));
}

function kindKeyOf({ organization, kind }: Where): string {
  return `${organization}/${listKindOf(kind).name}/`;
}

function initialKeyOf(where: Where): string {
  return `${placeKeyOf(where)}/${where.named ?? ""}`;
}

function listKeyOf(where: Where): string {
  return kindKeyOf(where) + (listKindOf(where.kind).parent === undefined ? "" : where.parent);
}

/** Undefined where a place is in the organization itself, or in an object that no single list has. */
export function parentListOf({ organization, kind, parent }: Where) {
  const parentKind = parentKindOf(kind);
  if (parentKind === undefined || parentKind.parent !== undefined) return undefined;
  const isParent = (entity: object) =>
    sameArgument(kind, kind.parent?.argument ?? "", parentKind.identify(entity), parent);
  return { organization, kind: parentKind, parent: "", isParent };
}
