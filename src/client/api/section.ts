import type { List } from "../pages/list.js";
import type { Api, Payload, RequestOptions } from "./api.js";
import type { Operation } from "./operation.js";
import type { PathIds } from "./path.js";
import type { Query } from "./query.js";

/** The methods of one section of the API document. */
export abstract class Section {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Carries out an operation that has one result.
   *
   * @internal
   */
  protected request<Path extends string, Result>(
    operation: Operation<Path, Result>,
    ids: PathIds<Path>,
    payload: Payload,
    options: RequestOptions | undefined,
  ): Promise<Result> {
    return this.#api.call(operation, ids, payload, options);
  }

  /**
   * Carries out a list operation, page by page.
   *
   * @internal
   */
  protected pages<Path extends string, Item>(
    operation: Operation<Path, Item>,
    ids: PathIds<Path>,
    query: Query,
    options: RequestOptions | undefined,
  ): List<Item> {
    return this.#api.list(operation, ids, query, options);
  }
}
