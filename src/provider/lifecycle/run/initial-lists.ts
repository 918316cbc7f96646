import type { Collections } from "../lists/collections.js";
import { parentKindOf } from "../values/kinds.js";
import { placeKeyOf, type Where } from "../values/state.js";
import type { RunRecord } from "./memory.js";

export type InitialList =
  | { readonly entities: readonly object[]; readonly failure?: undefined }
  | { readonly entities?: undefined; readonly failure: unknown };

/**
 * Lists the objects that existed before this process created any: one list for each place in which it creates one. None
 * of them is its own.
 */
export class InitialLists {
  readonly #collections: Collections;
  readonly #run: RunRecord;
  readonly #lists = new Map<string, Promise<InitialList>>();

  constructor(collections: Collections, run: RunRecord) {
    this.#collections = collections;
    this.#run = run;
  }

  /** Returns the objects that were in a place before. A place that this process created was empty. */
  of(where: Where): Promise<InitialList> {
    if (this.#isNew(where)) return Promise.resolve({ entities: [] });
    const key = placeKeyOf(where);
    let list = this.#lists.get(key);
    if (list === undefined) {
      list = this.#collections.list(where).then(
        (entities) => ({ entities }),
        (failure: unknown) => ({ failure }),
      );
      this.#lists.set(key, list);
    }
    return list;
  }

  /** Returns the objects that were in a place before, if that list was read. */
  async known(where: Where): Promise<readonly object[] | undefined> {
    if (this.#isNew(where)) return [];
    return (await this.#lists.get(placeKeyOf(where)))?.entities;
  }

  #isNew({ organization, kind, parent }: Where): boolean {
    const above = parentKindOf(kind);
    return above !== undefined && this.#run.of({ organization, kind: above, id: parent }).created === true;
  }
}
