import type * as api from "../../client/index.js";
import type { NoArguments } from "./invoke/arguments.js";
import { getFunction } from "./invoke/function.js";
import { type AccessTokenResult, readAccessTokenResult } from "./results/entities.js";

export type { NoArguments as GetAccessTokenArgs, NoArguments as GetAccessTokenOutputArgs };

/** The access token in use, without the token itself. */
export interface GetAccessTokenResult extends AccessTokenResult {}

const current = (client: api.BuildPipelineClient) => client.accessToken.get();

const accessToken = getFunction<NoArguments | undefined, NoArguments | undefined, GetAccessTokenResult>(
  "getAccessToken",
  async ({ get }) => readAccessTokenResult(await get(current)),
);

/**
 * Returns the scopes of the access token in use. Scope: none.
 * @throws LookupError if the access token is rejected.
 * @example
 * ```ts
 * const { scopes } = await getAccessToken();
 * if (!scopes.includes("write_suites")) throw new Error("This stack needs an access token with write_suites.");
 * ```
 */
export const getAccessToken = accessToken.plain;

/** {@link getAccessToken} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is. */
export const getAccessTokenOutput = accessToken.output;
