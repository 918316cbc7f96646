import type * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import { request } from "./asking/request.js";
import { entity, same } from "./entity-fields.js";
import { Lookup } from "./lookup.js";

/** Takes no arguments. */
export type GetAccessTokenArgs = Record<string, never>;

/** Takes no arguments. */
export type GetAccessTokenOutputArgs = Record<string, never>;

/** What the service says of the access token in use (the API document, section 2.15). Never the token itself. */
export interface GetAccessTokenResult {
  /** UUID. Not secret. */
  readonly uuid: string;
  /** What the token may do, such as `read_clusters`. */
  readonly scopes: string[];
}

const read = entity<wire.AccessTokenDescription, GetAccessTokenResult>({ uuid: same, scopes: same });

const description = request("accessToken.get", (client) => client.accessToken.get());

const accessToken = new Lookup<GetAccessTokenArgs, GetAccessTokenResult>("getAccessToken", async (service) =>
  read(await service.ask(description)),
);

/**
 * Tells the scopes of the access token in use (the API document, section 4.10). Scope: none.
 *
 * @throws LookupError if the access token is rejected.
 * @example
 * ```ts
 * const { scopes } = await getAccessToken();
 * if (!scopes.includes("write_suites")) throw new Error("This stack needs an access token with write_suites.");
 * ```
 */
export function getAccessToken(
  args: GetAccessTokenArgs = {},
  opts?: pulumi.InvokeOptions,
): Promise<GetAccessTokenResult> {
  return accessToken.now(args, opts);
}

/**
 * {@link getAccessToken} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 */
export function getAccessTokenOutput(
  args: GetAccessTokenOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAccessTokenResult> {
  return accessToken.output(args, opts);
}
