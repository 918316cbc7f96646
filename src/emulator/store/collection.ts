/** Every stored record has an id that never changes. */
export interface StoredRecord {
  readonly id: string;
}

/** One change to a collection: a record put (new or replaced), or an id removed. */
export type Change =
  | { readonly put: string; readonly record: StoredRecord }
  | { readonly remove: string; readonly id: string };

/** Where a collection makes its changes. */
export interface ChangeLog {
  /** Runs work, and keeps all of its changes or none. */
  transaction<T>(work: () => T): T;
  /** Notes a change that was made, and how it is taken back. */
  add(change: Change, undo: () => void): void;
}

/** Fields of a record with text or null: an index can have them. */
type IndexableField<T> = {
  [Field in keyof T & string]: T[Field] extends string | null ? Field : never;
}[keyof T & string];

/** Behavior of a collection, in addition to keeping records. */
export interface CollectionSettings<T, Data> {
  /** Fields by which records are found without looking at all of them. */
  readonly indexes?: readonly IndexableField<T>[];
  /** Runs before a record is removed: what belongs to it goes first. */
  readonly beforeDelete?: (record: T, data: Data) => void;
}

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
  readonly #records = new Map<string, T>();
  readonly #indexes = new Map<string, Map<string, Map<string, T>>>();
  /** A growing number for each record: its place in the order of making. */
  readonly #places = new Map<string, number>();
  #lastPlace = 0;
  readonly #log: ChangeLog;
  readonly #beforeDelete: (record: T) => void;

  /** @internal */
  constructor(
    readonly name: string,
    log: ChangeLog,
    indexes: readonly string[] = [],
    beforeDelete: (record: T) => void = () => {},
  ) {
    this.#log = log;
    this.#beforeDelete = beforeDelete;
    for (const field of indexes) this.#indexes.set(field, new Map());
  }

  /** How many records there are. */
  get size(): number {
    return this.#records.size;
  }

  /** Returns the record with this id, or undefined. */
  get(id: string): T | undefined {
    return this.#records.get(id);
  }

  /** Returns all records, oldest first, or those with this value of a field. */
  list(): T[];
  list<Field extends IndexableField<T>>(field: Field, value: T[Field]): T[];
  list(field?: IndexableField<T>, value?: string | null): T[] {
    if (field === undefined) return [...this.#records.values()];
    const index = this.#indexes.get(field);
    if (index === undefined) return this.list().filter((record) => record[field] === value);
    const found = value == null ? [] : [...(index.get(value)?.values() ?? [])];
    return found.sort((a, b) => this.#placeOf(a) - this.#placeOf(b));
  }

  /** Returns the first record with this value of a field, or undefined. */
  find<Field extends IndexableField<T>>(field: Field, value: T[Field]): T | undefined;
  find(field: IndexableField<T>, value: string | null): T | undefined {
    const index = this.#indexes.get(field);
    if (index === undefined) return this.list().find((record) => record[field] === value);
    return value === null ? undefined : index.get(value)?.values().next().value;
  }

  /** How many records have this value in the field. */
  count<Field extends IndexableField<T>>(field: Field, value: T[Field]): number;
  count(field: IndexableField<T>, value: string | null): number {
    const index = this.#indexes.get(field);
    if (index === undefined) return this.list().filter((record) => record[field] === value).length;
    return value === null ? 0 : (index.get(value)?.size ?? 0);
  }

  /** Adds a record. @throws when its id is taken. */
  insert(record: T): T {
    return this.#log.transaction(() => {
      if (this.#records.has(record.id)) throw new Error(`${this.name} has a record ${record.id} already`);
      this.#put(record);
      this.#log.add({ put: this.name, record }, () => this.#remove(record.id));
      return record;
    });
  }

  /** Changes fields of a record and returns the new record. @throws when there is no such record. */
  update(id: string, fields: FieldChanges<T>): T {
    return this.#log.transaction(() => {
      const record = this.#records.get(id);
      if (record === undefined) throw new Error(`${this.name} has no record ${id}`);
      const given = Object.entries(fields).filter(([, value]) => value !== undefined);
      const updated: T = { ...record, ...Object.fromEntries(given) };
      this.#put(updated);
      this.#log.add({ put: this.name, record: updated }, () => this.#put(record));
      return updated;
    });
  }

  /** Removes a record and what belongs to it. Returns false when there is no such record. */
  delete(id: string): boolean {
    if (!this.#records.has(id)) return false;
    return this.#log.transaction(() => {
      const record = this.#records.get(id);
      if (record === undefined) return false;
      this.#beforeDelete(record);
      const place = this.#placeOf(record);
      this.#remove(id);
      this.#log.add({ remove: this.name, id }, () => this.#putBack(record, place));
      return true;
    });
  }

  /** Puts or removes a record as the data file says it: nothing is noted, nothing else follows. @internal */
  apply(change: Change): void {
    // The file names the collection, and only this collection writes under that name.
    if ("put" in change) this.#put(change.record as T);
    else this.#remove(change.id);
  }

  /** Forgets everything without noting it. @internal */
  clear(): void {
    this.#records.clear();
    this.#places.clear();
    for (const index of this.#indexes.values()) index.clear();
  }

  #placeOf({ id }: T): number {
    return this.#places.get(id) ?? 0;
  }

  #put(record: T): void {
    const previous = this.#records.get(record.id);
    this.#records.set(record.id, record);
    if (previous === undefined) {
      this.#lastPlace += 1;
      this.#places.set(record.id, this.#lastPlace);
    }
    for (const [field, index] of this.#indexes) {
      const before = previous === undefined ? null : textOf(previous, field);
      const after = textOf(record, field);
      if (before !== null && before !== after) forget(index, before, record.id);
      if (after === null) continue;
      const bucket = index.get(after);
      if (bucket === undefined) index.set(after, new Map([[record.id, record]]));
      else bucket.set(record.id, record);
    }
  }

  #remove(id: string): void {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#records.delete(id);
    this.#places.delete(id);
    for (const [field, index] of this.#indexes) {
      const value = textOf(record, field);
      if (value !== null) forget(index, value, id);
    }
  }

  /** Takes a removal back: the record is where it was in the order. */
  #putBack(record: T, place: number): void {
    const places = [...this.#places, [record.id, place] as const].sort(([, a], [, b]) => a - b);
    const records = new Map(this.#records).set(record.id, record);
    this.clear();
    for (const [id, kept] of places) {
      const found = records.get(id);
      if (found === undefined) continue;
      this.#put(found);
      this.#places.set(id, kept);
    }
  }
}

function textOf(record: StoredRecord, field: string): string | null {
  const value: unknown = Reflect.get(record, field);
  return typeof value === "string" ? value : null;
}

function forget<T>(index: Map<string, Map<string, T>>, value: string, id: string): void {
  const bucket = index.get(value);
  bucket?.delete(id);
  if (bucket?.size === 0) index.delete(value);
}
