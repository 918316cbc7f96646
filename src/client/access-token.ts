import * as z from "zod";
import type { Api, RequestOptions } from "./api/api.js";
import { nothing, operations } from "./api/operation.js";
import { entity, identifier } from "./responses/entity.js";

const accessTokenDescriptionSchema = entity(
  {
    /** UUID. Not secret. */
    uuid: identifier,
    /** Scopes of the token, such as `read_clusters`. */
    scopes: z.array(z.string()),
  },
  {},
);

/** The access token in use, as the service describes it. Never the token itself. */
export interface AccessTokenDescription extends z.output<typeof accessTokenDescriptionSchema> {}

const path = "/v2/access-token";

export const accessTokenOperations = operations("accessToken", "4.10", {
  get: ["GET", path, null, accessTokenDescriptionSchema],
  revoke: ["DELETE", path, null, nothing],
});

/** The access token in use. */
export class AccessToken {
  /** @internal */
  constructor(private readonly api: Api) {}

  /**
   * Returns the scopes of the access token in use.
   *
   * Scope: none.
   * @throws AuthenticationError if it is mistyped or revoked.
   * @example
   * ```ts
   * const { scopes } = await client.accessToken.get();
   * if (!scopes.includes("write_clusters")) throw new Error("This token cannot change clusters.");
   * ```
   */
  get(options?: RequestOptions): Promise<AccessTokenDescription> {
    return this.api.call(accessTokenOperations.get, {}, {}, options);
  }

  /**
   * Revokes the access token in use, for good: every later call of this client gets an AuthenticationError.
   *
   * Scope: none.
   * @throws AuthenticationError if it was revoked already; with `attempts` above 1, an earlier try may have done it.
   * @example
   * ```ts
   * await client.accessToken.revoke();
   * ```
   */
  revoke(options?: RequestOptions): Promise<void> {
    return this.api.call(accessTokenOperations.revoke, {}, {}, options);
  }
}
