import type * as api from "../../client/index.js";
import type { NoArguments } from "./invoke/arguments.js";
import { getFunction } from "./invoke/function.js";
import { type AccessTokenResult, readAccessTokenResult } from "./results/entities.generated.js";

export type { NoArguments as GetAccessTokenArgs };

/** The access token in use, without the token itself. */
export interface GetAccessTokenResult extends AccessTokenResult {}

const current = (client: api.BuildPipelineClient) => client.accessToken.get();

/**
 * Returns the scopes of the access token in use. Scope: none.
 * @throws LookupError if the access token is rejected.
 * @example
 * ```ts
 * const { scopes } = await getAccessToken();
 * if (!scopes.includes("write_suites")) throw new Error("This stack needs an access token with write_suites.");
 * ```
 */
export const getAccessToken = getFunction<NoArguments | undefined, GetAccessTokenResult>(
  "getAccessToken",
  async ({ get }) => readAccessTokenResult(await get(current)),
);
