import {
  type ChangeLog,
  Collection,
  type OrganizationData,
  type RecordIn,
  type StoreChange,
  type StoredRecord,
} from "./collection.js";
import type { DataFile } from "./data-file.js";

/** All that is remembered at one moment. Opaque; survives `structuredClone` and JSON. */
export interface Snapshot {
  readonly changes: readonly StoreChange[];
}

/** The collections, each with what it does before one of its records is removed: what belongs to it goes first. */
export type Collections = {
  readonly [Name in keyof OrganizationData]: (record: RecordIn<Name>, data: OrganizationData) => void;
};

/** The collections together with their file: changes of one transaction are kept all or not at all. */
export class Store {
  readonly data: OrganizationData;
  readonly #collections = new Map<string, Collection<StoredRecord>>();
  readonly #file: DataFile | undefined;
  /** Changes of the present transaction, without those of the transactions around it, and how each is taken back. */
  #made: { readonly change: StoreChange; readonly undo: () => void }[] | undefined;
  #closed = false;

  constructor(collections: Collections, file?: DataFile) {
    this.#file = file;
    const log: ChangeLog = {
      transaction: (work) => this.transaction(work),
      add: (change, undo) => this.#made?.push({ change, undo }),
    };
    // A function only gets records of its own collection, so their kind needn't be known here.
    type BeforeDelete = (record: StoredRecord, data: OrganizationData) => void;
    for (const [name, beforeDelete] of Object.entries<BeforeDelete>(Object(collections))) {
      const collection = new Collection<StoredRecord>(name, log, (record) => beforeDelete(record, this.data));
      this.#collections.set(name, collection);
    }
    // The names are those of the interface, because the names of `collections` are.
    this.data = Object.fromEntries(this.#collections) as unknown as OrganizationData;
  }

  /**
   * Runs work with changes that belong together. They are in the file when this returns. If the work throws, its
   * changes are taken back, also within another transaction.
   */
  transaction<T>(work: () => T): T {
    if (this.#closed) throw new Error("The emulator is closed: its data can no longer be changed.");
    const outer = this.#made;
    const made: NonNullable<typeof outer> = [];
    this.#made = made;
    try {
      const result = work();
      if (outer !== undefined) for (const one of made) outer.push(one);
      else if (made.length > 0) this.#file?.write(made.map(({ change }) => change));
      return result;
    } catch (error) {
      for (const { undo } of made.reverse()) undo();
      throw error;
    } finally {
      this.#made = outer;
    }
  }

  snapshot(): Snapshot {
    const changes = [...this.#collections].flatMap(([put, collection]) =>
      collection.list().map((record) => ({ put, record })),
    );
    return { changes };
  }

  /** Makes a former state the present one, in the file too. When it throws, the state is as before. */
  restore({ changes }: Snapshot): void {
    this.transaction(() => this.replay(changes, () => this.#file?.write(changes, true)));
  }

  /** Makes the state that changes lead to the present one, once they are kept: by default they are in the file already. */
  replay(changes: readonly StoreChange[], keep = () => {}): void {
    const states = new Map(
      [...this.#collections.keys()].map((name) => [name, new Map<string, StoredRecord>()]),
    );
    for (const change of changes) {
      const name = "put" in change ? change.put : change.remove;
      const records = states.get(name);
      if (records === undefined) throw new Error(`The data file has records of an unknown kind: ${name}.`);
      if ("put" in change) records.set(change.record.id, change.record);
      else records.delete(change.id);
    }
    keep();
    for (const [name, collection] of this.#collections) collection.records = states.get(name) ?? new Map();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#file?.close();
  }
}
