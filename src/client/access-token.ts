import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text } from "./api/entity.js";
import { nothing, operations } from "./api/operation.js";

const accessTokenUser = entity({
  decorative: {
    /** Name of the user. */
    name: text,
    /** User's email address. */
    email: text,
  },
});

/** The user whose access token it is. */
export interface AccessTokenUser extends z.output<typeof accessTokenUser> {}

const accessTokenUserSchema: z.ZodType<AccessTokenUser> = accessTokenUser;

const accessTokenDescriptionSchema = entity({
  required: {
    /** UUID. Not secret. */
    uuid: identifier,
    /** Scopes of the token, such as `read_clusters`. */
    scopes: z.array(z.string()),
  },
  decorative: {
    /** Purpose of the token. */
    description: text,
    /** ISO 8601, UTC. */
    created_at: text,
    /** Time the token expires; ISO 8601, UTC; unset if it doesn't expire. */
    expires_at: text,
    /** User whose token it is. */
    user: accessTokenUserSchema.nullable(),
  },
});

/** Description of the access token in use. It doesn't contain the token itself. */
export interface AccessTokenDescription extends z.output<typeof accessTokenDescriptionSchema> {}

const path = "/v2/access-token";

/** @internal */
export const accessTokenOperations = operations("accessToken", {
  get: ["GET", path, null, accessTokenDescriptionSchema],
  revoke: ["DELETE", path, null, nothing],
});

/** The access token in use. */
export class AccessToken extends Section {
  /**
   * Returns the scopes of the access token in use, and whose it is. Scope: none.
   * @throws AuthenticationError if the access token is mistyped or revoked.
   * @example
   * ```ts
   * const { scopes } = await client.accessToken.get();
   * if (!scopes.includes("write_clusters")) throw new Error("This token cannot change clusters.");
   * ```
   */
  get(options?: RequestOptions): Promise<AccessTokenDescription> {
    return this.api.call(accessTokenOperations.get, [], options);
  }

  /**
   * Permanently revokes the access token in use. Every later call of this client fails with an AuthenticationError.
   * Scope: none.
   * @throws AuthenticationError if the token was already revoked; if `attempts` is above 1, an earlier attempt may
   * have revoked it.
   * @example await client.accessToken.revoke();
   */
  revoke(options?: RequestOptions): Promise<void> {
    return this.api.call(accessTokenOperations.revoke, [], options);
  }
}
