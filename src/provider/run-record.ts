import type { Done } from "../resources/calls.js";
import { type ObjectKey, objectKeyOf } from "./resource-ref.js";

/** Facts about one object: its entry in the program, and the writes of this process. */
export interface ObjectRecord extends Done {
  /** The entry of the program that has it, as its check and its diff showed. */
  readonly planned?: {
    /** Known in the plugin only. */
    readonly urn: string | undefined;
    /** The state of the entry still has the option `import`. */
    readonly imported: boolean;
  };
  /** A resource of this run is about to import it. */
  readonly importing?: true;
  /** The entry that imported it, now or in an earlier run, by its mark in the state. */
  readonly importedBy?: { readonly mark: unknown };
  /** Its entry of the program keeps it: nothing replaces it. */
  readonly kept?: true;
  /** This run gives it another unique name. */
  readonly renamed?: true;
  /** This run deletes it before it creates the replacement. */
  readonly deletedFirst?: true;
  /** Ends when a deletion that is under way has ended. */
  readonly deleting?: Promise<void>;
  /** This process deleted it. */
  readonly deleted?: true;
}

const NOTHING: ObjectRecord = Object.freeze({});

/** The memory of one provider process: one record per object, which lasts as long as the process. */
export class RunRecord {
  readonly #objects = new Map<string, ObjectRecord & { readonly id: string }>();

  /** Returns the record of an object; an empty one where nothing is known. */
  of(key: ObjectKey): ObjectRecord {
    return this.#objects.get(objectKeyOf(key)) ?? NOTHING;
  }

  /** Adds facts to the record of an object. */
  note(key: ObjectKey, facts: ObjectRecord): void {
    const text = objectKeyOf(key);
    this.#objects.set(text, { ...this.#objects.get(text), ...facts, id: key.id });
  }

  /** Checks a fact about an object of an unknown kind, such as one that an argument refers to. */
  some(id: unknown, has: (record: ObjectRecord) => boolean): boolean {
    for (const record of this.#objects.values()) if (record.id === id && has(record)) return true;
    return false;
  }
}
