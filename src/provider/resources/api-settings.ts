import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { reveal } from "../../shared/protocol/encoded-values.js";
import {
  judgedAccess,
  type ShownApiSettings,
  sendList,
  shownSettings,
  updatedAccess,
  withReach,
} from "../kind/api-access.js";
import { canonicalNetworks, decodeNetworks, problemOfNetwork } from "../kind/canonical.js";
import { boolean } from "../kind/fields.js";
import type { Kind } from "../kind/kind.js";
import {
  directionOfLimits,
  directionOfNetworks,
  loses,
  nothing,
  notices,
  opens,
  stops,
  when,
} from "../kind/review.js";
import { ofOrganization } from "../kind/settings.js";
import { among, list, text } from "../kind/shape.js";
import { type Get, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";

/** Arguments of {@link ApiSettings}. Changing them updates in place. The provider neither manages nor compares what you leave out. */
export interface ApiSettingsArgs {
  /**
   * IPv4 and IPv6 networks in CIDR notation, in any order, from which the API can be used; `[]` for every address. A change needs
   * `reachableFrom`, because a list without the address of whoever deploys locks everybody out, and only the web interface
   * repairs that. A list that somebody changed elsewhere isn't changed back before `reachableFrom` changes as well.
   * Needs the Enterprise plan.
   */
  allowedIpAddresses?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * The address or network from which this organization is deployed: one entry of `allowedIpAddresses` must contain it
   * whole. `"unknown"` accepts the risk. It is never sent; changing it alone changes nothing.
   */
  reachableFrom?: pulumi.Input<string | undefined>;
  /**
   * Days after which an API access token that nobody uses is revoked: 30, 60, 90, 180 or 365; 0 for never. Tokens that are
   * unused for longer lose their access immediately. Needs the Enterprise plan.
   */
  revokeInactiveTokensAfterDays?: pulumi.Input<number | undefined>;
  /** True if only admins can create API access tokens. */
  restrictUserApiTokenCreation?: pulumi.Input<boolean | undefined>;
}

const DAYS = [0, 30, 60, 90, 180, 365];

/**
 * Who can use the API of the organization. Needs the scopes `read_organization_settings` and
 * `write_organization_settings`, and a user who is an admin. Its id is the organization's slug. Declare it once for each
 * organization.
 *
 * These settings always exist, so a creation changes only what you state and the API has otherwise, and its preview shows
 * each such change. A deletion changes nothing.
 *
 * `{ import: "settings" }` imports them, so that a program that differs is an error.
 *
 * @example new ApiSettings("api", { allowedIpAddresses: ["192.0.2.0/24"], reachableFrom: "192.0.2.17" });
 */
export class ApiSettings extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:ApiSettings";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<ApiSettings>(ApiSettings.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "ApiSettings",
    words: { noun: "API setting" },
    section: "apiSettings",
    scopes: { read: [["read_organization_settings"]], write: [["write_organization_settings"]] },
    requires: "newer API",
    arguments: {
      allowedIpAddresses: {
        shape: list(text(problemOfNetwork)),
        doubt: (networks) =>
          networks.some((network) => network.includes(":"))
            ? "has IPv6 networks, which the API may refuse: its documentation shows none."
            : undefined,
        expected: 'a list of networks such as ["10.20.0.0/16", "192.0.2.7"], or [] for every address',
        review: when(
          {
            cleared: opens("{lets|let} every address use the API, and no longer only {before}", {
              todo: "Keep the addresses, or name all that need the API.",
            }),
            more: opens("{lets|let} more addresses use the API: {after} instead of {before}", {
              todo: "Make sure that only your people and machines have these addresses.",
            }),
            less: stops("{lets|let} only {after} use the API", {
              rest: "Every other address loses it immediately, also that of a deployment.",
            }),
            changed: stops("{lets|let} other addresses use the API: {after} instead of {before}", {
              rest: "Every other address loses it immediately, also that of a deployment.",
            }),
          },
          { compare: directionOfNetworks, none: "every address" },
        ),
        whenOmitted: "unmanaged",
        returnedAs: "allowed_ip_addresses",
        decode: decodeNetworks,
        canonical: canonicalNetworks,
        async apply({ client }, { known, stated }, args) {
          const shown = stated?.allowedIpAddresses ?? reveal(known.allowedIpAddresses);
          const settings = await sendList(client, args, shown);
          return { ...settings, organization: client.organization };
        },
      },
      reachableFrom: {
        shape: text((address) => (address === "unknown" ? undefined : problemOfNetwork(address))),
        expected: 'an address or network such as "192.0.2.17", or "unknown"',
        review: nothing,
        whenOmitted: "unmanaged",
        returnedAs: "reachable_from",
        mayBeLeftOut: "unless stated",
        isAbout: "allowedIpAddresses",
        providerOnly: true,
      },
      revokeInactiveTokensAfterDays: {
        shape: among(DAYS),
        expected: `one of ${DAYS.join(", ")}, where 0 is never`,
        review: when(
          {
            cleared: notices("no longer {revokes|revoke} unused API access tokens after {before} days"),
            less: loses("{revokes|revoke} API access tokens that nobody used for {after} days", {
              rest: "Those that are unused for longer are revoked immediately.",
            }),
            more: notices("{revokes|revoke} unused API access tokens after {after} days instead of {before}"),
          },
          {
            compare: (before, after) => (before && !after ? "cleared" : directionOfLimits(before, after)),
            none: "never",
          },
        ),
        whenOmitted: "unmanaged",
        sentAs: "revoke_inactive_tokens_after_days",
        returnedAs: "revoke_inactive_tokens_after_days",
        encode: (days) => days || null,
        decode: (days) => (typeof days === "number" ? days : undefined),
        canonical: (days) => days || 0,
      },
      restrictUserApiTokenCreation: {
        ...boolean,
        review: when({
          true: stops("{lets|let} only admins create API access tokens"),
          false: opens("{lets|let} every member create API access tokens", {
            todo: "Leave it to admins, because such a token can do what its owner can.",
          }),
        }),
        whenOmitted: "unmanaged",
        sentAs: "restrict_user_api_token_creation",
        returnedAs: "restrict_user_api_token_creation",
      },
    },
    outputs: { features: { returnedAs: "features" }, url: { returnedAs: "url" } },
    change: judgedAccess,
    ...ofOrganization(
      { name: "ApiSettings", noun: "API setting" },
      {
        get: async (client, known) => withReach(shownSettings(await client.apiSettings.get()), known),
        update: async (client, body: api.ApiSettingsUpdate, { known = {}, wanted }) =>
          withReach(await updatedAccess(client, body), known, wanted),
      },
    ),
  } satisfies Kind<
    ApiSettingsArgs,
    ApiSettings,
    ShownApiSettings & { readonly organization: string },
    api.ApiSettingsUpdate
  >;

  /** Networks from which the API can be used. */
  declare readonly allowedIpAddresses: pulumi.Output<string[] | undefined>;
  /** The address or network from which this organization is deployed. */
  declare readonly reachableFrom: pulumi.Output<string | undefined>;
  /** Days after which an API access token that nobody uses is revoked. */
  declare readonly revokeInactiveTokensAfterDays: pulumi.Output<number | undefined>;
  /** True if only admins can create API access tokens. */
  declare readonly restrictUserApiTokenCreation: pulumi.Output<boolean | undefined>;
  /** Slug of the organization. */
  declare readonly organization: pulumi.Output<string>;
  /** What the organization's plan has: `apiIpAllowList` and `inactiveApiTokenRevocation`. */
  declare readonly features: pulumi.Output<{ [feature: string]: boolean }>;
  /** API URL. */
  declare readonly url: pulumi.Output<string>;

  /**
   * Reads the settings without managing them.
   * @example ApiSettings.get("api", "acme")
   */
  static readonly get: Get<ApiSettingsArgs, ApiSettings> = get;

  constructor(name: string, args: ApiSettingsArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}
