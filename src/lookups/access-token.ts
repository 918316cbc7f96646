import type * as api from "../client/index.js";
import type { NoArguments } from "./invoke/arguments.js";
import { getFunction } from "./invoke/function.js";
import { describe, type ResultOf, verbatim } from "./results/fields.js";

export type { NoArguments as GetAccessTokenArgs, NoArguments as GetAccessTokenOutputArgs };

const fields = describe<api.AccessTokenDescription>()({
  /** UUID. Not secret. */
  uuid: verbatim,
  /** Scopes of the token, such as `read_clusters`. */
  scopes: verbatim,
});

/** The access token in use, without the token itself. */
export interface GetAccessTokenResult extends ResultOf<typeof fields> {}

const current = (client: api.BuildPipelineClient) => client.accessToken.get();

const accessToken = getFunction<NoArguments | undefined, NoArguments | undefined, GetAccessTokenResult>(
  "getAccessToken",
  async ({ get }) => fields.read(await get(current)),
);

export default [accessToken];

/**
 * Returns the scopes of the access token in use. Scope: none.
 *
 * @throws LookupError if the access token is rejected.
 * @example
 * ```ts
 * const { scopes } = await getAccessToken();
 * if (!scopes.includes("write_suites")) throw new Error("This stack needs an access token with write_suites.");
 * ```
 */
export const getAccessToken = accessToken.plain;

/** {@link getAccessToken} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is. */
export const getAccessTokenOutput = accessToken.output;
