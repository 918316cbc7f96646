import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { count, entity, flag, text } from "./api/entity.js";
import { operations } from "./api/operation.js";

const featuresSchema = entity({
  optional: {
    /** True if the plan has `allowed_ip_addresses`. */
    api_ip_allow_list: flag,
    /** True if the plan has `revoke_inactive_tokens_after_days`. */
    inactive_api_token_revocation: flag,
  },
});

/** What the organization's plan has. */
export interface ApiSettingsFeatures extends z.output<typeof featuresSchema> {}

const features: z.ZodType<ApiSettingsFeatures | null> = featuresSchema.nullable();

const apiSettingsSchema = entity({
  optional: {
    /** Networks in CIDR notation, separated by spaces, from which the API can be used; null for every address. */
    allowed_ip_addresses: z.union([z.string(), z.array(z.string())]).nullable(),
    /** Days after which a token that nobody uses is revoked: 30, 60, 90, 180 or 365; null for never. */
    revoke_inactive_tokens_after_days: count,
    /** True if only admins can create API access tokens. */
    restrict_user_api_token_creation: flag,
    /** What the plan has: a value that it lacks is null, as one that is off. */
    features,
  },
  decorative: {
    /** API URL. */
    url: text,
  },
});

/** Who can use the API of an organization. */
export interface ApiSettings extends z.output<typeof apiSettingsSchema> {}

/** Changes to the settings, of which the API makes all or none. Omitted fields keep their values. */
export interface ApiSettingsUpdate {
  /**
   * Networks in CIDR notation, separated by spaces, or null for every address. It applies immediately, also to whoever sends
   * it. A plan without it refuses null as well.
   */
  allowed_ip_addresses?: string | null | undefined;
  /** 30, 60, 90, 180 or 365, or null for never. Tokens that are unused for longer are revoked immediately. */
  revoke_inactive_tokens_after_days?: number | null | undefined;
  /** True if only admins can create API access tokens. */
  restrict_user_api_token_creation?: boolean | undefined;
}

const path = "/v2/organizations/{org_slug}/api-settings";

export const apiSettingsOperations = operations("apiSettings", {
  get: ["GET", path, "read_organization_settings", apiSettingsSchema],
  update: ["PATCH", path, "write_organization_settings", apiSettingsSchema],
});

/** Who can use the API of the organization. Only its admins may read and change it. */
export class ApiSettingsOfOrganization extends Section {
  /**
   * Reads the settings. Scope: `read_organization_settings`.
   * @example const { features } = await client.apiSettings.get();
   */
  get(options?: RequestOptions): Promise<ApiSettings> {
    return this.api.call(apiSettingsOperations.get, [], options);
  }

  /**
   * Changes settings. Scope: `write_organization_settings`.
   * @throws PermissionError if the plan lacks a field of the body, whatever its value.
   * @example await client.apiSettings.update({ restrict_user_api_token_creation: true });
   */
  update(body: ApiSettingsUpdate, options?: RequestOptions): Promise<ApiSettings> {
    return this.api.call(apiSettingsOperations.update, [], options, body);
  }
}
