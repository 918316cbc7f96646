/** What every stored record has: an id that never changes. */
export interface StoredRecord {
  readonly id: string;
}

/** One change to a collection: a record put (new or replaced), or an id removed. */
export type Change =
  | { readonly put: string; readonly record: StoredRecord }
  | { readonly remove: string; readonly id: string };

/** Receives every change of a collection, in order. */
export type ChangeListener = (change: Change) => void;

/** Fields of a record whose values are text or null: what an index can be kept on. */
type IndexableField<T> = {
  [Field in keyof T & string]: T[Field] extends string | null ? Field : never;
}[keyof T & string];

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
  readonly #onChange: ChangeListener;
  readonly #beforeDelete: (record: T) => void;

  /** @internal */
  constructor(
    readonly name: string,
    settings: {
      onChange: ChangeListener;
      indexes?: readonly IndexableField<T>[];
      beforeDelete?: (record: T) => void;
    },
  ) {
    this.#onChange = settings.onChange;
    this.#beforeDelete = settings.beforeDelete ?? (() => {});
    for (const field of settings.indexes ?? []) this.#indexes.set(field, new Map());
  }

  /** How many records there are. */
  get size(): number {
    return this.#records.size;
  }

  /** The record with this id, or undefined. */
  get(id: string): T | undefined {
    return this.#records.get(id);
  }

  /** All records, oldest first; or those whose field has this value. */
  list(): T[];
  list<Field extends IndexableField<T>>(field: Field, value: T[Field]): T[];
  list(field?: IndexableField<T>, value?: string | null): T[] {
    if (field === undefined) return [...this.#records.values()];
    const index = this.#indexes.get(field);
    if (index === undefined) return this.list().filter((record) => record[field] === value);
    return value == null ? [] : [...(index.get(value)?.values() ?? [])];
  }

  /** The first record whose field has this value, or undefined. */
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
    if (this.#records.has(record.id)) throw new Error(`${this.name} has a record ${record.id} already`);
    this.#put(record);
    this.#onChange({ put: this.name, record });
    return record;
  }

  /** Changes fields of a record and returns the new record. @throws when there is no such record. */
  update(id: string, fields: Partial<Omit<T, "id">>): T {
    const record = this.#records.get(id);
    if (record === undefined) throw new Error(`${this.name} has no record ${id}`);
    const updated: T = { ...record, ...fields };
    this.#put(updated);
    this.#onChange({ put: this.name, record: updated });
    return updated;
  }

  /** Removes a record and what belongs to it. Returns false when there is no such record. */
  delete(id: string): boolean {
    const record = this.#records.get(id);
    if (record === undefined) return false;
    this.#beforeDelete(record);
    this.#remove(id);
    this.#onChange({ remove: this.name, id });
    return true;
  }

  /** Puts or removes a record as the journal says it: nothing is announced, nothing cascades. @internal */
  apply(change: Change): void {
    // The journal names the collection, and only this collection writes under that name.
    if ("put" in change) this.#put(change.record as T);
    else this.#remove(change.id);
  }

  /** Forgets everything without announcing it. @internal */
  clear(): void {
    this.#records.clear();
    for (const index of this.#indexes.values()) index.clear();
  }

  #put(record: T): void {
    const previous = this.#records.get(record.id);
    this.#records.set(record.id, record);
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
    for (const [field, index] of this.#indexes) {
      const value = textOf(record, field);
      if (value !== null) forget(index, value, id);
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
