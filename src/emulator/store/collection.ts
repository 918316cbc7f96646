/** Every stored record has an id that never changes. */
export interface StoredRecord {
  readonly id: string;
}

/** One change to a collection: a record put (new or replaced), or an id removed. */
export type StoreChange =
  | { readonly put: string; readonly record: StoredRecord }
  | { readonly remove: string; readonly id: string };

/** Where a collection makes its changes. */
export interface ChangeLog {
  /** Runs work, and keeps all of its changes or none. */
  transaction<T>(work: () => T): T;
  /** Notes a change that was made, and how it is taken back. */
  add(change: StoreChange, undo: () => void): void;
}

/**
 * All data of the service, as collections of records. A change here is like a colleague's change in the web interface:
 * without the API's checks, and visible at once. `sections.ts` adds the collections to this interface.
 *
 * @example emulator.organizationData.clusters.update(id, { description: "changed by hand" });
 *   emulator.organizationData.queues.delete(queueId);
 */
// biome-ignore lint/suspicious/noEmptyInterface: sections.ts adds the collections, whose records need this interface.
export interface OrganizationData {}

export type RecordIn<Name extends keyof OrganizationData> =
  OrganizationData[Name] extends Collection<infer Kept> ? Kept : never;

/** The changes of an update: a field that is left out, or undefined, stays as it is. */
export type FieldChanges<T> = { readonly [Field in Exclude<keyof T, "id">]?: T[Field] | undefined };

/**
 * The records of one kind, by id and in the order they were made.
 *
 * Records are never changed in place: an update puts a new object, so a record that was read earlier stays
 * as it was.
 *
 * @example
 * const queue = emulator.organizationData.queues.list("cluster_id", clusterId)[0];
 * emulator.organizationData.queues.update(queue.id, { description: "changed by a colleague" });
 */
export class Collection<T extends StoredRecord> {
  /** @internal */
  records = new Map<string, T>();
  readonly #log: ChangeLog;
  readonly #beforeDelete: (record: T) => void;

  /** @internal */
  constructor(
    readonly name: string,
    log: ChangeLog,
    beforeDelete: (record: T) => void,
  ) {
    this.#log = log;
    this.#beforeDelete = beforeDelete;
  }

  /** How many records there are. */
  get size(): number {
    return this.records.size;
  }

  /** Returns the record with this id, or undefined. */
  get(id: string): T | undefined {
    return this.records.get(id);
  }

  /** Returns all records, oldest first, or those with this value of a field. */
  list(): T[];
  list<Field extends keyof T>(field: Field, value: T[Field]): T[];
  list(field?: keyof T, value?: unknown): T[] {
    const all = this.records.values();
    return [...(field === undefined ? all : all.filter((record) => record[field] === value))];
  }

  /** Returns the first record with this value of a field, or undefined. */
  find<Field extends keyof T>(field: Field, value: T[Field]): T | undefined {
    return this.records.values().find((record) => record[field] === value);
  }

  /** How many records have this value in the field. */
  count<Field extends keyof T>(field: Field, value: T[Field]): number {
    return this.list(field, value).length;
  }

  /** Adds a record. @throws when its id is taken. */
  insert(record: T): T {
    if (this.records.has(record.id)) throw new Error(`${this.name} has a record ${record.id} already`);
    return this.#put(record);
  }

  /** Changes fields of a record and returns the new record. @throws when there is no such record. */
  update(id: string, fields: FieldChanges<T>): T {
    const record = this.records.get(id);
    if (record === undefined) throw new Error(`${this.name} has no record ${id}`);
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    return this.#put({ ...record, ...Object.fromEntries(given) });
  }

  /** Removes a record and what belongs to it. Returns false when there is no such record. */
  delete(id: string): boolean {
    const record = this.records.get(id);
    if (record === undefined) return false;
    this.#log.transaction(() => {
      this.#beforeDelete(record);
      const before = [...this.records.keys()];
      this.records.delete(id);
      this.#log.add({ remove: this.name, id }, () => {
        // The record gets its place in the order back.
        this.records = new Map(before.map((kept) => [kept, this.records.get(kept) ?? record]));
      });
    });
    return true;
  }

  #put(record: T): T {
    const before = this.records.get(record.id);
    return this.#log.transaction(() => {
      this.records.set(record.id, record);
      this.#log.add({ put: this.name, record }, () => {
        if (before === undefined) this.records.delete(record.id);
        else this.records.set(record.id, before);
      });
      return record;
    });
  }
}
