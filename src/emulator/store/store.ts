import {
  type Change,
  type ChangeLog,
  Collection,
  type CollectionSettings,
  type StoredRecord,
} from "./collection.js";
import type { DataFile } from "./data-file.js";
import type { Collections, OrganizationData } from "./organization-data.js";

/** All that is remembered at one moment. Opaque; survives `structuredClone` and JSON. */
export interface Snapshot {
  readonly changes: readonly Change[];
}

/** The collections together with their file: changes of one transaction are kept all or not at all. */
export class Store {
  readonly data: OrganizationData;
  readonly #collections = new Map<string, Collection<StoredRecord>>();
  readonly #file: DataFile | undefined;
  #made: { readonly change: Change; readonly undo: () => void }[] = [];
  #depth = 0;
  #closed = false;

  constructor(sections: readonly Collections[], file?: DataFile) {
    this.#file = file;
    const log: ChangeLog = {
      transaction: (work) => this.transaction(work),
      add: (change, undo) => this.#made.push({ change, undo }),
    };
    // A collection and its settings only get records of that collection, so its kind of record needn't be known here.
    type AnySettings = CollectionSettings<StoredRecord, OrganizationData>;
    for (const [name, settings] of sections.flatMap<[string, AnySettings]>(Object.entries)) {
      const beforeDelete = (record: StoredRecord) => settings.beforeDelete?.(record, this.data);
      this.#collections.set(name, new Collection(name, log, beforeDelete));
    }
    // The sections are typed one by one; together they have each collection of the interface.
    this.data = Object.fromEntries(this.#collections) as unknown as OrganizationData;
  }

  /**
   * Runs work with changes that belong together. They are in the file when this returns. If the work throws, its
   * changes are taken back, also within another transaction.
   */
  transaction<T>(work: () => T): T {
    if (this.#closed) throw new Error("The emulator is closed: its data can no longer be changed.");
    const before = this.#made.length;
    this.#depth += 1;
    try {
      const result = work();
      if (this.#depth === 1 && this.#made.length > 0) {
        this.#file?.write(this.#made.map(({ change }) => change));
        this.#made = [];
      }
      return result;
    } catch (error) {
      for (const { undo } of this.#made.splice(before).reverse()) undo();
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  /** Returns the present state. */
  snapshot(): Snapshot {
    const changes: Change[] = [];
    for (const [name, collection] of this.#collections) {
      for (const record of collection.list()) changes.push({ put: name, record });
    }
    return { changes };
  }

  /** Makes a former state the present one, in the file too. When it throws, the state is as before. */
  restore(snapshot: Snapshot): void {
    if (this.#closed) throw new Error("The emulator is closed: its data can no longer be changed.");
    const before = this.snapshot();
    try {
      this.#replaceBy(snapshot);
      this.#file?.replace(snapshot.changes);
    } catch (error) {
      this.#replaceBy(before);
      throw error;
    }
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
    this.#file?.close();
  }

  /** Closes the file, and removes it if this store created it. */
  discard(): void {
    this.#closed = true;
    this.#file?.discard();
  }

  #replaceBy(snapshot: Snapshot): void {
    for (const collection of this.#collections.values()) collection.clear();
    this.replay(snapshot.changes);
  }
}
