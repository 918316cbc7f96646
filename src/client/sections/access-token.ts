import type { Api, RequestOptions } from "../api.js";
import {
  type AccessTokenDescription,
  accessTokenDescriptionSchema,
} from "../entities/access-token-description.js";
import { nothing, operation } from "../operation.js";

const path = "/v2/access-token";

export const accessTokenOperations = {
  get: operation("accessToken.get", "GET", path, null, "4.10", accessTokenDescriptionSchema),
  revoke: operation("accessToken.revoke", "DELETE", path, null, "4.10", nothing),
} as const;

/** The access token in use (section 4.10). */
export class AccessToken {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Tells which scopes the access token in use has.
   *
   * Scope: none. Section 4.10.
   * @throws AuthenticationError if it is mistyped or revoked.
   * @example
   * ```ts
   * const { scopes } = await client.accessToken.get();
   * if (!scopes.includes("write_clusters")) throw new Error("This token cannot change clusters.");
   * ```
   */
  get(options?: RequestOptions): Promise<AccessTokenDescription> {
    return this.#api.call(accessTokenOperations.get, {}, {}, options);
  }

  /**
   * Revokes the access token in use, for good: every later call of this client gets an AuthenticationError.
   *
   * Scope: none. Section 4.10.
   * @throws AuthenticationError if it was revoked already; with `attempts` above 1, an earlier try may have done it.
   * @example
   * ```ts
   * await client.accessToken.revoke();
   * ```
   */
  revoke(options?: RequestOptions): Promise<void> {
    return this.#api.call(accessTokenOperations.revoke, {}, {}, options);
  }
}
