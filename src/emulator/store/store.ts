import type { Change, Collection, StoredRecord } from "./collection.js";
import type { Journal } from "./journal.js";
import { collectionsOf, emptyOrganizationData, type OrganizationData } from "./organization-data.js";

/** The whole state at one moment. Opaque; survives `structuredClone` and JSON. */
export interface Snapshot {
  readonly changes: readonly Change[];
}

/** The collections together with their file: changes of one transaction are kept all or not at all. */
export class Store {
  readonly data: OrganizationData;
  readonly #collections: ReadonlyMap<string, Collection<StoredRecord>>;
  readonly #journal: Journal | undefined;
  #pending: Change[] = [];
  #depth = 0;
  #closed = false;

  constructor(journal?: Journal) {
    this.#journal = journal;
    this.data = emptyOrganizationData((change) => {
      if (this.#closed) throw new Error("The emulator is closed: its data can no longer be changed.");
      this.#pending.push(change);
      if (this.#depth === 0) this.#commit();
    });
    this.#collections = new Map(collectionsOf(this.data).map((collection) => [collection.name, collection]));
  }

  /** Runs work whose changes belong together; they are in the file when this returns. */
  transaction<T>(work: () => T): T {
    this.#depth += 1;
    let result: T;
    try {
      result = work();
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#commit();
    }
    return result;
  }

  /** The present state. */
  snapshot(): Snapshot {
    const changes: Change[] = [];
    for (const [name, collection] of this.#collections) {
      for (const record of collection.list()) changes.push({ put: name, record });
    }
    return { changes };
  }

  /** Makes a former state the present one, in the file too. */
  restore(snapshot: Snapshot): void {
    for (const collection of this.#collections.values()) collection.clear();
    this.replay(snapshot.changes);
    this.#pending = [];
    this.#keep(() => this.#journal?.compact(this.snapshot().changes));
  }

  /** Applies changes that are in the file already. */
  replay(changes: readonly Change[]): void {
    for (const change of changes) {
      const name = "put" in change ? change.put : change.remove;
      const collection = this.#collections.get(name);
      if (collection === undefined) throw new Error(`The data file has records of an unknown kind: ${name}.`);
      collection.apply(change);
    }
  }

  /** Closes the file. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#journal?.close();
  }

  #commit(): void {
    const changes = this.#pending;
    this.#pending = [];
    if (changes.length === 0) return;
    this.#keep(() => this.#journal?.append(changes));
    this.#journal?.compactIfGrown(() => this.snapshot().changes);
  }

  /** Writes to the file. When that fails, memory goes back to what the file has: it is what a restart would find. */
  #keep(write: () => void): void {
    try {
      write();
    } catch (error) {
      for (const collection of this.#collections.values()) collection.clear();
      for (const transaction of this.#journal?.read() ?? []) this.replay(transaction);
      throw error;
    }
  }
}
